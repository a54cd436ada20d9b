"""Lazy learning without refitting: only the scales of columns depend on the training rows."""

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from thresher.kernels.lazy import draw_losses, subset_losses
from thresher.kernels.scales import column_factors, level_counts
from thresher.learners import LazyRegressor
from thresher.learners._lazy_table import HUGE, read_table, too_large

from ._base import FastEvaluator
from ._folds import Fold
from ._lists import Lists, joined, of_masks
from ._loss import Loss
from ._memory import n_train
from ._problem import Problem
from ._subsets import Subset

__all__ = ["LazyEvaluator"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Training parts of all folds are kept up to this size together, and else gathered anew.
_CACHE_BYTES = 256 * 2**20


class _Part(NamedTuple):
    """Rows to learn from."""

    table: FloatArray
    target: FloatArray
    columns: IntArray  # those that the table has
    n_levels: IntArray  # of each of them, in all rows of the problem
    counts: Lists  # how often each level occurs here
    factors: FloatArray | None  # None where they differ from one tested row to the next


class LazyEvaluator(FastEvaluator):
    """Exact held-out losses of `LazyRegressor`.

    Levels are numbered once for the whole table. What training rows have of their own, the scales
    of columns and the levels that occur, is quickly found for any of them.

    Parameters
    ----------
    problem : Problem
        One that `supports` accepts.

    Notes
    -----
    Losses are those of refitting bit for bit.
    """

    growth: ClassVar[float] = 1 / 16  # a loss looks at all training rows
    takes_samples: ClassVar[bool] = True

    def __init__(self, problem: Problem):
        super().__init__(problem)
        estimator: Any = problem.estimator
        table = read_table(problem.columns)
        self._table, self._n_levels = table.values, table.n_levels
        self._target = np.array(problem.target.values, dtype=np.float64)
        self._rule = estimator.make_rule()._replace(loss=int(problem.row_loss))
        self._variables = joined(np.sort(variable) for variable in problem.columns.variables)
        n_rows = sum(n_train(fold, problem.columns.n_rows) for fold in problem.folds)
        n_bytes = n_rows * len(self._table) * self._table.itemsize
        self._keeps_parts = problem.folds.leave_one_out or n_bytes <= _CACHE_BYTES
        self._parts: dict[int, _Part] = {}

    @classmethod
    def supports(cls, problem: Problem) -> bool:
        """Whether this class gives exactly what refitting the learner would give."""
        return (
            _supported_learner(problem.estimator)
            and problem.loss in (Loss.ABSOLUTE, Loss.SQUARED)
            and problem.weights is None
            and problem.target.classes is None
            and problem.target.values.ndim == 1
            and _finite_squares(problem)
        )

    def _held_out(self, subsets: Sequence[Subset], fold: Fold, test: IntArray) -> FloatArray:
        lists = joined(self.problem.columns.columns_of(subset) for subset in subsets)
        losses: FloatArray = subset_losses(*self._arguments(lists, fold, test))
        return losses

    def _held_out_draws(self, masks: NDArray[np.bool_], fold: Fold, test: IntArray) -> FloatArray:
        lists = of_masks(masks, self._variables)
        losses: FloatArray = draw_losses(*self._arguments(lists, fold, test))
        return losses

    def _arguments(self, lists: Lists, fold: Fold, test: IntArray) -> tuple[Any, ...]:
        """What the kernels take."""
        needed = np.unique(lists.columns)
        part = self._part(fold, needed)
        place = np.empty(len(self._table), dtype=np.intp)
        place[part.columns] = np.arange(len(part.columns))
        tested = self._table[np.ix_(part.columns, test)].T.copy()
        alone = fold.train is None
        _forget_unseen(tested, part, n_own=int(alone))
        own = test.astype(np.intp) if alone else np.full(len(test), -1, dtype=np.intp)
        factors = part.factors
        if factors is None:
            factors = column_factors(part.table, part.n_levels, place[needed], own)
        return (
            part.table,
            part.n_levels > 0,
            part.target,
            tested,
            self._target[test],
            own,
            factors,
            lists.starts,
            place[lists.columns],
            self._rule,
        )

    def _part(self, fold: Fold, needed: IntArray) -> _Part:
        """The rows that a fold learns from; folds made on the fly are not to be met again."""
        if not self._keeps_parts or fold.index < 0:
            return self._make_part(fold, needed)
        part = self._parts.get(fold.index)
        if part is None:
            # two threads may both do this; they store the same
            part = self._make_part(fold, np.arange(len(self._table)))
            self._parts[fold.index] = part
        return part

    def _make_part(self, fold: Fold, columns: IntArray) -> _Part:
        n_levels = self._n_levels[columns]
        if fold.train is None:
            table, target, factors = self._table, self._target, None
        else:
            table, target = self._table[np.ix_(columns, fold.train)], self._target[fold.train]
            nobody = np.array([-1], dtype=np.intp)
            factors = column_factors(table, n_levels, np.arange(len(columns)), nobody)
        starts = np.concatenate([[0], np.cumsum(n_levels)]).astype(np.intp)
        counts = Lists(starts, level_counts(table, starts))
        return _Part(table, target, columns, n_levels, counts, factors)


def _forget_unseen(tested: FloatArray, part: _Part, *, n_own: int) -> None:
    """Make levels missing that no training row has, besides ``n_own`` rows that are tested."""
    levels = np.flatnonzero(part.n_levels > 0)
    cells = tested[:, levels]
    known = ~np.isnan(cells)
    places = part.counts.starts[levels] + np.where(known, cells, 0.0).astype(np.intp)
    cells[known & (part.counts.columns[places] <= n_own)] = np.nan
    tested[:, levels] = cells


def _supported_learner(estimator: Any) -> bool:
    if type(estimator) is not LazyRegressor:
        return False
    try:
        estimator.make_rule()
    except ValueError:
        return False  # wrong parameters are for the learner to complain about
    return True


def _finite_squares(problem: Problem) -> bool:
    columns = problem.columns
    if scipy.sparse.issparse(columns.table) or np.abs(problem.target.values).max() >= HUGE:
        return False
    numbers = np.flatnonzero(~columns.has_levels).tolist()
    return not any(len(too_large(block.T)) for _, block in columns.numeric_blocks(numbers))
