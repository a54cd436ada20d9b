"""Student's test of paired differences."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr

__all__ = ["paired_t"]


def paired_t(differences: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Test along the first axis whether differences exceed zero on average.

    Parameters
    ----------
    differences : array of shape (n, ...)
        One difference for each pair.

    Returns
    -------
    statistic, p_value : arrays of shape (...)
        One-sided: small p-values speak for a positive mean. Differences that are all equal give
        infinity with the sign of their mean, or 0 if they are all zero.

    Examples
    --------
    >>> statistic, p_value = paired_t([0.5, 1.0, 1.5])
    >>> round(float(statistic), 3), round(float(p_value), 4)
    (3.464, 0.0371)
    """
    d = np.asarray(differences, dtype=np.float64)
    n = d.shape[0]
    if n < 2:
        raise ValueError(f"a paired test needs at least 2 differences; got {n}")
    mean = d.mean(axis=0)
    error = d.std(axis=0, ddof=1) / np.sqrt(n)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(
            error > 0, mean / error, np.where(mean == 0, 0.0, np.sign(mean) * np.inf)
        )
    return statistic, stdtr(n - 1, -statistic)
