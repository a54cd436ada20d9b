"""Losses must be finite, and whoever breaks that is named."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.columns import listed

from ._loss import Loss
from ._problem import Problem, Target
from ._subsets import Subset

__all__ = ["check_target_size", "described", "finite_losses"]

FloatArray = NDArray[np.float64]

#: Losses are squared for standard errors, and squared losses are squares already.
_LARGEST, _LARGEST_TARGET, _LARGEST_SQUARED = 1e150, 1e140, 1e70


def finite_losses(problem: Problem, subsets: Sequence[Subset], losses: FloatArray) -> FloatArray:
    """Return the losses of subsets (first axis, if there are several), or refuse them."""
    # losses are not negative, so their sum tells
    with np.errstate(over="ignore"):
        total = losses.sum()
    if total < _LARGEST:
        return losses
    rows = losses.reshape(len(subsets), -1)
    worst = int(np.argmin((rows < _LARGEST).all(axis=1)))
    what = "so large that its square is not" if np.isfinite(rows[worst]).all() else "that is not"
    raise ValueError(
        f"{type(problem.estimator).__name__} gave a loss {what} a finite number on "
        f"{described(problem, subsets[worst])}; are values or the target too large?"
    )


def check_target_size(target: Target, loss: Loss | None) -> None:
    """Refuse numbers so large that losses, or their variance, could not be computed."""
    if target.classes is not None:
        return
    limit = _LARGEST_SQUARED if loss is Loss.SQUARED else _LARGEST_TARGET
    largest = np.abs(target.values).max()
    if largest >= limit:
        raise ValueError(
            f"y holds numbers as large as {largest:.3g}, too large to compute the variance of "
            f"losses; values must be below {limit:.0e}: divide the target by a constant"
        )


def described(problem: Problem, subset: Iterable[int]) -> str:
    """Name the columns of a subset."""
    names = [problem.columns.names[p] for p in problem.columns.columns_of(subset)]
    return f"{len(names)} column(s): {listed(names)}"
