"""What evaluators of memory-based learners share: the training rows are all there is to learn."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ._base import FastEvaluator
from ._folds import Fold
from ._lists import joined, of_masks
from ._loss import loss_span
from ._problem import Problem
from ._subsets import Flips, Subset

__all__ = ["MemoryEvaluator", "has_squares", "n_train"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Training parts of all folds are kept up to this size together, and else gathered anew.
_CACHE_BYTES = 256 * 2**20
#: Squares of smaller numbers, and sums of those, are finite.
_HUGE = 1e150


class MemoryEvaluator(FastEvaluator):
    """Held-out losses of a learner that predicts from distances to its training rows.

    A subclass names three kernels with the parameters of those in ``thresher.kernels.neighbours``,
    and makes their rule.

    Parameters
    ----------
    problem : Problem
        One that `supports` accepts.
    """

    growth: ClassVar[float] = 1 / 16  # a loss looks at all training rows
    takes_samples: ClassVar[bool] = True
    subset_losses: ClassVar[Callable[..., Any]]
    flip_losses: ClassVar[Callable[..., Any]]
    drawn_losses: ClassVar[Callable[..., Any]]

    def __init__(self, problem: Problem):
        super().__init__(problem)
        columns = problem.columns
        self._table: FloatArray = columns.matrix.T
        self._target = np.asarray(problem.target.values, dtype=np.float64)
        self._rule = self._make_rule()
        self._variables = joined(np.sort(variable) for variable in columns.variables)
        n_cells = sum(n_train(fold, columns.n_rows) for fold in problem.folds) * columns.n_columns
        self._keeps_parts = n_cells * self._table.itemsize <= _CACHE_BYTES
        self._parts: dict[int, FloatArray] = {}

    @abstractmethod
    def _make_rule(self) -> Any:
        """How to predict and judge, as the kernels take it."""

    def _held_out(self, subsets: Sequence[Subset], fold: Fold, test: IntArray) -> FloatArray:
        starts, columns = joined(self.problem.columns.columns_of(subset) for subset in subsets)
        data, place = self._data(fold, test, columns)
        losses: FloatArray = self.subset_losses(*data, starts, place[columns], self._rule)
        return losses

    def _held_out_flips(self, flips: Flips, fold: Fold, test: IntArray) -> FloatArray:
        base = self.problem.columns.columns_of(flips.base)
        starts, columns = self._variables
        mentioned = self.problem.columns.columns_of(flips.base.union(flips.variables))
        data, place = self._data(fold, test, mentioned)
        signed = [-v - 1 if v in flips.base else v + 1 for v in flips.variables]
        losses: FloatArray = self.flip_losses(
            *data,
            place[base],
            np.array(signed, dtype=np.intp),
            starts,
            place[columns],
            self._rule,
        )
        return losses

    def _held_out_draws(self, masks: NDArray[np.bool_], fold: Fold, test: IntArray) -> FloatArray:
        starts, columns = of_masks(masks, self._variables)
        data, place = self._data(fold, test, columns)
        losses: FloatArray = self.drawn_losses(*data, starts, place[columns], self._rule)
        return losses

    def _data(
        self, fold: Fold, test: IntArray, columns: IntArray
    ) -> tuple[tuple[NDArray[Any], ...], IntArray]:
        """Return what kernels need to know about rows, and where in it each column is.

        Where the training part must be gathered anew, only the given columns of it are.
        """
        place = np.arange(len(self._table))
        needed = np.unique(columns)
        if fold.train is None:
            table, target, own = self._table, self._target, test.astype(np.intp)
        else:
            target, own = self._target[fold.train], np.full(len(test), -1, dtype=np.intp)
            if self._keeps_parts and fold.index >= 0:
                table = self._part(fold.index, fold.train)
            else:
                table = np.ascontiguousarray(self._table[np.ix_(needed, fold.train)])
                place[needed] = np.arange(len(needed))
        tested = np.empty((len(test), len(table)))
        tested[:, place[needed]] = self._table[np.ix_(needed, test)].T
        return (table, target, tested, self._target[test], own), place

    def share_parts(self, other: "MemoryEvaluator") -> None:
        """Keep training parts together with another evaluator of the same table and folds."""
        self._parts = other._parts

    def _part(self, index: int, train: IntArray) -> FloatArray:
        part = self._parts.get(index)
        if part is None:
            # two threads may both do this; they store the same
            part = self._parts[index] = np.take(self._table, train, axis=1)
        return part

    def _span_of_averages(self) -> float | None:
        """`loss_span` of a learner whose predictions are means of training targets."""
        reach = None if self.problem.target.n_classes else float(np.ptp(self._target))
        return loss_span(
            self.problem.row_loss, n_classes=self.problem.target.n_classes, reach=reach
        )


def has_squares(problem: Problem) -> bool:
    """Whether the table holds numbers only, none missing, with squares that are finite."""
    columns = problem.columns
    if not columns.is_plain:
        return False
    return all(np.abs(values).max() < _HUGE for values in columns.matrix.T)


def n_train(fold: Fold, n_rows: int) -> int:
    """Count the rows that a held-out row of the fold is predicted from."""
    return n_rows - 1 if fold.train is None else len(fold.train)
