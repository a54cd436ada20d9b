"""Filters on data in which nothing matters: how often do they select something?"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr

from thresher.filters import GramSchmidt, ReliefF

from ._base import Conditions, Experiment
from ._cells import Cell
from ._null import COLUMNS, LEVEL, NOTE, null_picture, null_row
from ._result import Result

__all__ = ["FILTERS_NULL"]

N_ROWS, N_COLUMNS = 200, 20
RARE = 0.1
TAILS: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "normal": lambda z: z,
    "uniform": ndtr,
    "exponential": lambda z: -log_ndtr(-z),
    "lognormal": np.exp,
}


def run(conditions: Conditions) -> Result:
    """Count the tables in which anything was selected."""
    cases: list[tuple[str, str, Callable[..., bool]]] = [
        ("normal, numbers", "ReliefF", _relief_of_numbers),
        ("normal, a rare class", "ReliefF", _relief_of_classes),
        *((f"{tails}, numbers", "GramSchmidt", _gram_schmidt) for tails in TAILS),
    ]
    rows: list[tuple[Cell, ...]] = []
    for label, method, select in cases:
        tasks = [(label.partition(",")[0], seed) for seed in range(conditions.runs)]
        found = conditions.map(select, tasks, f"{method}, {label}")
        rows.append(null_row(label, method, found))
    return Result(
        f"Null data: share of tables in which a filter selects anything ({conditions.runs} each)",
        COLUMNS,
        tuple(rows),
        (
            NOTE,
            f"{N_ROWS} rows and {N_COLUMNS} columns, level {LEVEL:g}. Columns and target have the "
            f"same distribution, but for the classes, of which the rare one has {RARE:.0%} of the "
            "rows.",
            "GramSchmidt knows what random probes explain; where both columns and target have long "
            "tails, it shuffles the target as well.",
        ),
        ("The papers have no such experiment.",),
        null_picture(rows),
    )


def _table(tails: str, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    drawn = np.random.default_rng(seed).standard_normal((N_ROWS, N_COLUMNS + 1))
    values = TAILS[tails](drawn)
    return values[:, 1:], values[:, 0]


def _relief_of_numbers(tails: str, seed: int) -> bool:
    return _any(ReliefF(alpha=LEVEL, random_state=seed, n_jobs=1), *_table(tails, seed))


def _relief_of_classes(tails: str, seed: int) -> bool:
    X, y = _table(tails, seed)
    rare = (y > np.quantile(y, 1 - RARE)).astype(np.int64)
    return _any(ReliefF(alpha=LEVEL, random_state=seed, n_jobs=1), X, rare)


def _gram_schmidt(tails: str, seed: int) -> bool:
    return _any(GramSchmidt(alpha=LEVEL, random_state=seed), *_table(tails, seed))


def _any(selector: Any, X: Any, y: Any) -> bool:
    return bool(selector.fit(X, y).support_.any())


FILTERS_NULL = Experiment(
    "filters-null",
    "ReliefF and Gram-Schmidt on data in which nothing matters",
    run,
    1000,
    10,
    minutes=2,
)
