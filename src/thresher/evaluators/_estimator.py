"""Any scikit-learn estimator: a fresh clone for each subset and fold."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ._base import Evaluator
from ._baseline import baseline_losses
from ._folds import Fold
from ._problem import Problem
from ._refits import Refits
from ._subsets import Subset

__all__ = ["EstimatorEvaluator", "ScorerEvaluator"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


class EstimatorEvaluator(Evaluator):
    """Held-out row losses by refitting, in parallel over subsets and folds."""

    takes_samples: ClassVar[bool] = True
    journals_tasks: ClassVar[bool] = True

    @classmethod
    def supports(cls, problem: Problem) -> bool:
        """Whether there is a per-row loss to compute."""
        return problem.loss is not None

    @cached_property
    def _refits(self) -> Refits:
        return Refits((self.problem,), self.problem.n_jobs, self)

    def confirm(self, subsets: Sequence[Subset], part: int) -> None:
        """Take note that losses of subsets are wanted after all, on a part (-1: on all rows)."""
        self._refits.confirm(subsets, part)

    @property
    def all_failed(self) -> bool:
        """Whether there were failures, and nothing else."""
        return self._refits.all_failed

    @property
    def parts(self) -> Sequence[IntArray] | None:
        """The test rows of each fold: one fit gives the losses of them all."""
        folds = self.problem.folds
        return None if folds.leave_one_out else [fold.test for fold in folds]

    def part_losses(self, subsets: Iterable[Iterable[int]], part: int) -> FloatArray:
        """Losses of the rows of one fold, a fit for each subset."""
        return self._fold_losses(self._checked(subsets), self.problem.folds.folds[part])

    def _sample_losses(self, subsets: Sequence[Subset], fold: Fold) -> FloatArray:
        target = self.problem.target
        if target.classes is not None and len(np.unique(target.values[fold.train])) == 1:
            # small samples may miss all classes but one, which many classifiers refuse to learn
            known = baseline_losses(self.problem, fold, fold.test)
            return np.tile(known, (len(subsets), 1))
        return self._fold_losses(subsets, fold)

    def _fold_losses(self, subsets: Sequence[Subset], fold: Fold) -> FloatArray:
        self._count(len(subsets), len(fold.test), 1)
        return self._refits.fold([(0, subset) for subset in subsets], fold)

    def draw_losses(self, masks: NDArray[np.bool_], units: IntArray) -> FloatArray:
        """Mean loss of each subset on a fold of its own; see `Evaluator.draw_losses`."""
        if self.parts is None:
            return super().draw_losses(masks, units)
        folds = [self.problem.folds.folds[unit] for unit in units]
        subsets = [frozenset(np.flatnonzero(mask).tolist()) for mask in masks]
        for fold in folds:
            self._count(1, len(fold.test), 1)
        found = self._refits.losses(
            ((0, subset), fold.index, None) for subset, fold in zip(subsets, folds, strict=True)
        )
        weights = self.problem.weights
        return np.array(
            [
                np.average(losses, weights=None if weights is None else weights[fold.test])
                for losses, fold in zip(found, folds, strict=True)
            ]
        )

    def _losses(self, subsets: Sequence[Subset], rows: IntArray | None) -> FloatArray:
        def count(n_tested: int) -> None:
            self._count(len(subsets), n_tested, 1)

        return self._refits.rows([(0, subset) for subset in subsets], rows, count)


class ScorerEvaluator(Evaluator):
    """Fold losses under a scorer (its negative), for metrics that no per-row loss expresses."""

    unit: ClassVar[str] = "fold"
    journals_tasks: ClassVar[bool] = True

    @classmethod
    def supports(cls, problem: Problem) -> bool:
        """Whether there is a scorer."""
        return problem.scorer is not None

    @cached_property
    def _refits(self) -> Refits:
        return Refits((self.problem,), self.problem.n_jobs, self)

    def confirm(self, subsets: Sequence[Subset], part: int) -> None:
        """Take note that losses of subsets are wanted after all, on a part (-1: on all rows)."""
        self._refits.confirm(subsets, part)

    @property
    def all_failed(self) -> bool:
        """Whether there were failures, and nothing else."""
        return self._refits.all_failed

    @property
    def n_blocks(self) -> int:
        """The number of folds."""
        folds = self.problem.folds
        return folds.n_rows if folds.leave_one_out else len(folds)

    @property
    def weights(self) -> None:
        """None: folds count the same."""
        return

    @property
    def held_out(self) -> IntArray:
        """All folds."""
        return np.arange(self.n_blocks)

    def _losses(self, subsets: Sequence[Subset], rows: IntArray | None) -> FloatArray:
        n_chosen = self.n_blocks if rows is None else len(rows)
        self._count(len(subsets), n_chosen, n_chosen)
        return self._refits.scores([(0, subset) for subset in subsets], rows)
