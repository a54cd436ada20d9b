"""Linear and ridge regression: every fold's Gram matrix once, then a matrix product per family."""

import threading
from collections.abc import Sequence
from numbers import Real
from typing import Any, ClassVar

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.linear_model import LinearRegression, Ridge

from thresher.parallel import ONE_BLAS_THREAD

from ._base import FastEvaluator
from ._folds import Fold
from ._linear_algebra import Solution, added, removed, solve
from ._linear_moments import Moments, Rule
from ._loss import Loss, regression_losses
from ._problem import Problem
from ._refitting import refitted_losses
from ._subsets import Flips, Subset

__all__ = ["LinearEvaluator"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Numbers held over all folds (256 MB); with more, what is asked for is computed each time.
_KEPT_CELLS = 2**25
#: Numbers between these have products that are neither zero nor infinite, also in sum.
_SMALL, _LARGE = 1e-140, 1e140


class LinearEvaluator(FastEvaluator):
    """Exact held-out losses of scikit-learn's ``LinearRegression`` and ``Ridge``.

    Parameters
    ----------
    problem : Problem
        One that `supports` accepts.

    Notes
    -----
    Leave-one-out follows from residuals and leverages. Constant, repeated and collinear columns
    give the solution of least norm, as in scikit-learn. Where the Gram matrix is too coarse to
    tell, such as for columns that are nearly but not quite collinear, or in leave-one-out for rows
    that alone decide a coefficient, scikit-learn refits. All else is computed in double precision,
    also for tables in single precision.
    """

    #: The shapes of matrix products change their rounding, so a family of flips is not cut up.
    splits_flips: ClassVar[bool] = False

    def __init__(self, problem: Problem):
        super().__init__(problem)
        self._rule = _rule_of(problem.estimator)
        columns, folds = problem.columns, problem.folds
        self._table = columns.matrix.T
        self._y = np.asarray(problem.target.values, dtype=np.float64)
        weights = np.ones(columns.n_rows) if problem.weights is None else problem.weights
        self._weights = np.asarray(weights, dtype=np.float64)
        cells = sum(columns.n_columns * (columns.n_columns + len(fold.test)) for fold in folds)
        self._keep = cells <= _KEPT_CELLS
        #: the column of a variable, -1 for a group
        self._single = np.array([v[0] if len(v) == 1 else -1 for v in columns.variables])
        self._moments: dict[int, Moments] = {}
        self._moments_locks = [threading.Lock() for _ in folds]
        self._latest: dict[int, tuple[Subset, Solution | None]] = {}

    @classmethod
    def supports(cls, problem: Problem) -> bool:
        """Whether the learner is a linear or ridge regression with a direct solver."""
        return (
            _is_direct(problem.estimator)
            and problem.loss in (Loss.ABSOLUTE, Loss.SQUARED)
            and problem.target.classes is None
            and np.ndim(problem.target.raw) == 1
            and problem.columns.is_plain
            and _have_squares(problem.columns.matrix)
            and _have_squares(np.asarray(problem.target.values, dtype=np.float64)[:, None])
        )

    def _fold_losses(
        self, subsets: Sequence[Subset], tests: Sequence[tuple[Fold, IntArray]]
    ) -> list[FloatArray]:
        with ONE_BLAS_THREAD:
            return super()._fold_losses(subsets, tests)

    def _held_out(self, subsets: Sequence[Subset], fold: Fold, test: IntArray) -> FloatArray:
        out = np.empty((len(subsets), len(test)))
        for k, subset in enumerate(subsets):
            out[k] = self._one_subset(subset, fold, test)
        return out

    def _held_out_draws(self, masks: NDArray[np.bool_], fold: Fold, test: IntArray) -> FloatArray:
        # one by one: products of other shapes would round differently
        subsets = [frozenset(np.flatnonzero(mask).tolist()) for mask in masks]
        with ONE_BLAS_THREAD:
            return np.array(
                [
                    self._one_subset(subset, fold, test[i : i + 1])[0]
                    for i, subset in enumerate(subsets)
                ]
            )

    def _held_out_flips(self, flips: Flips, fold: Fold, test: IntArray) -> FloatArray:
        out = np.empty((len(flips), len(test)))
        left = np.ones(len(flips), dtype=bool)
        base = self._base_solution(flips.base, fold)
        if base is not None:
            columns = self._single[list(flips.variables)]
            inside = np.array([v in flips.base for v in flips.variables])
            for side in (inside, ~inside):
                chosen = np.flatnonzero(side & (columns >= 0))
                if chosen.size:
                    chosen, losses = self._moved(base, flips, chosen, fold, test)
                    out[chosen] = losses
                    left[chosen] = False
        rest = [k for k, unsettled in enumerate(left) if unsettled]
        out[rest] = self._held_out([flips[k] for k in rest], fold, test)
        return out

    def _moved(
        self, base: Solution, flips: Flips, chosen: IntArray, fold: Fold, test: IntArray
    ) -> tuple[IntArray, FloatArray]:
        """Flip single columns, all in or all out; return what could be settled, and its losses."""
        moments = self._fold_moments(fold)
        variables = [flips.variables[k] for k in chosen]
        columns = self._single[variables]
        base_rows = moments.held_out(base.columns, test)
        if variables[0] in flips.base:
            change = removed(moments, base, base_rows, columns)
        else:
            change = added(moments, base, base_rows, columns, moments.held_out(columns, test))
        settled = np.flatnonzero(change.doubt < 1)
        if len(settled) < len(chosen):
            change = change.only(settled)
        prediction = change.direction * change.step[:, None]
        prediction += _prediction(moments, base, base_rows)
        if fold.train is not None:
            losses = regression_losses(self.problem.row_loss, prediction, self._y[test])
            return chosen[settled], losses
        distance = change.direction**2 * change.leverage[:, None]
        distance += _distance(moments, base, base_rows)
        losses, refit = self._left_one_out(prediction, distance, change.doubt, test)
        for k, i in refit:
            subset = flips.base ^ {variables[settled[k]]}
            losses[k, i] = self._refitted(subset, fold, test[i : i + 1])[0]
        return chosen[settled], losses

    def _one_subset(self, subset: Subset, fold: Fold, test: IntArray) -> FloatArray:
        moments = self._fold_moments(fold)
        columns = self.problem.columns.columns_of(subset)
        if fold.train is None and moments.constant[columns].all():
            columns = columns[:0]  # constant for the held-out rows as well
        solution = solve(moments, columns)
        if solution is None:
            return self._refitted(subset, fold, test)
        rows = moments.held_out(columns, test)
        prediction = _prediction(moments, solution, rows)
        if fold.train is not None:
            return regression_losses(self.problem.row_loss, prediction, self._y[test])
        distance = _distance(moments, solution, rows)
        losses, refit = self._left_one_out(prediction, distance, np.array(solution.doubt), test)
        for (i,) in refit:
            losses[i] = self._refitted(subset, fold, test[i : i + 1])[0]
        return losses

    def _left_one_out(
        self, prediction: FloatArray, distance: FloatArray, doubt: FloatArray, test: IntArray
    ) -> tuple[FloatArray, IntArray]:
        """Turn fits that saw the rows into losses of fits that did not, and say which to refit."""
        # the part of its own prediction that a row does not decide; the smallest eigenvalue can
        # shrink by this factor when the row goes, and with it what can be trusted
        others = 1.0 - self._weights[test] * distance
        refit = others <= doubt[..., None]
        others[refit] = 1.0
        prediction -= self._y[test]
        prediction /= others
        losses = regression_losses(self.problem.row_loss, prediction, np.zeros(1))
        return losses, np.argwhere(refit)

    def _refitted(self, subset: Subset, fold: Fold, test: IntArray) -> FloatArray:
        """Losses of scikit-learn's own fits."""
        if fold.train is not None:
            return refitted_losses(self.problem, subset, fold, test)
        everyone = np.arange(len(self._y))
        alone = [Fold(i, np.delete(everyone, i), everyone[i : i + 1]) for i in test.tolist()]
        return np.concatenate([self._refitted(subset, one, one.test) for one in alone])

    def _base_solution(self, base: Subset, fold: Fold) -> Solution | None:
        latest = self._latest.get(fold.index)
        if latest is None or latest[0] != base:
            columns = self.problem.columns.columns_of(base)
            latest = base, solve(self._fold_moments(fold), columns)
            self._latest[fold.index] = latest
        return latest[1]

    def _fold_moments(self, fold: Fold) -> Moments:
        with self._moments_locks[fold.index]:
            if fold.index not in self._moments:
                train = np.arange(len(self._y)) if fold.train is None else fold.train
                self._moments[fold.index] = Moments(
                    self._table,
                    self._y,
                    self._weights,
                    train=train,
                    test=fold.test,
                    rule=self._rule,
                    keep=self._keep,
                )
        return self._moments[fold.index]


def _prediction(moments: Moments, solution: Solution, rows: FloatArray) -> FloatArray:
    return np.asarray(moments.y_mean + solution.coefficients @ rows)


def _distance(moments: Moments, solution: Solution, rows: FloatArray) -> FloatArray:
    """Leverage of rows per unit of their weight."""
    halves = solution.root.T @ rows
    return np.asarray(np.einsum("ij,ij->j", halves, halves) + moments.intercept_leverage)


def _is_direct(estimator: Any) -> bool:
    # a subclass may do anything, so only the classes themselves
    if type(estimator) is LinearRegression:
        return not estimator.positive
    return (
        type(estimator) is Ridge
        and not estimator.positive
        and estimator.solver in ("auto", "cholesky", "svd")
        and isinstance(estimator.alpha, Real)
        and 0 <= float(estimator.alpha) < np.inf
    )


def _have_squares(table: FloatArray) -> bool:
    """Whether sums of products are finite, and zero only where a whole column is."""
    size = np.maximum(table.max(axis=0), -table.min(axis=0))
    return bool(((size == 0) | ((size > _SMALL) & (size < _LARGE))).all())


def _rule_of(estimator: Any) -> Rule:
    intercept = bool(estimator.fit_intercept)
    if type(estimator) is Ridge:
        return Rule(intercept, float(estimator.alpha), cutoff=0.0)
    version = tuple(int(part) for part in sklearn.__version__.split(".")[:2])
    # earlier versions take ``tol`` to be about sparse tables only
    cutoff = estimator.tol if version >= (1, 9) else np.finfo(np.float64).eps
    return Rule(intercept, 0.0, float(cutoff))
