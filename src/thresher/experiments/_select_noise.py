"""Data in which nothing matters: does the validation of `select` say so?"""

import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from thresher.workflow import select

from ._base import Conditions, Experiment
from ._cells import Cell, Spread
from ._result import Result

__all__ = ["SELECT_NOISE"]

SHAPE, QUICK_SHAPE = (150, 20), (60, 6)
FOLDS = 5
#: What is asked of `select`: label, task, parameters. Stepwise search always finds something.
QUESTIONS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("auto", "classification", {}),
    ("auto", "regression", {}),
    ("stepwise around naive Bayes", "classification", {"method": "stepwise"}),
    ("stepwise around ridge regression", "regression", {"method": "stepwise"}),
    ("stepwise around knn", "classification", {"method": "stepwise", "estimator": "knn"}),
)


def run(conditions: Conditions) -> Result:
    """Count the runs whose interval covers chance."""
    shape = QUICK_SHAPE if conditions.quick else SHAPE
    # one at a time, each with all workers: warnings are caught for the whole process
    alone = replace(conditions, n_jobs=1)
    rows: list[tuple[Cell, ...]] = []
    for label, task, asked in QUESTIONS:
        tasks = [(task, asked, shape, seed) for seed in range(conditions.runs)]
        what = f"{label}, {task}"
        found = np.array(alone.map(_one_data_set, tasks, what, n_jobs=conditions.n_jobs))
        low, high, loss, seen, chance = found.T
        covered = (low <= chance) & (chance <= high)
        rows.append(
            (
                label,
                task,
                100 * float(covered.mean()),
                Spread.of(loss),
                Spread.of(seen) if np.isfinite(seen).all() else None,
                float(chance.mean()),
            )
        )
    return Result(
        f"Noise, {shape[0]} x {shape[1]}: does validate={FOLDS} say so? ({conditions.runs} tables)",
        (
            "asked for",
            "task",
            "covers chance (%)",
            "validated loss",
            "loss the search saw",
            "chance",
        ),
        tuple(rows),
        (
            "Covers chance: the 95 percent interval of the loss with the selected columns holds "
            "the loss of guessing. At least 95 percent should.",
            "Who guesses the class that is more frequent in a table is wrong in less than half of "
            "its rows.",
            "The loss that a search saw is that of the subset it chose, on the folds by which it "
            "chose: it is too low, which is why the selection must be repeated in each fold.",
        ),
    )


def _one_data_set(
    task: str, asked: dict[str, Any], shape: tuple[int, int], seed: int, *, n_jobs: int | None
) -> list[float]:
    rng = np.random.default_rng([seed, *shape])
    X, y = rng.standard_normal(shape), rng.standard_normal(shape[0])
    target = (y > 0).astype(np.int64) if task == "classification" else y
    settings: dict[str, Any] = {"max_features": 5, "task": task, **asked}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        selection = select(
            X, target, validate=FOLDS, random_state=seed, n_jobs=n_jobs, progress=False, **settings
        )
    assert selection.validation is not None
    found = selection.validation.losses["selected"]
    chosen = [record["loss"] for record in selection.trace if record.get("chosen")]
    seen = chosen[-1] if chosen else float("nan")
    chance = 0.5 if task == "classification" else 1.0
    return [found.low, found.high, found.mean, seen, chance]


SELECT_NOISE = Experiment(
    "select-noise",
    "select(validate=5) on data in which nothing matters: is it honest?",
    run,
    100,
    2,
    minutes=6,
)
