"""Class sums of the latest base, from which what is left after removals is judged."""

import threading

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.discrete_nb import move_sums, table_removals

from ._discrete_tables import Coded
from ._folds import Fold
from ._lists import joined
from ._problem import Problem
from ._subsets import Removals, Subset, changes

__all__ = ["BaseSums"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


class BaseSums:
    """The sums of the latest base over its columns, for all rows that are tested.

    Sums are of integers: it leaves no trace whether they were computed anew or moved from base to
    base. They are never changed in place, so that threads may ask for different bases.

    Parameters
    ----------
    problem : Problem
        The question.
    coded : Coded
        Its codes and tables.
    position : array of shape (n_rows,)
        Where each row of the table is in the codes.

    Attributes
    ----------
    tests : array of shape (n_tested,)
        The rows that are tested, fold after fold.
    """

    def __init__(self, problem: Problem, coded: Coded, position: IntArray):
        folds = problem.folds
        self._coded, self._columns_of = coded, problem.columns.columns_of
        self._loss = int(problem.row_loss)
        self.tests = np.concatenate([fold.test for fold in folds])
        self._starts = np.cumsum([0] + [len(fold.test) for fold in folds])
        self._rows = position[self.tests]
        self._truth = np.asarray(problem.target.values, dtype=np.intp)[self.tests]
        of_fold = np.repeat(np.arange(len(folds)), np.diff(self._starts))
        nothing = np.ascontiguousarray(coded.priors[of_fold, self._truth].T)
        self._latest: tuple[Subset, IntArray] = frozenset(), nothing
        self._lock = threading.Lock()

    @property
    def is_new(self) -> bool:
        """Whether no base was asked for yet."""
        return not self._latest[0]

    def losses(self, removals: Removals) -> FloatArray:
        """Losses of all rows that are tested: an array of shape (n_subsets, n_tested)."""
        sums, every = self._sums(removals.base), slice(None)
        return self._judged(removals, every, self._rows, self._truth, self._starts, sums)

    def losses_in_fold(self, removals: Removals, fold: Fold, test: IntArray) -> FloatArray:
        """Losses of some of the rows that one fold tests."""
        order = np.argsort(fold.test)
        at = self._starts[fold.index] + order[np.searchsorted(fold.test, test, sorter=order)]
        sums, starts = np.take(self._sums(removals.base), at, axis=1), np.array([0, len(at)])
        one = slice(fold.index, fold.index + 1)
        return self._judged(removals, one, self._rows[at], self._truth[at], starts, sums)

    def _judged(
        self,
        removals: Removals,
        folds: slice,
        rows: IntArray,
        truth: IntArray,
        starts: IntArray,
        sums: IntArray,
    ) -> FloatArray:
        lists = joined(self._columns_of(some) for some in removals.removed)
        out = np.empty((len(removals), len(rows)))
        codes, offset = self._coded.codes, self._coded.offset
        levels, priors = self._coded.levels[folds], self._coded.priors[folds]
        units, loss = self._coded.units[folds], self._loss
        table_removals(
            codes, levels, offset, priors, rows, truth, starts, units, loss, sums, lists, out
        )
        return out

    def _sums(self, base: Subset) -> IntArray:
        known, sums = self._latest
        if base is known:
            return sums
        with self._lock:
            known, sums = self._latest
            if base is not known:
                sums = sums.copy()
                came, went = changes(known, base)
                self._move(went, -1, sums)
                self._move(came, 1, sums)
            self._latest = base, sums
        return sums

    def _move(self, variables: Subset, sign: int, sums: IntArray) -> None:
        coded, columns = self._coded, self._columns_of(variables)
        if len(columns):
            rows, starts = self._rows, self._starts
            move_sums(coded.codes, coded.levels, coded.offset, rows, starts, columns, sign, sums)
