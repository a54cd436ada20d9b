"""Data in which nothing matters: how often is something selected?"""

from typing import Any

import numpy as np

from thresher.selectors import ACE
from thresher.stats import contrast_test

from ._base import Conditions, Experiment
from ._cells import Cell
from ._methods import QUICK
from ._null import COLUMNS, LEVEL, NOTE, null_picture, null_row
from ._result import Result

__all__ = ["ACE_NULL"]

SHAPES = ((200, 10), (1000, 20), (300, 100), (100, 1000))
QUICK_SHAPES = ((100, 10), (60, 100))
MIXED_SHAPE, QUICK_MIXED_SHAPE = (300, 30), (100, 12)
METHODS = ("ACE", "ACE, the paper's t-test")


def run(conditions: Conditions) -> Result:
    """Count the data sets in which anything was selected."""
    shapes = QUICK_SHAPES if conditions.quick else SHAPES
    tables = [("normal", shape, "regression") for shape in shapes]
    mixed = QUICK_MIXED_SHAPE if conditions.quick else MIXED_SHAPE
    tables += [("mixed", mixed, task) for task in ("regression", "classification")]
    settings = QUICK if conditions.quick else {}
    rows: list[tuple[Cell, ...]] = []
    for kind, shape, task in tables:
        label = f"{kind}, {shape[0]} x {shape[1]}, {task}"
        tasks = [(kind, shape, task, seed, settings) for seed in range(conditions.runs)]
        found = np.array(conditions.map(_one_data_set, tasks, label))
        rows += [null_row(label, name, found[:, at]) for at, name in enumerate(METHODS)]
    return Result(
        f"Null data: share of data sets in which anything is selected ({conditions.runs} each)",
        COLUMNS,
        tuple(rows),
        (
            NOTE,
            "Mixed tables hold skewed columns, categories of 2 to 100 levels and columns with a "
            "tenth of the cells missing.",
            "Both tests judge the same importances, those of the first round.",
        ),
        (
            "The paper has no such experiment; its test counts replicates that share the same "
            "rows as if they were independent. Here that t-test is applied to thresher's "
            "importances, not to those of the paper's forests.",
        ),
        null_picture(rows),
    )


def _one_data_set(
    kind: str, shape: tuple[int, int], task: str, seed: int, settings: dict[str, Any]
) -> list[bool]:
    rng = np.random.default_rng([seed, *shape])
    X = rng.standard_normal(shape) if kind == "normal" else _mixed_table(shape, rng)
    y = rng.standard_normal(shape[0])
    target = (y > 0).astype(np.int64) if task == "classification" else y
    # Elimination never drops the last column, and a round after the first only adds: neither can
    # change whether there is a selection. But what pairs promise is held to it only if a second
    # round may follow.
    fit = ACE(
        redundancy=False, max_iterations=2, task=task, random_state=seed, n_jobs=1, **settings
    ).fit(X, target)
    found = fit.iterations_[0].importances
    paper = contrast_test(found.scores, found.contrasts, alpha=LEVEL, correction="t")
    return [bool(fit.support_.any()), bool((paper.p_value <= LEVEL).any())]


def _mixed_table(shape: tuple[int, int], rng: np.random.Generator) -> Any:
    import polars as pl

    n_rows, n_columns = shape
    third = n_columns // 3
    columns: dict[str, Any] = {}
    for number in range(n_columns):
        if number < third:
            columns[f"skewed {number}"] = np.exp(2 * rng.standard_normal(n_rows))
        elif number < 2 * third:
            n_levels = round(2 * 50 ** ((number - third) / (third - 1)))
            codes = rng.integers(n_levels, size=n_rows)
            columns[f"category {number}"] = [f"level {code}" for code in codes]
        else:
            gaps = rng.random(n_rows) < 0.1
            columns[f"gaps {number}"] = np.where(gaps, np.nan, rng.standard_normal(n_rows))
    return pl.DataFrame(columns)


ACE_NULL = Experiment(
    "ace-null",
    "ACE on data in which nothing matters: does it hold its level?",
    run,
    200,
    4,
    minutes=5,
)
