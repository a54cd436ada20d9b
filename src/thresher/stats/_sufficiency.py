"""Whether a set of columns is enough: shown to predict as well as the best set known."""

from dataclasses import dataclass
from math import sqrt
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

__all__ = [
    "AllowedRise",
    "CONFIDENCE",
    "ESTIMATED",
    "TOLERANCE",
    "Sufficiency",
    "Sufficient",
    "allowed_rise",
    "sufficiency",
]

FloatArray = NDArray[np.float64]

#: Share of the best set's loss that a set may lose, and the confidence that it loses no more. The
#: share was chosen by bench-real on one half of the tables.
TOLERANCE, CONFIDENCE = 0.06, 0.95
#: The estimate of the rise may be no more than this part of the allowed one, however narrow its
#: bounds: a loss that is known to be nearly that much higher is not as good.
ESTIMATED = 0.5
#: The bound may be this many times the tolerance as a share of the gain over knowing nothing, where
#: that is less than the loss: more rows than there are would be needed to bound a share of little.
OF_GAIN = 5.0
#: This share of the gain over knowing nothing may be lost in any case, unless the tolerance is 0:
#: of predictions that are nearly perfect, a share of their own loss is next to nothing.
ALWAYS_ALLOWED = 1e-4

Sufficient = Literal["enough", "not enough", "cannot tell"]


class AllowedRise(NamedTuple):
    """How far the mean loss of a set that is enough may rise over that of the best set.

    Parameters
    ----------
    bound : float
        Largest upper confidence bound.
    estimate : float
        Largest estimate.
    """

    bound: float
    estimate: float


@dataclass(frozen=True)
class Sufficiency:
    """The losses of a set compared with those of the best set known.

    Parameters
    ----------
    verdict : {"enough", "not enough", "cannot tell"}
        Whether the rise of the loss is shown to be within the allowed rise, or beyond it.
    loss, best : float
        Mean loss of the set, and of the best set.
    low, high : float
        Lower and upper confidence bound of the rise over the best set, each by itself.
    allowed : AllowedRise
        Largest bound and largest estimate of the rise with which the set is enough.
    """

    verdict: Sufficient
    loss: float
    best: float
    low: float
    high: float
    allowed: AllowedRise

    @property
    def rise(self) -> float:
        """Mean loss of the set minus that of the best set."""
        return self.loss - self.best


def allowed_rise(best: float, nothing: float, tolerance: float = TOLERANCE) -> AllowedRise:
    """How far the mean loss of a set that is enough may rise over that of the best set.

    Parameters
    ----------
    best, nothing : float
        Mean loss of the best set, and of predictions without any variable. If the latter is
        unknown, infinity.
    tolerance : float
        Largest rise as a share of the best loss. Where little can be predicted, a share of the gain
        over knowing nothing counts instead: for the estimate half the tolerance, as of the loss,
        and five times the tolerance for the bound. A ten-thousandth of the gain is allowed in any
        case, unless the tolerance is 0.

    Examples
    --------
    >>> allowed_rise(1.0, 2.0, 0.1)
    AllowedRise(bound=0.1, estimate=0.05)
    >>> bound, estimate = allowed_rise(1.0, 1.1, 0.1)
    >>> round(bound, 3), round(estimate, 3)
    (0.05, 0.005)
    """
    gain = max(nothing - best, 0.0)
    least = ALWAYS_ALLOWED * gain if np.isfinite(gain) and tolerance > 0 else 0.0
    return AllowedRise(
        max(tolerance * min(best, OF_GAIN * gain), least),
        ESTIMATED * max(tolerance * min(best, gain), least),
    )


def sufficiency(
    losses: ArrayLike,
    best: ArrayLike,
    n_train: float,
    *,
    allowed: AllowedRise,
    confidence: float = 0.95,
) -> Sufficiency:
    """Compare the losses of a set with those of the best set, on the same held-out rows.

    Parameters
    ----------
    losses, best : arrays of shape (n,)
        Loss of each row with the set, and with the best set known, held out by the same folds.
    n_train : float
        Number of rows that each model learns from. Models of different folds share most of these
        rows, so the variance of a mean is ``s**2 * (1 / n + 1 / n_train)``: the correction of
        Nadeau and Bengio, written for rows.
    allowed : AllowedRise
        Largest upper bound and largest estimate of the rise with which the set is enough.
    confidence : float, default=0.95
        Of each bound by itself.

    Notes
    -----
    The upper bound is the lower of two: that of the mean rise, and that of the mean over rows of
    what rises, falls counting as zero. The second one is lower where a few rows fall by much, as
    with predictions that are nearly perfect without columns that disturb.

    "Cannot tell" is not "enough": the true rise may be larger than the allowed one.

    Examples
    --------
    >>> losses, best = [1.0, 2.0, 3.1], [1.0, 2.0, 3.0]
    >>> same = sufficiency(losses, best, 2, allowed=AllowedRise(0.5, 0.25))
    >>> same.verdict, round(same.rise, 3), round(same.high, 3)
    ('enough', 0.033, 0.187)
    >>> sufficiency(losses, best, 2, allowed=AllowedRise(0.1, 0.05)).verdict
    'cannot tell'
    """
    first, second = (np.asarray(part, dtype=np.float64) for part in (losses, best))
    rise = first - second
    n = len(rise)
    if n < 2:
        raise ValueError(f"two sets are compared on at least 2 rows held out; got {n}")
    quantile = float(stdtrit(n - 1, confidence))

    def bounds(values: FloatArray) -> tuple[float, float]:
        reach = quantile * sqrt(float(values.var(ddof=1)) * (1 / n + 1 / n_train))
        return float(values.mean()) - reach, float(values.mean()) + reach

    mean = float(rise.mean())
    low, high = bounds(rise)
    # falls of some rows, however large they are, cannot raise the mean
    high = min(high, bounds(np.maximum(rise, 0.0))[1])
    verdict: Sufficient = "cannot tell"
    if high <= allowed.bound and mean <= allowed.estimate:
        verdict = "enough"
    elif low > allowed.bound or high <= allowed.bound:
        verdict = "not enough"
    return Sufficiency(verdict, float(first.mean()), float(second.mean()), low, high, allowed)
