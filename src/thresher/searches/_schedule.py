"""The optimal schedule of randomized elimination: how many variables to remove at each size."""

import math
from dataclasses import dataclass
from functools import lru_cache
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.schedule import least_costs

from ._costs import CostFunction, costs_up_to

__all__ = ["Schedule", "Schedules", "elimination_schedule", "expected_failures"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

#: Schedules held at a time; another one is made in no time, but they are as long as the table wide.
_MAX_KNOWN = 32


@dataclass(frozen=True, eq=False)
class Schedule:
    """How to get from any number of variables to the relevant ones.

    Parameters
    ----------
    k : array of int, shape (n + 1,)
        How many variables to draw when there are 0 .. n; 0 where there is nothing to remove.
    cost : array of float, shape (n + 1,)
        Expected cost of all the hypotheses from there to the end.
    """

    k: IntArray
    cost: FloatArray


def elimination_schedule(n: int, r: int, cost: CostFunction = "linear") -> Schedule:
    """Plan the removal of all irrelevant variables at the least expected cost.

    When k of n variables are drawn blindly, of which r are relevant, the draw is free of relevant
    ones with probability ``p = C(n - r, k) / C(n, k)``, and takes ``1 / p`` trials on average, each
    at the cost of learning with n - k variables. The schedule has the least sum of these.

    Parameters
    ----------
    n : int
        Number of variables.
    r : int
        How many of them are relevant, at least 1 and at most n.
    cost : {"constant", "logarithmic", "linear", "linearithmic", "quadratic", "cubic"} or callable
        What learning costs, as a function of the number of variables. It need not be monotone.

    Returns
    -------
    Schedule
        With ``k`` and ``cost``, arrays indexed by the number of variables left, 0 .. n.

    Notes
    -----
    Stracuzzi and Utgoff (2004) compute the same by a recurrence in quadratic time. Here it takes
    linear time.

    Examples
    --------
    The thermal perceptron on 1000 rows, 10 of 100 inputs relevant:

    >>> plan = elimination_schedule(100, 10, lambda n: 1897000 * (n + 1))
    >>> plan.k[[100, 50, 20]].tolist(), round(float(plan.cost[100]) / 1e9, 3)
    ([9, 4, 1], 5.512)
    """
    n, r = _whole(n, "n"), _whole(r, "r")
    if not 1 <= r <= n:
        raise ValueError(f"r must be at least 1 and at most n = {n}; got {r}")
    return _schedule(costs_up_to(n, cost, first=r), r)


class Schedules:
    """The schedules for all numbers of relevant variables, each made when it is asked for.

    ``n_kept`` variables are there in addition, and only cost.
    """

    def __init__(self, n: int, cost: CostFunction, n_kept: int = 0):
        self.costs = costs_up_to(n + n_kept, cost, first=max(n_kept, 1))[n_kept:]
        self._known: dict[int, Schedule] = {}

    def __getitem__(self, r: int) -> Schedule:
        if r not in self._known:
            if len(self._known) >= _MAX_KNOWN:
                del self._known[next(iter(self._known))]
            self._known[r] = _schedule(self.costs, r)
        return self._known[r]


@lru_cache(maxsize=8)  # asked twice after each draw
def expected_failures(n: int, r: int, k: int) -> float:
    """How often k of n variables hold one of r relevant ones, before they do not, on average.

    Examples
    --------
    >>> round(expected_failures(11, 10, 1), 9)
    10.0
    """
    if k > n - r:
        return math.inf
    steps = np.arange(k)
    with np.errstate(over="ignore"):  # more often than a float can tell is as good as always
        return float(np.expm1(-np.log1p(-r / (n - steps)).sum()))


def _schedule(costs: FloatArray, r: int) -> Schedule:
    n = len(costs) - 1
    k, total = np.zeros(n + 1, dtype=np.int64), np.zeros(n + 1)
    log_rate, log_slope = np.zeros(n + 1), np.zeros(n + 1)
    if n > r:
        # the sum of log C(i, r) - log C(i - 1, r); differences of log-gammas lose digits
        log_rate[r + 1 :] = np.cumsum(-np.log1p(-r / np.arange(r + 1.0, n + 1.0)))
        log_slope[r:] = np.log(costs[r:]) - log_rate[r:]
        least_costs(log_rate, log_slope, r, k, total)
    return Schedule(k, total)


def _whole(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ValueError(f"{name} must be a whole number; got {value!r}")
    return int(value)
