"""RACE: two means with unequal variances, compared as if their samples had nothing in common."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from ._standing import Standing, check_levels, leave_below
from ._tally import tally_of

__all__ = ["welch", "welch_p_values"]

FloatArray = NDArray[np.float64]


def welch(losses: Any, *, delta: float = 0.001, gamma: float = 0.0) -> Standing:
    """Drop candidates that hardly beat the leader, by Welch's approximation (RACE).

    Parameters
    ----------
    losses : array of shape (n_rows_seen, n_candidates) or Tally
        What has been seen: two rows at least.
    delta : float, default=0.001
        Credibility below which a candidate leaves.
    gamma : float, default=0.0
        Differences that do not matter.

    Examples
    --------
    >>> import numpy as np
    >>> seen = np.random.default_rng(0).normal([0.0, 3.0, 0.1], 1.0, (20, 3))
    >>> welch(seen).stays.tolist()
    [True, False, True]
    """
    check_levels(delta, gamma)
    tally = tally_of(losses)
    leader, n = tally.leader, tally.n
    if n < 2:
        raise ValueError(f"welch needs at least 2 rows; got {n}")
    error = (tally.squared_deviations() + tally.grain() ** 2) / (n - 1) / n * tally.left
    gap = tally.means - tally.means[leader] + gamma
    return leave_below(welch_p_values(gap, error, error[leader], n, n), leader, delta)


def welch_p_values(
    gap: FloatArray, error1: Any, error2: Any, n1: Any, n2: Any
) -> NDArray[np.float64]:
    """Probability that a difference of means lies below zero.

    Parameters
    ----------
    gap : array
        Estimates of the differences.
    error1, error2 : arrays
        Squared standard errors of the two means.
    n1, n2 : arrays of int
        From how many observations each comes.

    Examples
    --------
    >>> welch_p_values(np.array([1.0]), 0.04, 0.09, 10, 12).round(5).tolist()
    [0.00616]
    """
    both = np.asarray(error1 + error2)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(both > 0, error1 / both, 0.5)
        freedom = 1.0 / (share**2 / (n1 - 1) + (1.0 - share) ** 2 / (n2 - 1))
        statistic = gap / np.sqrt(both)
    certain = np.where(gap > 0, 0.0, 1.0)
    return np.asarray(np.where(both > 0, stdtr(freedom, -statistic), certain))
