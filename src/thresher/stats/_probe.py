"""What a random column would explain of a target by chance."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincc, betaln

__all__ = ["excess_kurtosis", "log_probe_chance", "some_of"]

FloatArray = NDArray[np.float64]

#: Smaller chances are not left to scipy, which returns 0 for those that no number can hold.
_TINY = 1e-290

#: A target of which less is left unexplained is explained; the difference would be rounding.
_EXPLAINED = 1e-12


def excess_kurtosis(squares: FloatArray, fourths: FloatArray, n: int) -> FloatArray:
    """Return Fisher's unbiased kurtosis from sums over n centred values; 0 if these are too few.

    Parameters
    ----------
    squares, fourths : arrays
        Sums of second and fourth powers.
    n : int
        Values.

    Examples
    --------
    >>> from scipy.stats import kurtosis
    >>> values = np.random.default_rng(0).exponential(size=50)
    >>> centred = values - values.mean()
    >>> float(excess_kurtosis((centred**2).sum(), (centred**4).sum(), 50).round(6))
    6.926523
    >>> round(float(kurtosis(values, bias=False)), 6)
    6.926523
    """
    if n < 4:
        return np.zeros_like(squares)
    ratio = fourths / np.where(squares > 0, squares, np.inf) ** 2
    found = (n - 1) * (n * (n + 1) * ratio - 3 * (n - 1)) / ((n - 2) * (n - 3))
    return np.asarray(np.where(squares > 0, found, 0.0))


def log_probe_chance(
    share: Any, width: Any, target_width: int, n_dimensions: int, tails: Any = 0.0
) -> FloatArray:
    """Logarithm of the chance that random columns explain at least a given share of a target.

    The share is the mean squared canonical correlation: the trace of the product of the projections
    to the columns and to the target, divided by the smaller of their dimensions. For columns or a
    target of one dimension it is R^2, and follows a beta distribution. For both of more dimensions
    it is Pillai's trace, scaled, and a beta distribution with the same mean and variance is an
    approximation.

    Parameters
    ----------
    share : float or array of float
        Shares explained, from 0 to 1.
    width : int or array of int
        Dimension of the space of the columns.
    target_width : int
        Dimension of the space of the target.
    n_dimensions : int
        Dimension of the space in which columns point anywhere.
    tails : float or array of float, default=0
        Where columns and target are of one dimension: the product of their excess kurtoses. Probes
        are then the columns themselves in random order, whose shares vary more if both have long
        tails; a beta distribution with that variance is what Pitman took for theirs [1]_.

    References
    ----------
    .. [1] E. J. G. Pitman, "Significance tests which may be applied to samples from any
       populations. II. The correlation coefficient test", Supplement to the Journal of the Royal
       Statistical Society 4, 1937.

    Examples
    --------
    A random column among 21 rows, of which the mean takes one dimension, explains a fifth of
    another one with a chance that the t test of a correlation finds as well:

    >>> float(np.exp(log_probe_chance(0.2, 1, 1, 20)).round(4))
    0.0421
    >>> from scipy.stats import t
    >>> round(2 * float(t.sf(np.sqrt(0.2 / (1 - 0.2) * 19), 19)), 4)
    0.0421
    """
    shares, widths = np.broadcast_arrays(
        np.asarray(share, dtype=np.float64), np.asarray(width, dtype=np.float64)
    )
    left = np.clip(1.0 - shares, _EXPLAINED, 1.0)
    narrow, wide = np.minimum(widths, target_width), np.maximum(widths, target_width)
    # in less space than the two need, they cannot but meet
    tells = (narrow > 0) & (widths + target_width <= n_dimensions) & (left < 1.0)
    mean = np.where(tells, wide / max(n_dimensions, 1), 0.5)
    size = _size(np.where(tells, narrow, 0.0), n_dimensions)
    if np.any(tails):
        size = np.where(tells, _size_of_shuffled(np.asarray(tails), n_dimensions, size), size)
    a, b = mean * size, (1.0 - mean) * size
    left = np.where(tells, left, 0.5)
    chance = betaincc(a, b, 1.0 - left)
    usual = chance > _TINY
    logs = np.where(usual, np.log(np.where(usual, chance, 1.0)), _log_tail(left, a, b))
    return np.asarray(np.where(tells, np.minimum(logs, 0.0), 0.0))


def _size(narrow: FloatArray, n_dimensions: int) -> FloatArray:
    """Sum of the parameters of the beta distribution with the variance of the share.

    The trace of the product of two random projections, of rank d and q in n dimensions, has the
    variance 2 d q (n - d) (n - q) / (n^2 (n - 1) (n + 2)).
    """
    n = max(n_dimensions, 2)
    return np.asarray(np.where(narrow > 0, narrow * (n - 1) * (n + 2) / (n - narrow) / 2 - 1, 2.0))


def _size_of_shuffled(tails: FloatArray, n_dimensions: int, size: FloatArray) -> FloatArray:
    """The same for a column in random order, by Pitman's fourth moment of a correlation.

    With n values of each, it is 3 / (n^2 - 1) times one plus a part of the product of kurtoses.
    """
    nu = max(n_dimensions, 2)
    fourth = 3 / (nu * (nu + 2)) * (1 + (nu - 1) * (nu - 2) / (3 * (nu + 1) * nu**2) * tails)
    mean = 1 / nu
    spread = np.where(tails != 0, fourth - mean**2, 1.0)
    # a share cannot vary more than one that is all or nothing
    shuffled = np.maximum(mean * (1 - mean) / spread - 1, 1e-3)
    return np.asarray(np.where(tails != 0, shuffled, size))


def _log_tail(left: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """Logarithm of the incomplete beta function far out, its series taken for a geometric one."""
    ratio = np.minimum((a + b) / (b + 1) * left, 0.5 + left / 2)  # only far out is it below 1
    first = b * np.log(left) + a * np.log1p(-left) - np.log(b) - betaln(b, a)
    return np.asarray(first - np.log1p(-ratio))


def some_of(log_chance: FloatArray, n_probes: int) -> FloatArray:
    """Chance of something that happens to one of so many, without rounding small ones to 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        none = n_probes * np.log1p(-np.exp(log_chance))
    return np.asarray(np.where(log_chance < 0, -np.expm1(none), 1.0))
