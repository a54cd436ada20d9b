"""Whether a set of columns is enough: shown to predict as well as the best set known."""

from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

__all__ = [
    "CONFIDENCE",
    "ESTIMATED",
    "TOLERANCE",
    "Sufficiency",
    "Sufficient",
    "allowed_rise",
    "sufficiency",
]

#: Share of the best set's loss that a set may lose, and the confidence that it loses no more.
TOLERANCE, CONFIDENCE = 0.1, 0.95
#: The estimate of the rise may be no more than this part of the allowed one, however narrow its
#: bounds: a loss that is known to be nearly a tenth higher is not as good.
ESTIMATED = 0.5

Sufficient = Literal["enough", "not enough", "cannot tell"]


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
    allowed : float
        Largest rise with which the set is enough.
    """

    verdict: Sufficient
    loss: float
    best: float
    low: float
    high: float
    allowed: float

    @property
    def rise(self) -> float:
        """Mean loss of the set minus that of the best set."""
        return self.loss - self.best


def allowed_rise(best: float, nothing: float, tolerance: float = TOLERANCE) -> float:
    """Largest rise of the mean loss over that of the best set with which a set is enough.

    Parameters
    ----------
    best, nothing : float
        Mean loss of the best set, and of predictions without any variable. If the latter is
        unknown, infinity.
    tolerance : float
        Largest rise as a share of the best loss.

    Examples
    --------
    >>> allowed_rise(1.0, 2.0), round(allowed_rise(1.0, 1.1), 3)
    (0.1, 0.01)
    """
    return tolerance * min(best, max(nothing - best, 0.0))


def sufficiency(
    losses: ArrayLike,
    best: ArrayLike,
    n_train: float,
    *,
    allowed: float,
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
    allowed : float
        Largest rise of the mean loss with which the set is enough; see `allowed_rise`. The upper
        bound of the rise must lie within it, and its estimate within a half of it.
    confidence : float, default=0.95
        Of each bound by itself.

    Notes
    -----
    "Cannot tell" is not "enough": the true rise may be larger than the allowed one.

    Examples
    --------
    >>> same = sufficiency([1.0, 2.0, 3.1], [1.0, 2.0, 3.0], 2, allowed=0.5)
    >>> same.verdict, round(same.rise, 3), round(same.high, 3)
    ('enough', 0.033, 0.187)
    >>> sufficiency([1.0, 2.0, 3.1], [1.0, 2.0, 3.0], 2, allowed=0.1).verdict
    'cannot tell'
    """
    first, second = (np.asarray(part, dtype=np.float64) for part in (losses, best))
    rise = first - second
    n = len(rise)
    if n < 2:
        raise ValueError(f"two sets are compared on at least 2 rows held out; got {n}")
    mean = float(rise.mean())
    error = sqrt(float(rise.var(ddof=1)) * (1 / n + 1 / n_train))
    reach = float(stdtrit(n - 1, confidence)) * error
    low, high = mean - reach, mean + reach
    verdict: Sufficient = "cannot tell"
    if high <= allowed and mean <= ESTIMATED * allowed:
        verdict = "enough"
    elif low > allowed or high <= allowed:
        verdict = "not enough"
    return Sufficiency(verdict, float(first.mean()), float(second.mean()), low, high, allowed)
