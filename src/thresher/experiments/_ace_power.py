"""Three tasks on which today's tools find too little or drown in noise."""

from typing import Any

import numpy as np

from thresher.datasets import make_friedman_random

from ._base import Conditions, Experiment
from ._cells import Cell, Spread
from ._methods import QUICK, ace
from ._result import Result

__all__ = ["ACE_POWER"]

#: What each row must show, in words, because the figures below are counts.
GOALS = {
    "random functions": "8.5 of 10, at most 2 redundant, no noise",
    "wide": "6 of 10, at most 1 noise",
    "product": "4 of 4, always",
}


def run(conditions: Conditions) -> Result:
    """Count what is found on each task."""
    settings = {**QUICK, "max_iterations": 1} if conditions.quick else {}
    rows: list[tuple[Cell, ...]] = []
    for name, make in TASKS.items():
        tasks = [(make, seed, settings) for seed in range(conditions.runs)]
        found = np.array(conditions.map(_one_data_set, tasks, name), dtype=float)
        fewest = int(found[:, 0].min())
        rows.append((name, *map(Spread.of, found.T), fewest, GOALS[name]))
    return Result(
        f"Power: columns selected, {conditions.runs} data sets",
        ("task", "relevant", "redundant", "noise", "fewest relevant", "goal"),
        tuple(rows),
        (
            "Random functions: make_friedman_random, 1000 rows, 10 relevant, 15 redundant and 45 "
            "noise columns, without noise on the target.",
            "Wide: 120 rows x 3000 columns; the target is the sum of ten standard normal columns "
            "plus standard normal noise; each of the ten has a near copy (correlation 0.995). A "
            "copy counts for its column, a second one as redundant.",
            "Product: x1 x2 x3 + x4 of standard normal columns, 36 others, 1500 rows.",
            "The paper has none of these tasks.",
        ),
    )


def _one_data_set(make: Any, seed: int, settings: dict[str, Any]) -> tuple[int, int, int]:
    X, y, name_of_column = make(seed)
    chosen = [name_of_column(position) for position in ace(X, y, seed, "regression", **settings)]
    signals = {name for name in chosen if isinstance(name, int)}
    noise = chosen.count("noise")
    return len(signals), len(chosen) - noise - len(signals), noise


def _random_functions(seed: int) -> Any:
    data = make_friedman_random(1000, n_redundant=15, n_irrelevant=45, random_state=seed)
    return data.X, data.y, lambda p: p if p < 10 else "redundant" if p < 25 else "noise"


def _wide(seed: int) -> Any:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((120, 3000))
    X[:, 10:20] = X[:, :10] + 0.1 * rng.standard_normal((120, 10))
    y = X[:, :10].sum(axis=1) + rng.standard_normal(120)
    return X, y, lambda p: p % 10 if p < 20 else "noise"


def _product(seed: int) -> Any:
    X = np.random.default_rng(seed).standard_normal((1500, 40))
    return X, X[:, 0] * X[:, 1] * X[:, 2] + X[:, 3], lambda p: p if p < 4 else "noise"


TASKS = {"random functions": _random_functions, "wide": _wide, "product": _product}

ACE_POWER = Experiment(
    "ace-power",
    "ACE on random functions, on few rows of many columns, and on a product of three",
    run,
    20,
    1,
    minutes=3,
)
