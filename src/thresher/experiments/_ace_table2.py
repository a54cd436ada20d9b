"""Table 2 of the ACE paper: subset sizes and errors on the data of the agnostic challenge."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from thresher.files import Table
from thresher.parallel import effective_n_jobs
from thresher.selectors import ACE

from ._base import Conditions, Experiment
from ._cells import Cell, Spread
from ._data import not_found, read_data
from ._methods import QUICK
from ._picture import Panel, Picture, Series
from ._result import Result

__all__ = ["ACE_TABLE2"]

# columns, error of all, size of the subset, error of the subset
PAPER: dict[str, tuple[int, float, int, float]] = {
    "ada": (47, 0.1909, 16, 0.1855),
    "gina": (970, 0.0527, 75, 0.0506),
    "hiva": (1617, 0.2847, 221, 0.2559),
    "nova": (12993, 0.0591, 400, 0.0518),
    "sylva": (212, 0.0133, 69, 0.0129),
}
NEEDED = ("ada", "sylva", "hiva")  # the slowest last
#: The paper had redundant columns eliminated in these only.
ELIMINATED = ("ada", "hiva", "sylva")
N_FOLDS, QUICK_FOLDS = 5, 2
QUICK_ROWS, QUICK_COLUMNS = 400, 100


def run(conditions: Conditions) -> Result:
    """Cross-validate boosted trees on all columns and on those selected inside each fold."""
    found: dict[str, tuple[Cell, ...]] = {}
    for name in (*NEEDED, "gina"):
        table = read_data(conditions.data, name, openml=conditions.openml)
        if table is not None:
            found[name] = _measure(table, name, conditions)
        elif name in NEEDED or conditions.openml:
            found[name] = _words(not_found(conditions.data, name, openml=conditions.openml))
        else:
            found[name] = _words("not to be had here; OpenML has it (--openml)")
    found["nova"] = _words("not to be had")
    n_folds = QUICK_FOLDS if conditions.quick else N_FOLDS
    return Result(
        "Agnostic challenge: size of the subset and balanced error rate",
        (
            "data", "columns", "paper: columns", "subset", "paper: subset", "error, all",
            "paper: error, all", "error, subset", "paper: error, subset",
        ),
        tuple((name, *_beside(found[name], printed)) for name, printed in PAPER.items()),
        (
            f"Ours: {n_folds}-fold cross-validation, {conditions.runs} time(s). ACE selects inside "
            "each fold, from the training rows alone; the spread is that of the folds. As in the "
            "paper, redundant columns stay in Gina.",
            "The paper says cross-validation error; the challenge went by balanced errors, so we "
            "take it for that.",
            "The paper has 47 columns of Ada, 12993 of Nova and 212 of Sylva in its table, and 48, "
            "16969 and 216 in its text.",
            *([f"Quick: {QUICK_ROWS} rows, at most {QUICK_COLUMNS} columns."] * conditions.quick),
        ),
        (
            "The paper tuned ACE and its boosted trees by hand for each data set, so that the "
            "error on rows held out fell, and class priors by cross-validation. Here nothing is "
            "tuned: ACE as it is, and scikit-learn's boosted trees with balanced class weights.",
        ),
        _picture(found),
    )  # fmt: skip


def _words(words: str) -> tuple[Cell, ...]:
    return (words, None, None, None)


def _beside(ours: tuple[Cell, ...], printed: tuple[float, ...]) -> tuple[Cell, ...]:
    """Columns, size of the subset, and the two errors, each beside the paper's."""
    columns, full, subset, error = printed
    theirs = (int(columns), int(subset), full, error)
    return tuple(cell for pair in zip(ours, theirs, strict=True) for cell in pair)


def _measure(table: Table, name: str, conditions: Conditions) -> tuple[Cell, ...]:
    """Columns, size of the subset, error of all, error of the subset."""
    from sklearn.model_selection import StratifiedKFold, train_test_split

    X: NDArray[Any] = table.X.to_numpy()
    y = table.y
    if conditions.quick:
        X, _, y, _ = train_test_split(
            X[:, :QUICK_COLUMNS], y, train_size=QUICK_ROWS, stratify=y, random_state=0
        )
    n_folds = QUICK_FOLDS if conditions.quick else N_FOLDS
    folds = [
        (X, y, *fold, name in ELIMINATED, conditions.quick)
        for seed in range(conditions.runs)
        for fold in StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(X, y)
    ]
    # one at a time, each with all threads
    alone = replace(conditions, n_jobs=1)
    outcomes = alone.map(_one_fold, folds, name, n_jobs=conditions.n_jobs)
    return (X.shape[1], *map(Spread.of, np.transpose(outcomes)))


def _one_fold(
    X: NDArray[Any],
    y: NDArray[Any],
    train: Any,
    test: Any,
    redundancy: bool,  # noqa: FBT001
    quick: bool,  # noqa: FBT001
    *,
    n_jobs: int | None,
) -> tuple[float, ...]:
    """Size of the subset, error of all columns, error of the subset."""
    selector = ACE(
        task="classification", redundancy=redundancy, random_state=0, n_jobs=n_jobs,
        **(QUICK if quick else {}),
    ).fit(X[train], y[train])  # fmt: skip
    chosen = np.flatnonzero(selector.support_)
    every = np.arange(X.shape[1])
    with threadpool_limits(effective_n_jobs(n_jobs)):
        errors = [_balanced_error(X[:, columns], y, train, test) for columns in (every, chosen)]
    return float(len(chosen)), *errors


def _balanced_error(X: NDArray[Any], y: NDArray[Any], train: Any, test: Any) -> float:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import balanced_accuracy_score

    if not X.shape[1]:
        return 1 - 1 / len(np.unique(y))
    model = HistGradientBoostingClassifier(class_weight="balanced", random_state=0)
    predicted = model.fit(X[train], y[train]).predict(X[test])
    return 1 - float(balanced_accuracy_score(y[test], predicted))


def _picture(found: Mapping[str, tuple[Cell, ...]]) -> Picture | None:
    names = tuple(name for name in PAPER if isinstance(found[name][2], Spread))
    if not names:
        return None
    series = []
    for at, label in ((2, "all columns"), (3, "subset")):
        ours = [cell for cell in (found[name][at] for name in names) if isinstance(cell, Spread)]
        means, spreads = tuple(cell.mean for cell in ours), tuple(cell.sd for cell in ours)
        series.append(Series(f"ours, {label}", names, means, spreads))
    for at, label in ((1, "all columns"), (3, "subset")):
        printed = tuple(PAPER[name][at] for name in names)
        series.append(Series(f"paper, {label}", names, printed, paper=True))
    panel = Panel("agnostic challenge", "", "balanced error rate", tuple(series), "bar")
    return Picture((panel,), columns=1)


ACE_TABLE2 = Experiment(
    "ace-table2",
    "Table 2 of ACE: Ada, Hiva and Sylva; Gina from OpenML",
    run,
    1,
    needs=tuple(sorted(NEEDED)),
    shows=("ACE Table 2",),
    minutes=40,
)
