"""Losses must be finite, and whoever breaks that is named."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.columns import listed

from ._problem import Problem
from ._subsets import Subset

__all__ = ["described", "finite_losses"]

FloatArray = NDArray[np.float64]


def finite_losses(problem: Problem, subsets: Sequence[Subset], losses: FloatArray) -> FloatArray:
    """Return the losses of subsets (first axis, if there are several), or refuse them."""
    # losses are not negative, so their sum tells
    with np.errstate(over="ignore"):
        total = losses.sum()
    if np.isfinite(total):
        return losses
    rows = losses.reshape(len(subsets), -1)
    worst = subsets[int(np.argmin(np.isfinite(rows).all(axis=1)))]
    raise ValueError(
        f"{type(problem.estimator).__name__} gave a loss that is not a finite number on "
        f"{described(problem, worst)}; are values or the target too large?"
    )


def described(problem: Problem, subset: Iterable[int]) -> str:
    """Name the columns of a subset."""
    names = [problem.columns.names[p] for p in problem.columns.columns_of(subset)]
    return f"{len(names)} column(s): {listed(names)}"
