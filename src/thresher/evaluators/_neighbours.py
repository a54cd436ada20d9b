"""Nearest neighbours: nothing is fitted, and a flip changes one term of each distance."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from thresher.kernels.neighbours import Rule, flip_losses, subset_losses

from ._base import FastEvaluator
from ._folds import Fold
from ._lists import joined
from ._problem import Problem
from ._subsets import Flips, Subset

__all__ = ["NeighboursEvaluator"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

_EUCLIDEAN = ("euclidean", "l2")
_MANHATTAN = ("manhattan", "cityblock", "l1")
_ALGORITHMS = ("auto", "ball_tree", "kd_tree", "brute")
#: Training parts of all folds are kept up to this size together, and else gathered anew.
_CACHE_BYTES = 256 * 2**20
#: Squares of smaller numbers, and sums of those, are finite.
_HUGE = 1e150
#: What a column can add to the rounding error of a comparison of two distances, times two.
_ROUNDING = 4.0 * float(np.finfo(np.float64).eps)


class NeighboursEvaluator(FastEvaluator):
    """Exact held-out losses of scikit-learn's k-nearest-neighbour classifier and regressor.

    Parameters
    ----------
    problem : Problem
        One that `supports` accepts.

    Notes
    -----
    Of training rows at the same distance, those that come first in the training part are the
    neighbours; scikit-learn's own choice depends on its algorithm. Of classes with the same number
    of votes, the first in sorted order is predicted, as in scikit-learn.

    Distances are sums in the order of the table, whichever subset they were updated from: a subset
    has the same losses, bit for bit, in a list and among flips. As in scikit-learn's trees, they
    are made of differences; its brute-force Euclidean search expands the square instead, and so
    loses digits in columns whose mean is large next to their spread, such as datetimes.
    """

    def __init__(self, problem: Problem):
        super().__init__(problem)
        columns = problem.columns
        self._table: FloatArray = columns.matrix.T
        self._target = np.asarray(problem.target.values, dtype=np.float64)
        self._rule = _rule(problem, self._table)
        self._variables = joined(np.sort(variable) for variable in columns.variables)
        n_cells = sum(_n_train(fold, columns.n_rows) for fold in problem.folds) * columns.n_columns
        self._keeps_parts = n_cells * self._table.itemsize <= _CACHE_BYTES
        self._parts: dict[int, FloatArray] = {}

    @classmethod
    def supports(cls, problem: Problem) -> bool:
        """Whether this class gives exactly what refitting the learner would give."""
        return (
            _supported_learner(problem.estimator)
            and problem.loss is not None
            and problem.weights is None
            and _supported_target(problem)
            and _supported_table(problem)
            and _enough_rows(problem)
        )

    def _held_out(self, subsets: Sequence[Subset], fold: Fold, test: IntArray) -> FloatArray:
        starts, columns = joined(self.problem.columns.columns_of(subset) for subset in subsets)
        data, place = self._data(fold, test, columns)
        losses: FloatArray = subset_losses(*data, starts, place[columns], self._rule)
        return losses

    def _held_out_flips(self, flips: Flips, fold: Fold, test: IntArray) -> FloatArray:
        base = self.problem.columns.columns_of(flips.base)
        starts, columns = self._variables
        mentioned = self.problem.columns.columns_of(flips.base.union(flips.variables))
        data, place = self._data(fold, test, mentioned)
        signed = [-v - 1 if v in flips.base else v + 1 for v in flips.variables]
        losses: FloatArray = flip_losses(
            *data,
            place[base],
            np.array(signed, dtype=np.intp),
            starts,
            place[columns],
            self._rule,
        )
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
            if self._keeps_parts:
                table = self._part(fold.index, fold.train)
            else:
                table = np.ascontiguousarray(self._table[np.ix_(needed, fold.train)])
                place[needed] = np.arange(len(needed))
        tested = np.empty((len(test), len(table)))
        tested[:, place[needed]] = self._table[np.ix_(needed, test)].T
        return (table, target, tested, self._target[test], own), place

    def _part(self, index: int, train: IntArray) -> FloatArray:
        part = self._parts.get(index)
        if part is None:
            # two threads may both do this; they store the same
            part = self._parts[index] = np.take(self._table, train, axis=1)
        return part


def _rule(problem: Problem, table: FloatArray) -> Rule:
    estimator: Any = problem.estimator
    manhattan = _is_manhattan(estimator)
    return Rule(
        n_neighbours=int(estimator.n_neighbors),
        manhattan=manhattan,
        by_distance=estimator.weights == "distance",
        n_classes=problem.target.n_classes,
        loss=int(problem.row_loss),
        rounding=0.0 if _sums_are_exact(table, manhattan=manhattan) else _ROUNDING,
    )


def _sums_are_exact(table: FloatArray, *, manhattan: bool) -> bool:
    """Whether all distances are sums of integers that float64 holds without rounding."""
    if not all(np.array_equal(values, np.rint(values)) for values in table):
        return False
    spans = np.ptp(table, axis=1)
    return bool((spans if manhattan else spans**2).sum() < 2.0**53)


def _supported_learner(estimator: Any) -> bool:
    if type(estimator) not in (KNeighborsClassifier, KNeighborsRegressor):
        return False
    if (
        estimator.weights not in ("uniform", "distance", None)
        or estimator.metric_params is not None
    ):
        return False
    # wrong parameters are for scikit-learn to complain about
    counts = (estimator.n_neighbors, estimator.leaf_size)
    if not all(isinstance(count, Integral) and int(count) >= 1 for count in counts):
        return False
    if estimator.algorithm not in _ALGORITHMS:
        return False
    return _is_manhattan(estimator) or _is_euclidean(estimator)


def _is_manhattan(estimator: Any) -> bool:
    metric = estimator.metric
    return metric in _MANHATTAN or (metric == "minkowski" and estimator.p == 1)


def _is_euclidean(estimator: Any) -> bool:
    metric = estimator.metric
    return metric in _EUCLIDEAN or (metric == "minkowski" and estimator.p == 2)


def _supported_target(problem: Problem) -> bool:
    """Whether classifier, classes and loss (or regressor, numbers and loss) go together."""
    if problem.loss is None or problem.target.values.ndim != 1:
        return False
    classifies = type(problem.estimator) is KNeighborsClassifier
    has_classes = problem.target.classes is not None
    return classifies == has_classes == problem.loss.for_classification


def _supported_table(problem: Problem) -> bool:
    columns = problem.columns
    if not columns.is_plain:
        return False
    return all(np.abs(values).max() < _HUGE for values in columns.matrix.T)


def _enough_rows(problem: Problem) -> bool:
    estimator: Any = problem.estimator
    n_rows = problem.columns.n_rows
    return all(_n_train(fold, n_rows) >= estimator.n_neighbors for fold in problem.folds)


def _n_train(fold: Fold, n_rows: int) -> int:
    """Count the rows that a held-out row of the fold is predicted from."""
    return n_rows - 1 if fold.train is None else len(fold.train)
