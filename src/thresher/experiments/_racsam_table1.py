"""Table 1 of the RACSAM paper: ten relevant inputs among a hundred and more."""

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.datasets import make_double_friedman
from thresher.learners import LazyRegressor
from thresher.run import Step
from thresher.selectors import RACSAM, Stepwise

from ._base import Cell, Conditions, Experiment, Result

__all__ = ["RACSAM_TABLE1"]

FloatArray = NDArray[np.float64]

SIZES = (110, 210)
INITS = {"gram-schmidt": "GS", "random": "RN"}
#: Rows of each data set; forward selection learns from some and is tested on others.
N_ROWS, N_TRAIN, N_TEST = 1000, 270, 500
SETTINGS = {"n_candidates": 5000, "n_winners": 50, "max_candidates": 10_000, "max_train": N_TRAIN}
QUICK_SETTINGS = {"n_candidates": 200, "n_winners": 10, "max_candidates": 300, "max_train": 100}
#: Successes of RACSAM and of forward selection, and subsets assessed before the right one.
PRINTED = {
    (110, "GS"): (92, 8, 7342),
    (110, "RN"): (88, 8, 7054),
    (210, "GS"): (88, 4, 7403),
    (210, "RN"): (84, 4, 7017),
}


def run(conditions: Conditions) -> Result:
    """Search the same data sets with both initialisations, and forwards."""
    settings, n_test = (QUICK_SETTINGS, 30) if conditions.quick else (SETTINGS, N_TEST)
    rows: list[tuple[Cell, ...]] = []
    for n_features in (20,) if conditions.quick else SIZES:
        seeds = range(conditions.runs)
        splits = [(n_features, seed, n_test) for seed in seeds]
        forward = conditions.map(_forward, splits, f"{n_features} inputs, forward")
        for init, short in INITS.items():
            tasks = [(n_features, seed, settings, init) for seed in seeds]
            found = conditions.map(_racsam, tasks, f"{n_features} inputs, {init}")
            rows.append(_row(n_features, short, np.array(found), np.array(forward)))
    return Result(
        f"Table 1: the ten relevant inputs found, {conditions.runs} data sets of each kind",
        (
            "inputs",
            "init",
            "RACSAM (%)",
            "paper (%)",
            "best of all (%)",
            "forward (%)",
            "paper, forward (%)",
            "assessed",
            "sd",
            "paper, assessed",
            "tests per subset",
            "seconds",
        ),
        tuple(rows),
        (
            f"RACSAM: p = 0.01, 50 winners, {SETTINGS['n_candidates']} first candidates, at most "
            f"{SETTINGS['max_candidates']} in all; it stops when the best subset stays the same "
            "for five races.",
            "A success is the set of the ten among the winners; 'best of all', that it is the one "
            "selected.",
            "'assessed' counts subsets up to the race that the ten first won; the paper counts "
            "until they were first drawn.",
            f"Data sets have {N_ROWS} rows, the samples at most {N_TRAIN}; the paper does not say "
            "how many rows it had.",
            f"Forward selection: the same learner, {N_TRAIN} training and {N_TEST} test rows, as "
            "in the paper, until the loss rises.",
            "Seconds are of one data set on one thread.",
        ),
    )


def _row(n_features: int, init: str, found: FloatArray, forward: FloatArray) -> tuple[Cell, ...]:
    success, best, assessed, tests, seconds = found.T
    known = assessed[np.isfinite(assessed)]
    printed = PRINTED.get((n_features, init), (None, None, None))
    return (
        n_features,
        init,
        100 * float(success.mean()),
        printed[0],
        100 * float(best.mean()),
        100 * float(forward.mean()),
        printed[1],
        float(known.mean()) if len(known) else None,
        float(known.std(ddof=1)) if len(known) > 1 else None,
        printed[2],
        float(tests.mean()),
        float(seconds.mean()),
    )


def _racsam(
    n_features: int, seed: int, settings: dict[str, Any], init: Any
) -> tuple[float, float, float, float, float]:
    data = make_double_friedman(N_ROWS, n_features=n_features, random_state=seed)
    won_at = np.inf
    n_entered = 0

    def observe(step: Step) -> None:
        nonlocal won_at, n_entered
        n_entered += step.n_candidates
        if frozenset(data.relevant) == step.winner:
            won_at = min(won_at, step.number)

    start = time.perf_counter()
    selector = RACSAM(init=init, random_state=seed, n_jobs=1, **settings).observe(observe)
    selector.fit(data.X, data.y)
    seconds = time.perf_counter() - start
    truth = sorted(data.relevant)
    n_offspring = max(2 * settings["n_winners"], settings["n_candidates"] // 20)
    assessed = min(settings["n_candidates"] + won_at * n_offspring, settings["max_candidates"])
    return (
        float(any(winner.tolist() == truth for winner in selector.winners_)),
        float(np.flatnonzero(selector.support_).tolist() == truth),
        assessed if np.isfinite(won_at) else np.nan,
        selector.selection_.cost.losses / n_entered,
        seconds,
    )


def _forward(n_features: int, seed: int, n_test: int) -> float:
    data = make_double_friedman(N_ROWS, n_features=n_features, random_state=seed)
    rows = np.arange(N_TRAIN + N_TEST)
    split = [(rows[:N_TRAIN], rows[N_TRAIN : N_TRAIN + n_test])]
    selector = Stepwise(LazyRegressor(), cv=split, loss="absolute", n_jobs=1)
    selector.fit(data.X, data.y)
    return float(np.flatnonzero(selector.support_).tolist() == sorted(data.relevant))


RACSAM_TABLE1 = Experiment("racsam-table1", "RACSAM on ten relevant inputs of many", run, 25, 1)
