"""Adjust p-values for the number of hypotheses."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["adjust"]

FloatArray = NDArray[np.float64]


def adjust(p_values: ArrayLike, correction: Literal["bonferroni", "bh"]) -> FloatArray:
    """Adjusted p-values, to be compared with the level itself.

    Parameters
    ----------
    p_values : array of shape (n,)
        One for each hypothesis.
    correction : {"bonferroni", "bh"}
        Bonferroni bounds the chance of any false rejection, Benjamini-Hochberg the expected share
        of false ones among the rejections.

    Examples
    --------
    >>> adjust([0.01, 0.02, 0.04], "bonferroni").tolist()
    [0.03, 0.06, 0.12]
    >>> adjust([0.01, 0.02, 0.04], "bh").round(3).tolist()
    [0.03, 0.03, 0.04]
    """
    p = np.asarray(p_values, dtype=np.float64)
    n = len(p)
    if correction == "bonferroni":
        return np.minimum(p * n, 1.0)
    order = np.argsort(p)
    stepped = p[order] * n / np.arange(1, n + 1)
    adjusted = np.empty(n)
    adjusted[order] = np.minimum.accumulate(stepped[::-1])[::-1]
    return np.minimum(adjusted, 1.0)
