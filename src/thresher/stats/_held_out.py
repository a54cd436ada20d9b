"""Confidence in a mean over rows that cross-validation held out."""

from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

__all__ = ["MeanInterval", "held_out_interval"]


@dataclass(frozen=True)
class MeanInterval:
    """A mean with its confidence bounds."""

    mean: float
    low: float
    high: float


def held_out_interval(
    losses: ArrayLike,
    n_train: float,
    *,
    of: Literal["numbers", "errors", "differences of errors"] = "numbers",
    confidence: float = 0.95,
) -> MeanInterval:
    """Bound the expected loss, given the losses of rows held out.

    Rows of different folds are not independent: they were predicted by models that share most of
    their training rows. So the variance of the mean is taken to be ``s**2 * (1 / n + 1 / n_train)``
    in place of ``s**2 / n``: the correction of Nadeau and Bengio, written for rows.

    Parameters
    ----------
    losses : array of shape (n,)
        Losses, or differences of losses, of the rows held out.
    n_train : float
        Rows from which each model was learned.
    of : {"numbers", "errors", "differences of errors"}, default="numbers"
        What they are. Errors are 0 or 1, or means of such: few of them, or none at all, must not
        pass for certainty, so they get Wilson's bounds, and their differences those of Agresti and
        Min.
    confidence : float, default=0.95
        Of the bounds.

    Notes
    -----
    C. Nadeau and Y. Bengio, Inference for the generalization error, Machine Learning 52, 2003;
    A. Agresti and Y. Min, Simple improved confidence intervals for comparing matched proportions,
    Statistics in Medicine 24, 2005.

    Examples
    --------
    >>> interval = held_out_interval([0] * 50, 40, of="errors")
    >>> interval.mean, interval.low, round(interval.high, 2)
    (0.0, 0.0, 0.15)
    """
    values = np.asarray(losses, dtype=np.float64)
    n = len(values)
    if n < 2:
        raise ValueError(f"an interval needs at least 2 rows held out; got {n}")
    quantile = float(stdtrit(n - 1, (1 + confidence) / 2))
    mean, worth = float(values.mean()), 1 / (1 / n + 1 / n_train)  # as many independent rows
    if of == "errors":
        return _wilson(mean, worth, quantile)
    if of == "numbers":
        centre, variance = mean, float(values.var(ddof=1))
    else:  # a row of each sign in addition, as if there were half a row in each of four cells
        centre = float(values.sum()) / (n + 2)
        variance = (float((values**2).sum()) + 1) / (n + 2) - centre**2
    reach = quantile * sqrt(variance / worth)
    low, high = min(centre - reach, mean), max(centre + reach, mean)
    return (
        MeanInterval(mean, low, high)
        if of == "numbers"
        else MeanInterval(mean, max(low, -1.0), min(high, 1.0))
    )


def _wilson(share: float, worth: float, quantile: float) -> MeanInterval:
    weight = quantile**2 / worth
    centre = (share + weight / 2) / (1 + weight)
    reach = quantile * sqrt(share * (1 - share) / worth + weight / (4 * worth)) / (1 + weight)
    # rounding must not put the mean outside
    return MeanInterval(share, max(min(centre - reach, share), 0.0), max(centre + reach, share))
