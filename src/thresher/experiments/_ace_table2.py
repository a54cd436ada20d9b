"""Table 2 of the ACE paper: subset sizes and errors on the data of the agnostic challenge."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from thresher.files import Table
from thresher.parallel import effective_n_jobs
from thresher.selectors import ACE

from ._base import Cell, Conditions, Experiment, Result
from ._data import not_found, read_data
from ._methods import QUICK

__all__ = ["ACE_TABLE2"]

# columns, error of all, size of the subset, error of the subset
PAPER: dict[str, tuple[int, float, int, float]] = {
    "ada": (47, 0.1909, 16, 0.1855),
    "gina": (970, 0.0527, 75, 0.0506),
    "hiva": (1617, 0.2847, 221, 0.2559),
    "nova": (12993, 0.0591, 400, 0.0518),
    "sylva": (212, 0.0133, 69, 0.0129),
}
AT_HAND = ("ada", "sylva", "hiva")  # the slowest last
N_FOLDS, QUICK_FOLDS = 5, 2
QUICK_ROWS, QUICK_COLUMNS = 400, 100


def run(conditions: Conditions) -> Result:
    """Cross-validate boosted trees on all columns and on those selected inside each fold."""
    rows: list[tuple[Cell, ...]] = []
    for name in AT_HAND:
        table = read_data(conditions.data, name)
        if table is None:
            ours: tuple[Cell, ...] = (not_found(conditions.data, name), *[None] * 4)
        else:
            ours = _measure(table, name, conditions)
        rows.append((name, *ours, *PAPER[name]))
    for name in ("gina", "nova"):
        rows.append((name, "not to be had", *[None] * 4, *PAPER[name]))
    return Result(
        "Agnostic challenge: size of the subset and balanced error rate",
        (
            "data", "columns", "error, all", "subset", "sizes", "error, subset",
            "paper: columns", "paper: error, all", "paper: subset", "paper: error, subset",
        ),
        tuple(rows),
        (
            f"Ours: {QUICK_FOLDS if conditions.quick else N_FOLDS}-fold cross-validation, "
            f"{conditions.runs} time(s), of scikit-learn's boosted trees with balanced class "
            "weights and no tuning. ACE selects inside each fold, from the training rows alone; "
            "the subset's size is the mean over folds, 'sizes' its range.",
            "The paper tuned ACE and its boosted trees by hand for each data set.",
            *([f"Quick: {QUICK_ROWS} rows, at most {QUICK_COLUMNS} columns."] * conditions.quick),
        ),
    )  # fmt: skip


def _measure(table: Table, name: str, conditions: Conditions) -> tuple[Cell, ...]:
    from sklearn.model_selection import StratifiedKFold, train_test_split

    X: NDArray[Any] = table.X.to_numpy()
    y = table.y
    if conditions.quick:
        X, _, y, _ = train_test_split(
            X[:, :QUICK_COLUMNS], y, train_size=QUICK_ROWS, stratify=y, random_state=0
        )
    n_folds = QUICK_FOLDS if conditions.quick else N_FOLDS
    outcomes = []
    for seed in range(conditions.runs):
        folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
        for train, test in folds.split(X, y):
            outcomes.append(_one_fold(X, y, train, test, conditions))
            conditions.progress(f"{name}: fold {len(outcomes)} of {n_folds * conditions.runs}")
    sizes, errors, full = (np.array(values) for values in zip(*outcomes, strict=True))
    return (
        X.shape[1], float(full.mean()), float(sizes.mean()),
        f"{sizes.min()} to {sizes.max()}", float(errors.mean()),
    )  # fmt: skip


def _one_fold(
    X: NDArray[Any], y: NDArray[Any], train: Any, test: Any, conditions: Conditions
) -> tuple[int, float, float]:
    selector = ACE(
        task="classification", random_state=0, n_jobs=conditions.n_jobs,
        **(QUICK if conditions.quick else {}),
    ).fit(X[train], y[train])  # fmt: skip
    chosen = np.flatnonzero(selector.support_)
    every = np.arange(X.shape[1])
    with threadpool_limits(effective_n_jobs(conditions.n_jobs)):
        errors = [_balanced_error(X[:, columns], y, train, test) for columns in (chosen, every)]
    return len(chosen), errors[0], errors[1]


def _balanced_error(X: NDArray[Any], y: NDArray[Any], train: Any, test: Any) -> float:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import balanced_accuracy_score

    if not X.shape[1]:
        return 1 - 1 / len(np.unique(y))
    model = HistGradientBoostingClassifier(class_weight="balanced", random_state=0)
    predicted = model.fit(X[train], y[train]).predict(X[test])
    return 1 - float(balanced_accuracy_score(y[test], predicted))


ACE_TABLE2 = Experiment(
    "ace-table2", "Table 2 of ACE: Ada, Hiva and Sylva", run, 1, needs=tuple(sorted(AT_HAND))
)
