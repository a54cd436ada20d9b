"""Variables that only matter together: what the paper tells of, and a hundred columns."""

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from thresher.datasets import make_boolean_concept
from thresher.evaluators import evaluator_for
from thresher.races import Brace, Exhaustive, Judge
from thresher.run import search
from thresher.searches import GaussSeidel, HillClimbing, Schemata, SearchStrategy, Space

from ._base import Conditions, Experiment
from ._cells import Cell, Spread
from ._picture import Panel, Picture, Series
from ._result import Result

__all__ = ["RACING_FAMILIES", "RACING_WIDE"]

FloatArray = NDArray[np.float64]
SIZES, QUICK_SIZES = (2, 3, 4, 5), (2,)
N_COLUMNS, QUICK_COLUMNS = 20, 8
N_ROWS, QUICK_ROWS = 2000, 150
METHODS: dict[str, tuple[SearchStrategy, Judge]] = {
    "SCHEMATA": (Schemata(patience=100_000), Brace()),
    "FOR-SEL": (HillClimbing("empty"), Exhaustive()),
    "BACK-GS-RACE": (GaussSeidel("full"), Brace()),
}


def run(conditions: Conditions) -> Result:
    """Look for families among other columns."""
    n_rows = QUICK_ROWS if conditions.quick else N_ROWS
    n_columns = QUICK_COLUMNS if conditions.quick else N_COLUMNS
    rows: list[tuple[Cell, ...]] = []
    for size in QUICK_SIZES if conditions.quick else SIZES:
        tasks = [(size, n_rows, n_columns, seed) for seed in range(conditions.runs)]
        found = np.array(conditions.map(_one_family, tasks, f"families of {size}"))
        for k, method in enumerate(METHODS):
            exact, whole, losses = found[:, k].T
            shares = (100 * float(exact.mean()), 100 * float(whole.mean()))
            rows.append((size, method, *shares, Spread.of(losses)))
    return Result(
        f"Families: the target is a product of a few of {n_columns} columns "
        f"({conditions.runs} tables each)",
        ("family of", "method", "found exactly (%)", "whole family (%)", "losses"),
        tuple(rows),
        (
            f"Columns lie between 0.5 and 1 or between -1 and -0.5, so that a single one says next "
            f"to nothing about the target; {n_rows} rows, normal noise of 0.05; one nearest "
            "neighbour, leave-one-out, absolute error; delta = gamma = 0.001, patience 100,000.",
            "The paper tells, without figures, that of these searches only that over schemata "
            "found families of up to five.",
        ),
        (
            "The paper's tasks are noisy binary ones that it does not describe; ours are products, "
            "its own example of a family.",
        ),
        _picture(rows),
    )


def _picture(rows: list[tuple[Cell, ...]]) -> Picture:
    """How often a family is found, and at what cost."""
    found, costs = [], []
    for method in METHODS:
        sizes, exact, losses = [], [], []
        for size, name, share, _, spread in rows:
            if name == method and isinstance(spread, Spread):
                sizes.append(str(size))
                exact.append(share)
                losses.append(spread)
        found.append(Series(method, tuple(sizes), tuple(exact)))
        means, sds = tuple(each.mean for each in losses), tuple(each.sd for each in losses)
        costs.append(Series(method, tuple(sizes), means, sds))
    return Picture(
        (
            Panel("the family, and nothing else", "family of", "found (%)", tuple(found), "bar"),
            Panel("cost", "family of", "losses", tuple(costs), "bar", log_y=True),
        )
    )


def _one_family(size: int, n_rows: int, n_columns: int, seed: int) -> list[tuple[bool, bool, int]]:
    X, y, family = product_of(size, n_rows, n_columns, np.random.default_rng([seed, size]))
    outcomes = []
    for strategy, judge in METHODS.values():
        evaluator = evaluator_for(KNeighborsRegressor(1), X, y, cv="loo", loss="absolute", n_jobs=1)
        result = search(strategy, Space(n_columns), evaluator, judge, random_state=seed)
        outcomes.append((result.subset == family, result.subset >= family, result.losses))
    return outcomes


def product_of(
    size: int, n_rows: int, n_columns: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, frozenset[int]]:
    """Return columns of random sign, the product of some of them, and which these are."""
    signs = rng.choice([-1.0, 1.0], (n_rows, n_columns))
    X = signs * rng.uniform(0.5, 1.0, (n_rows, n_columns))
    family = rng.choice(n_columns, size, replace=False)
    y = X[:, family].prod(axis=1) + rng.normal(0.0, 0.05, n_rows)
    return X, y, frozenset(family.tolist())


def run_wide(conditions: Conditions) -> Result:
    """Search a hundred columns for columns that interact."""
    n_columns = 12 if conditions.quick else 100
    rows: list[tuple[Cell, ...]] = []
    for name, make in WIDE_TASKS.items():
        tasks = [(make, n_columns, seed) for seed in range(conditions.runs)]
        found = np.array(conditions.map(_one_wide, tasks, name), dtype=np.float64)
        rows.append((name, int(found[0, 0]), *map(Spread.of, found[:, 1:].T)))
    return Result(
        f"Schemata search over {n_columns} columns that interact ({conditions.runs} tables each)",
        ("task", "relevant", "found", "others", "losses", "seconds"),
        tuple(rows),
        (
            "Parity-like: true if three boolean columns are equal; conjunction: if all three are "
            "true; 500 rows, three nearest neighbours, 0/1 loss.",
            "Products of two and three columns as in racing-families: 2000 rows, one nearest "
            "neighbour, absolute error.",
            "Default settings; seconds are those of one thread on the machine at hand.",
        ),
        (
            "The paper has no search over so many columns; this is to see how far schemata search "
            "goes.",
        ),
    )


def _one_wide(make: Any, n_columns: int, seed: int) -> tuple[int, int, int, int, float]:
    learner, X, y, relevant, loss = make(n_columns, seed)
    evaluator = evaluator_for(learner, X, y, cv="loo", loss=loss, n_jobs=1)
    started = time.perf_counter()
    result = search(Schemata(), Space(n_columns), evaluator, Brace(), random_state=seed)
    seconds = time.perf_counter() - started
    n_found = len(result.subset & relevant)
    return len(relevant), n_found, len(result.subset) - n_found, result.losses, seconds


def _boolean(concept: Any) -> Any:
    def make(n_columns: int, seed: int) -> Any:
        n_relevant = len(make_boolean_concept(concept, random_state=seed).relevant)
        data = make_boolean_concept(
            concept, n_rows=500, n_irrelevant=n_columns - n_relevant, random_state=seed
        )
        return KNeighborsClassifier(3), data.X, data.y, frozenset(data.relevant), "zero_one"

    return make


def _product(size: int) -> Any:
    def make(n_columns: int, seed: int) -> Any:
        rng = np.random.default_rng([seed, size, n_columns])
        X, y, family = product_of(size, 2000, n_columns, rng)
        return KNeighborsRegressor(1), X, y, family, "absolute"

    return make


WIDE_TASKS = {
    "parity-like": _boolean("parity-like"),
    "conjunction": _boolean("conjunction"),
    "product of 2": _product(2),
    "product of 3": _product(3),
}

RACING_FAMILIES = Experiment(
    "racing-families", "Families of columns that only matter together", run, 10, 1, minutes=1.2
)
RACING_WIDE = Experiment(
    "racing-wide", "Schemata search over a hundred columns that interact", run_wide, 5, 1, minutes=9
)
