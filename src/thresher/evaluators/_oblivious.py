"""Oblivious trees: nothing is fitted, and a removal concerns the few rows that may be nearest."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.kernels._oblivious_distances import move_distances
from thresher.kernels.oblivious import Moves, Rule, draw_losses, move_losses, subset_losses
from thresher.learners import ObliviousTree, ObliviousTreeRegressor
from thresher.parallel import effective_n_jobs, slices

from ._base import FastEvaluator
from ._folds import Fold
from ._lists import Lists, chosen, joined, of_masks
from ._loss import loss_span
from ._oblivious_data import Distances, Part, Table
from ._problem import Problem
from ._subsets import Flips, Removals, Subset

__all__ = ["ObliviousEvaluator"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Distances between all rows are kept up to this size, and so are the codes of all folds.
_KEPT_BYTES = 256 * 2**20
#: Subsets that are few steps from one whose distances are worth keeping.
_WITH_A_BASE = (Flips, Removals)
#: Distances held at a time where they are not kept.
_BLOCK_CELLS = 2**20


class ObliviousEvaluator(FastEvaluator):
    """Exact held-out losses of `ObliviousTree` and `ObliviousTreeRegressor`.

    Parameters
    ----------
    problem : Problem
        One that `supports` accepts.

    Notes
    -----
    The range by which numbers are scaled is that of the training rows of each fold; in
    leave-one-out, that of the other rows.

    Distances over the base of the latest flips are remembered, and brought to the next base by the
    columns in which it differs. From there a flip of one variable costs next to nothing: only rows
    that are nearly as near as the nearest can matter.
    """

    splits_flips: ClassVar[bool] = False  # rows are shared out instead: each has its distances
    growth: ClassVar[float] = 1 / 16  # a loss looks at all training rows
    takes_samples: ClassVar[bool] = True

    def __init__(self, problem: Problem):
        super().__init__(problem)
        self._table = Table(problem.columns)
        self._target = np.asarray(problem.target.values, dtype=np.float64)
        self._variables = joined(np.sort(variable) for variable in problem.columns.variables)
        self._far = int(np.iinfo(self._table.dtype).max)
        n_columns, n_rows = self._table.shape
        cells = [
            (n_rows, n_rows) if f.train is None else (len(f.train), len(f.test))
            for f in problem.folds
        ]
        n_codes = 4 * n_columns * sum(map(sum, cells))
        n_distances = self._table.dtype.itemsize * sum(a * b for a, b in cells)
        self._keeps_parts = n_codes <= _KEPT_BYTES
        self._keeps_distances = self._keeps_parts and n_distances <= _KEPT_BYTES
        self._parts: dict[int, Part] = {}
        self._distances: dict[int, Distances] = {}

    @classmethod
    def supports(cls, problem: Problem) -> bool:
        """Whether this class gives exactly what refitting the learner would give."""
        if problem.loss is None or problem.weights is not None:
            return False
        learner = ObliviousTree if problem.target.n_classes else ObliviousTreeRegressor
        fits = problem.loss.for_classification == (learner is ObliviousTree)
        return type(problem.estimator) is learner and fits

    @property
    def loss_span(self) -> float | None:
        """The largest difference there can be between two losses."""
        n_classes = self.problem.target.n_classes
        reach = None if n_classes else float(np.ptp(self._target))
        return loss_span(self.problem.row_loss, n_classes=n_classes, reach=reach)

    def _fold_losses(
        self, subsets: Sequence[Subset], tests: Sequence[tuple[Fold, IntArray]]
    ) -> list[FloatArray]:
        if len(subsets) == 1 and not isinstance(subsets, _WITH_A_BASE):
            # asked for alone, it is a base worth keeping; of several, each would move the distances
            # of the same rows, in threads at the same time
            subsets = Removals(subsets[0], [frozenset()])
        if not self.problem.folds.leave_one_out or not isinstance(subsets, _WITH_A_BASE):
            return super()._fold_losses(subsets, tests)
        # there is one fold, so that threads share its rows
        n_jobs = effective_n_jobs(self.problem.n_jobs)
        pieces = [(f, test[part]) for f, test in tests for part in slices(len(test), n_jobs)]
        found = super()._fold_losses(subsets, pieces)
        return [np.concatenate(found, axis=1) if len(found) > 1 else found[0]]

    def _shares(self, judged: Sequence[Subset]) -> list[slice]:
        return (
            [slice(0, len(judged))] if isinstance(judged, _WITH_A_BASE) else super()._shares(judged)
        )

    def _held_out(self, subsets: Sequence[Subset], fold: Fold, test: IntArray) -> FloatArray:
        lists = joined(self.problem.columns.columns_of(subset) for subset in subsets)
        part = self._part(fold)
        losses: FloatArray = subset_losses(
            part.coded, part.tested, part.places(test), *lists, self._rule(part), _FAR
        )
        return losses

    def _held_out_flips(self, flips: Flips, fold: Fold, test: IntArray) -> FloatArray:
        lists = chosen(self._variables, np.array(flips.variables))
        signs = np.array([-1 if v in flips.base else 1 for v in flips.variables], dtype=np.int32)
        return self._losses_of(
            self.problem.columns.columns_of(flips.base), lists, signs, fold, test
        )

    def _held_out_removals(self, removals: Removals, fold: Fold, test: IntArray) -> FloatArray:
        columns = self.problem.columns
        lists = joined(columns.columns_of(some) for some in removals.removed)
        signs = np.full(len(removals), -1, dtype=np.int32)
        return self._losses_of(columns.columns_of(removals.base), lists, signs, fold, test)

    def _held_out_draws(self, masks: NDArray[np.bool_], fold: Fold, test: IntArray) -> FloatArray:
        part, lists = self._part(fold), of_masks(masks, self._variables)
        losses: FloatArray = draw_losses(
            part.coded, part.tested, part.places(test), *lists, self._rule(part), _FAR
        )
        return losses

    def _losses_of(
        self, base: IntArray, lists: Lists, signs: NDArray[np.int32], fold: Fold, test: IntArray
    ) -> FloatArray:
        """Losses after moving each list of columns into the base, or out of it."""
        part = self._part(fold)
        places, rule, moves = part.places(test), self._rule(part), self._moves(part, lists, signs)
        if self._keeps_distances and fold.index >= 0:
            distances = self._distances_of(fold, part)
            distances.bring(places, base)
            losses: FloatArray = move_losses(
                distances.values, places, part.coded, part.tested, places, moves, rule, self._far
            )
            return losses
        size = max(1, _BLOCK_CELLS // part.coded.codes.shape[1])
        found = [np.empty((len(signs), 0))]
        for start in range(0, len(places), size):
            few = places[start : start + size]
            values = np.empty((len(few), part.coded.codes.shape[1]), dtype=self._table.dtype)
            every = np.arange(len(few))
            move_distances(values, every, part.coded, part.tested, few, base[:0], base, True)
            found.append(
                move_losses(values, every, part.coded, part.tested, few, moves, rule, self._far)
            )
        return np.concatenate(found, axis=1)

    def _moves(self, part: Part, lists: Lists, signs: NDArray[np.int32]) -> Moves:
        starts, columns = lists
        sizes = np.diff(starts)
        near = np.ascontiguousarray(part.coded.codes[columns].T)
        steps = np.ascontiguousarray(part.coded.steps[:, columns])
        reach = int(sizes.max(initial=0)) * self._table.whole
        return Moves(starts, columns, signs, near, steps, reach, bool((sizes == 1).all()))

    def _rule(self, part: Part) -> Rule:
        n_classes = self.problem.target.n_classes
        totals = np.empty(0, dtype=np.intp)
        if n_classes:
            totals = np.bincount(part.target.astype(np.intp), minlength=n_classes)
        return Rule(part.target, totals.astype(np.float64), int(self.problem.row_loss))

    def _part(self, fold: Fold) -> Part:
        part = self._parts.get(fold.index)  # samples have no index of their own
        if part is None:
            part = self._table.part(fold, self._target)
            if self._keeps_parts and fold.index >= 0:
                # two threads may both do this; the first to store it wins
                part = self._parts.setdefault(fold.index, part)
        return part

    def _distances_of(self, fold: Fold, part: Part) -> Distances:
        kept = self._distances.get(fold.index)
        if kept is None:
            made = Distances(part, self._table.dtype)
            kept = self._distances.setdefault(fold.index, made)
        return kept


#: More than any distance, where distances are not kept but made anew as large numbers.
_FAR = 2**62
