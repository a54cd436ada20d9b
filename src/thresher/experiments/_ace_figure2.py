"""Figure 2 of the ACE paper: Friedman's random functions, eight experiments."""

from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias

import numpy as np

from thresher.datasets import Generated, make_friedman_random

from ._base import Cell, Conditions, Experiment, Result
from ._methods import QUICK, ace, boruta, cfs, fcbf, has_boruta, percent, relief, rfe

__all__ = ["ACE_FIGURE2"]

Task: TypeAlias = Literal["regression", "classification"]
TASKS: tuple[Task, ...] = ("regression", "classification")
N_RELEVANT = 10
METHODS = ("ACE", "CFS", "CFS-gen", "FCBF", "RFE10", "Relief10")
#: BorutaPy takes a minute for each.
MOST_BORUTA = 3


@dataclass(frozen=True)
class _Kind:
    """One of the eight experiments."""

    n_rows: int
    task: Task
    mixed: bool
    quick: bool

    def __str__(self) -> str:
        return f"{self.n_rows} rows, {self.task}, {'mixed' if self.mixed else 'numeric'}"

    def make(self, seed: int) -> Generated:
        """Return a data set."""
        sizes = {"n_redundant": 5, "n_irrelevant": 10} if self.quick else {}
        return make_friedman_random(
            self.n_rows, task=self.task, mixed=self.mixed, random_state=seed, **sizes
        )


def run(conditions: Conditions) -> Result:
    """Measure what is selected of each group of columns."""
    quick = conditions.quick
    small, large = (200, 400) if quick else (1000, 4000)
    rows: list[tuple[Cell, ...]] = []
    for n_rows, task, mixed in product((large, small), TASKS, (False, True)):
        kind = _Kind(n_rows, task, mixed, quick)
        rows += [_row(kind, method, conditions, conditions.runs) for method in METHODS]
        if n_rows == small and has_boruta() and not quick:
            rows.append(_row(kind, "BorutaPy", conditions, min(conditions.runs, MOST_BORUTA)))
    rows.append((f"goal at {large} rows", "ACE", None, 85, 10, 2))
    return Result(
        "Friedman's random functions: percent of each group selected",
        ("experiment", "method", "data sets", "relevant", "redundant", "noise"),
        tuple(rows),
        (
            "The paper shows bars and no numbers; its ACE was best but in the mixed classification "
            "with 1000 rows, where RFE10 won.",
            "RFE10 is told the number; scikit-learn's RFE needs coefficients, so its machine is "
            "linear, where the paper's had an RBF kernel. Categories go to it as numbers.",
            f"BorutaPy is slow: it has at most {MOST_BORUTA} data sets"
            + ("." if has_boruta() else ", and is not installed here (pip install boruta)."),
            *(["Quick: fewer rows and columns, small forests."] * quick),
            "CFS: symmetrical uncertainties for classes, linear correlations for numbers; FCBF "
            "cuts a numeric target into five bins (the paper's had classes only). Relief10 has 10 "
            "neighbours and, as RFE10, is told the number.",
        ),
    )


def _row(kind: _Kind, method: str, conditions: Conditions, n_sets: int) -> tuple[Cell, ...]:
    tasks = [(method, kind, seed) for seed in range(n_sets)]
    found = conditions.map(_one_data_set, tasks, f"{kind}, {method}")
    return (str(kind), method, n_sets, *map(float, np.mean(found, axis=0)))


def _one_data_set(method: str, kind: _Kind, seed: int) -> list[float]:
    data = kind.make(seed)
    X, y, task = data.X, data.y, data.task
    methods = {
        "ACE": lambda: ace(X, y, seed, task, **(QUICK if kind.quick else {})),
        "CFS": lambda: cfs(X, y, seed, task),
        "CFS-gen": lambda: cfs(X, y, seed, task, "genetic"),
        "FCBF": lambda: fcbf(X, y, task),
        "RFE10": lambda: rfe(X, y, N_RELEVANT, task),
        "Relief10": lambda: relief(X, y, N_RELEVANT, task),
        "BorutaPy": lambda: boruta(X, y, seed, task),
    }
    chosen = methods[method]()
    return [percent(chosen, part) for part in (data.relevant, data.redundant, data.irrelevant)]


ACE_FIGURE2 = Experiment(
    "ace-figure2", "Figure 2 of ACE: Friedman's random functions, eight experiments", run, 50
)
