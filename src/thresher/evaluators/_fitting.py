"""Learners that must be trained for each subset, but can be trained inside a kernel."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ._base import FastEvaluator

__all__ = ["FittingEvaluator"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


class FittingEvaluator(FastEvaluator):
    """A fast evaluator whose losses come fold by fold, because each fold costs a fit."""

    growth: ClassVar[float] = 1 / 16

    @property
    def parts(self) -> Sequence[IntArray]:
        """The test rows of each fold: one fit gives the losses of them all."""
        return [fold.test for fold in self.problem.folds]

    def draw_losses(self, masks: NDArray[np.bool_], units: IntArray) -> FloatArray:
        """Mean loss of each subset on a fold of its own; see `Evaluator.draw_losses`."""
        subsets = [frozenset(np.flatnonzero(mask).tolist()) for mask in masks]
        means = np.empty(len(units))
        for part in np.unique(units):
            mine = np.flatnonzero(units == part)
            means[mine] = self.part_losses([subsets[i] for i in mine], int(part)).mean(axis=1)
        return means
