"""What removing the irrelevant inputs is expected to cost, by the model of Stracuzzi and Utgoff."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.searches import elimination_schedule

__all__ = ["N_RELEVANT", "N_ROWS", "Reached", "expected_path", "perceptron_updates", "table1"]

N_RELEVANT, N_EPOCHS, N_ROWS = 10, 1897, 1000


def perceptron_updates(n_inputs: int) -> int:
    """Weight updates of a thermal perceptron: the paper's cost of learning."""
    return N_EPOCHS * N_ROWS * (n_inputs + 1)


@dataclass(frozen=True)
class Reached:
    """A number of inputs, and what was spent when no more were left: updates and calls."""

    inputs: int
    updates: float
    calls: float


def expected_path(n: int, k: int | None = None) -> list[Reached]:
    """Return the way from n inputs to the relevant ones, and what it costs on average.

    All costs include the first hypothesis on all inputs. ``k`` inputs are drawn at a time, or as
    many as the schedule says.
    """
    schedule = elimination_schedule(n, N_RELEVANT, perceptron_updates)
    path = [Reached(n, perceptron_updates(n), 1.0)]
    while (left := path[-1]).inputs > N_RELEVANT:
        drawn = int(schedule.k[left.inputs]) if k is None else k
        # a draw takes so many trials until it holds no relevant input
        trials = 1.0 / float(_chances(left.inputs, N_RELEVANT)[drawn - 1])
        inputs = left.inputs - drawn
        updates = left.updates + trials * perceptron_updates(inputs)
        path.append(Reached(inputs, updates, left.calls + trials))
    return path


def table1(n: int, r: int) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Run the algorithm of Table 1 as printed: least costs and k of 0 .. n inputs, r relevant."""
    learning = np.array([perceptron_updates(size) for size in range(n + 1)], dtype=np.float64)
    cost, best = np.zeros(n + 1), np.zeros(n + 1, dtype=np.intp)
    for size in range(r + 1, n + 1):
        left = size - np.arange(1, size - r + 1)
        all_costs = learning[left] / _chances(size, r) + cost[left]
        best[size] = np.argmin(all_costs) + 1
        cost[size] = all_costs[best[size] - 1]
    return cost, best


def _chances(n: int, r: int) -> NDArray[np.float64]:
    """Chances that 1, 2, ... n - r of n inputs are all irrelevant."""
    drawn = np.arange(n - r)
    return np.asarray(np.cumprod((n - r - drawn) / (n - drawn)), dtype=np.float64)
