"""Figure 1 of Stracuzzi and Utgoff, and Table 1: what removing the irrelevant inputs costs."""

import math

import numpy as np

from thresher.evaluators import Subset
from thresher.races import Contest, Outcome
from thresher.searches import RandomizedElimination, Space, elimination_schedule

from ._base import Conditions, Experiment
from ._cells import Cell, Spread
from ._picture import Panel, Picture, Series
from ._result import Result
from ._rve_costs import N_RELEVANT, expected_path, perceptron_updates, table1

__all__ = ["RVE_FIGURE1"]

SIZES = (20, 40, 50, 60, 80, 100, 200, 500, 1000)
QUICK_SIZES = (20, 50, 100)
COLUMNS = (
    "inputs", "k", "one hypothesis", "RVE, expected", "RVE", "RVE, expected calls", "RVE, calls",
    "one by one, expected", "one by one, expected calls", "improved RVErS", "improved RVErS, calls",
)  # fmt: skip

Simulated = dict[str, tuple[Spread, Spread]]
"""Billions of updates and calls of each algorithm."""


def run(conditions: Conditions) -> Result:
    """Compute the expected costs, and simulate eliminations to see whether they come out."""
    sizes = QUICK_SIZES if conditions.quick else SIZES
    tasks = [(sizes, seed) for seed in range(conditions.runs)]
    runs = conditions.map(_one_seed, tasks, "simulations")
    found = [_spreads([each[at] for each in runs]) for at in range(len(sizes))]
    return Result(
        f"Figure 1 and Table 1: billions of updates to find {N_RELEVANT} relevant inputs, "
        f"{conditions.runs} simulations",
        COLUMNS,
        tuple(_row(n, simulated) for n, simulated in zip(sizes, found, strict=True)),
        (
            "All costs include the first hypothesis on all inputs. Simulations have a perfect "
            "learner: a removal fails if and only if it holds a relevant input.",
            "The paper's figure has no numbers. It says that the cost of RVE grows linearly and "
            f"that of removing one by one as the square; {_growth(sizes)}",
            "With 100 inputs and thermal perceptrons the paper measured 5.45 (81.1 calls) and, one "
            "by one, 12.7 (138.7 calls), which it says agrees with the expected cost.",
            _compared_with_table1(max(sizes)),
            "The improved RVErS is not told how many inputs are relevant.",
        ),
        (
            "The table of k and costs is computed in linear time and in logarithms, where Table 1 "
            "takes quadratic time.",
            "Sizes beyond the hundred inputs of the paper's problem are there because only there "
            "the difference between linear and quadratic growth is large.",
        ),
        _picture(sizes, found),
    )


def _row(n: int, simulated: Simulated) -> tuple[Cell, ...]:
    schedule = elimination_schedule(n, N_RELEVANT, perceptron_updates)
    many, single = expected_path(n)[-1], expected_path(n, k=1)[-1]
    updates, calls = simulated["RVE"]
    return (
        n, int(schedule.k[n]), perceptron_updates(n) / 1e9,
        many.updates / 1e9, updates, many.calls, calls,
        single.updates / 1e9, single.calls, *simulated["improved RVErS"],
    )  # fmt: skip


def _growth(sizes: tuple[int, ...]) -> str:
    """Say by which power of the number of inputs the expected costs grow at the far end."""
    low, high = sizes[-2:]
    powers = [
        math.log(expected_path(high, k)[-1].updates / expected_path(low, k)[-1].updates)
        / math.log(high / low)
        for k in (None, 1)
    ]
    shown = " and ".join(f"{power:.2f}" for power in powers)
    return f"from {low} to {high} inputs they grow with the powers {shown}."


def _compared_with_table1(n: int) -> str:
    """Say whether the algorithm of Table 1 gives the same costs and k."""
    cost, best = table1(n, N_RELEVANT)
    schedule = elimination_schedule(n, N_RELEVANT, perceptron_updates)
    some = slice(N_RELEVANT + 1, None)
    apart = float(np.max(np.abs(schedule.cost[some] / cost[some] - 1.0)))
    n_other = int(np.sum(schedule.k[some] != best[some]))
    return (
        f"Table 1 run as printed for up to {n} inputs has another k at {n_other} sizes, and costs "
        f"that differ by at most {apart:.0e} of themselves."
    )


def _picture(sizes: tuple[int, ...], found: list[Simulated]) -> Picture:
    fine = np.unique(np.geomspace(N_RELEVANT + 1, max(sizes), 40).astype(int)).tolist()
    lines = {
        "one by one, expected": [expected_path(n, k=1)[-1].updates / 1e9 for n in fine],
        "RVE, expected": [expected_path(n)[-1].updates / 1e9 for n in fine],
        "one perceptron": [perceptron_updates(n) / 1e9 for n in fine],
    }
    series = [Series(label, tuple(fine), tuple(y)) for label, y in lines.items()]
    for name in ("RVE", "improved RVErS"):
        cells = [simulated[name][0] for simulated in found]
        y, spread = tuple(cell.mean for cell in cells), tuple(cell.sd for cell in cells)
        series.append(Series(f"{name}, simulated", sizes, y, spread))
    return Picture(
        (Panel("Cost of removing the irrelevant inputs", "inputs", "updates (billions)",
               tuple(series), log_x=True, log_y=True),)
    )  # fmt: skip


def _spreads(runs: list[dict[str, list[int]]]) -> Simulated:
    return {
        name: (
            Spread.of(sum(map(perceptron_updates, each[name])) / 1e9 for each in runs),
            Spread.of(len(each[name]) for each in runs),
        )
        for name in runs[0]
    }


def _one_seed(sizes: tuple[int, ...], seed: int) -> list[dict[str, list[int]]]:
    return [_one(n, seed) for n in sizes]


def _one(n: int, seed: int) -> dict[str, list[int]]:
    """Sizes of the subsets that each algorithm judges."""
    chosen = np.random.default_rng(seed).permutation(n)[:N_RELEVANT]
    relevant = frozenset(chosen.tolist())
    known = RandomizedElimination(
        N_RELEVANT, cost=perceptron_updates, biased=False, remember=False, stop="failures"
    )
    unknown = RandomizedElimination(cost=perceptron_updates)
    return {
        "RVE": _simulated(known, n, relevant, seed),
        "improved RVErS": _simulated(unknown, n, relevant, seed),
    }


def _simulated(strategy: RandomizedElimination, n: int, relevant: Subset, seed: int) -> list[int]:
    """Sizes of the subsets that are judged when nothing is uncertain."""
    search = strategy.run(Space(n), np.random.default_rng(seed))
    contest: Contest = next(search)
    sizes = []
    while True:
        candidate = contest.candidates[0]
        sizes.append(len(candidate))
        loss = 0.0 if relevant <= candidate else 1.0
        try:
            contest = search.send(Outcome(candidate, loss, 0.0, np.array([loss]), 0.0))
        except StopIteration:
            return sizes


RVE_FIGURE1 = Experiment(
    "rve-figure1",
    "Cost of randomized elimination by the number of inputs",
    run,
    20,
    1,
    shows=("RVE Figure 1", "RVE Table 1"),
    minutes=0.1,
)
