"""Figure 1 of Stracuzzi and Utgoff: what removing the irrelevant inputs costs."""

import numpy as np

from thresher.evaluators import Subset
from thresher.races import Contest, Outcome
from thresher.searches import RandomizedElimination, Space, elimination_schedule

from ._base import Cell, Conditions, Experiment, Result

__all__ = ["N_ROWS", "RVE_FIGURE1", "perceptron_updates"]

N_RELEVANT, N_EPOCHS, N_ROWS = 10, 1897, 1000
SIZES = (20, 40, 60, 80, 100, 200, 500, 1000)
QUICK_SIZES = (20, 100)


def perceptron_updates(n_inputs: int) -> int:
    """Weight updates of a thermal perceptron: the paper's cost of learning."""
    return N_EPOCHS * N_ROWS * (n_inputs + 1)


def run(conditions: Conditions) -> Result:
    """Compute the expected costs, and simulate eliminations to see whether they come out."""
    sizes = QUICK_SIZES if conditions.quick else SIZES
    tasks = [(sizes, seed) for seed in range(conditions.runs)]
    found = np.mean(conditions.map(_one_seed, tasks, "simulations"), axis=0)
    rows: list[tuple[Cell, ...]] = []
    for n, means in zip(sizes, found, strict=True):
        schedule = elimination_schedule(n, N_RELEVANT, perceptron_updates)
        first = perceptron_updates(n)
        one_by_one, n_calls = _one_at_a_time(n)
        rows.append(
            (
                n,
                first / 1e9,
                (float(schedule.cost[n]) + first) / 1e9,
                *(float(mean) for mean in means[:2]),
                one_by_one / 1e9,
                n_calls,
                *(float(mean) for mean in means[2:]),
                int(schedule.k[n]),
            )
        )
    return Result(
        f"Figure 1: billions of updates to find {N_RELEVANT} relevant inputs, means of "
        f"{conditions.runs} simulations",
        (
            "inputs",
            "one hypothesis",
            "RVE, expected",
            "RVE",
            "RVE, calls",
            "k = 1, expected",
            "k = 1, expected calls",
            "improved RVErS",
            "improved RVErS, calls",
            "first k",
        ),
        tuple(rows),
        (
            "All costs include the first hypothesis on all inputs. Simulations have a perfect "
            "learner: a removal fails if and only if it holds a relevant input.",
            "The paper plots the expected costs up to 100 inputs; for 100, exactly: 5.704 (90.45 "
            "calls) and with k = 1 12.34 (141.8 calls).",
            "The improved RVErS is not told how many inputs are relevant.",
        ),
    )


def _one_at_a_time(n: int) -> tuple[float, float]:
    sizes = np.arange(N_RELEVANT + 1, n + 1)
    trials = sizes / (sizes - N_RELEVANT)
    costs = np.array([perceptron_updates(int(size) - 1) for size in sizes])
    return float((trials * costs).sum() + perceptron_updates(n)), float(trials.sum() + 1)


def _one_seed(sizes: tuple[int, ...], seed: int) -> list[tuple[float, ...]]:
    return [_one(n, seed) for n in sizes]


def _one(n: int, seed: int) -> tuple[float, ...]:
    chosen = np.random.default_rng(seed).permutation(n)[:N_RELEVANT]
    relevant = frozenset(chosen.tolist())
    known = RandomizedElimination(
        N_RELEVANT, cost=perceptron_updates, biased=False, remember=False, stop="failures"
    )
    unknown = RandomizedElimination(cost=perceptron_updates)
    costs: list[float] = []
    for strategy in (known, unknown):
        sizes = _simulated(strategy, n, relevant, seed)
        costs += [sum(map(perceptron_updates, sizes)) / 1e9, len(sizes)]
    return tuple(costs)


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
    "rve-figure1", "Cost of randomized elimination by the number of inputs", run, 20, 1
)
