"""Gaussian naive Bayes: scores are sums over columns, so a flip costs one column."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.naive_bayes import GaussianNB

from thresher.kernels.naive_bayes import (
    LeftOut,
    Lists,
    Normals,
    Tested,
    gaussian_flips,
    gaussian_left_out,
    gaussian_removals,
)
from thresher.parallel import run_in_threads

from ._base import FastEvaluator
from ._discrete_nb import class_counts, is_plain, joined, rows_by_fold
from ._folds import Fold
from ._problem import Problem
from ._subsets import Flips, Subset

__all__ = ["GaussianNBEvaluator"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Columns whose statistics are computed at a time, to bound the memory for copies.
_BLOCK = 64
#: Squares of smaller numbers, and sums of those, are finite.
_HUGE = 1e150
#: A term can be subtracted from a sum of log densities smaller than this: less than 1e-10 is lost.
_TAME = 1e5
#: What second derivatives may contribute where sums are taken for linear.
_LINEAR = 1e-13
#: The remaining part of a sum of squares from which on it is computed by subtraction.
_REST = 0.01


class GaussianNBEvaluator(FastEvaluator):
    """Exact held-out losses of scikit-learn's ``GaussianNB``.

    Parameters
    ----------
    problem : Problem
        One that `supports` accepts.

    Notes
    -----
    scikit-learn adds a portion of the largest variance *in the subset* to all variances. So a flip
    that changes the largest variance changes the terms of all columns.

    Everything is computed in double precision, also for tables in single precision, for which
    scikit-learn rounds more coarsely.

    If the variance within a class is zero and nothing is added to it (all columns of the subset
    are constant, or ``var_smoothing=0``), scikit-learn's scores are NaN. It then predicts the first
    such class, and so does this evaluator; probabilities do not exist and their losses are an
    error.
    """

    def __init__(self, problem: Problem):
        super().__init__(problem)
        columns = problem.columns
        table: FloatArray = columns.matrix.T
        self._classes = np.asarray(problem.target.values, dtype=np.intp)
        if problem.folds.leave_one_out:
            self._models: list[_Model] = [_LeaveOneOut(problem, table, problem.folds.folds[0])]
            self._position = np.arange(columns.n_rows)
        else:
            order, self._position = rows_by_fold(problem.folds)
            tested = np.take(table, order, axis=1)
            tasks = [(problem, table, fold, tested) for fold in problem.folds]
            self._models = list(run_in_threads(_TrainingPart, tasks, problem.n_jobs))

    @classmethod
    def supports(cls, problem: Problem) -> bool:
        """Whether this class gives exactly what refitting the learner would give."""
        estimator: Any = problem.estimator
        if type(estimator) is not GaussianNB or not is_plain(problem):
            return False
        # wrong parameters are for scikit-learn to complain about
        smoothing = estimator.var_smoothing
        if not (isinstance(smoothing, Real) and 0.0 <= float(smoothing) < np.inf):
            return False
        if estimator.priors is not None and not _valid_priors(estimator.priors, problem):
            return False
        return all(np.abs(values).max() < _HUGE for values in problem.columns.matrix.T)

    def _held_out(self, subsets: Sequence[Subset], fold: Fold, test: IntArray) -> FloatArray:
        lists = joined(self.problem.columns.columns_of(subset) for subset in subsets)
        model = self._models[fold.index]
        return self._finite(subsets, model.subsets(lists, self._tested(model, test)))

    def _held_out_flips(self, flips: Flips, fold: Fold, test: IntArray) -> FloatArray:
        base = np.array(sorted(flips.base), dtype=np.intp)
        flipped = np.array(flips.variables, dtype=np.intp)
        model = self._models[fold.index]
        return self._finite(flips, model.flips(base, flipped, self._tested(model, test)))

    def _tested(self, model: "_Model", test: IntArray) -> Tested:
        loss = int(self.problem.row_loss)
        return Tested(self._position[test], self._classes[test], model.prior, loss)

    def _finite(self, subsets: Sequence[Subset], losses: FloatArray) -> FloatArray:
        undefined = np.isnan(losses).any(axis=1) if self.problem.row_loss else np.zeros(1, bool)
        if undefined.any():
            columns = self.problem.columns
            worst = columns.columns_of(subsets[int(undefined.argmax())])
            raise ValueError(
                "GaussianNB gives no probabilities where a column has no variance within a class "
                "and var_smoothing adds nothing to it; this happens in a training part for the "
                f"subset {[columns.names[p] for p in worst]}"
            )
        return losses


class _Model(ABC):
    """What is fitted to a training part, for all columns."""

    def __init__(self, problem: Problem, table: FloatArray, fold: Fold):
        estimator: Any = problem.estimator
        self.smoothing = float(estimator.var_smoothing)
        self.variables = problem.columns.variables
        self.normals, self.spread = _moments(problem, table, fold.train)
        counts = class_counts(problem, fold)
        share = counts / counts.sum(axis=1, keepdims=True)
        if estimator.priors is not None:
            share[:] = np.asarray(estimator.priors, dtype=np.float64)
        with np.errstate(divide="ignore"):
            self.prior = np.log(share)

    @abstractmethod
    def subsets(self, lists: Lists, tested: Tested) -> FloatArray:
        """Losses of subsets, each a list of columns."""

    @abstractmethod
    def flips(self, base: IntArray, flipped: IntArray, tested: Tested) -> FloatArray:
        """Losses of a base with each of some variables flipped."""

    def columns_of(self, variables: Iterable[int]) -> Lists:
        """Lay the columns of variables end to end."""
        return joined(self.variables[v] for v in variables)


class _TrainingPart(_Model):
    """The training part of one of several folds."""

    def __init__(self, problem: Problem, table: FloatArray, fold: Fold, tested: FloatArray):
        super().__init__(problem, table, fold)
        self.table = tested
        self.peak = self._largest_spread(self.columns_of(range(len(self.variables))))
        # no value is further from a mean than this
        low, high = table.min(axis=1)[:, None], table.max(axis=1)[:, None]
        self.reach = np.maximum(high - self.normals.mean, self.normals.mean - low)

    def subsets(self, lists: Lists, tested: Tested) -> FloatArray:
        epsilons = self.smoothing * self._largest_spread(lists)
        return self._flipped(lists.columns[:0], 0.0, lists, epsilons, tested)

    def flips(self, base: IntArray, flipped: IntArray, tested: Tested) -> FloatArray:
        top = float(self.peak[base].max(initial=0.0))
        inside = np.isin(flipped, base)
        if not inside.any():
            return self._added(base, flipped, top, tested)
        losses = np.empty((len(flipped), len(tested.rows)))
        if not inside.all():
            losses[~inside] = self._added(base, flipped[~inside], top, tested)
        # what is added to variances changes only without the one variable that has the largest
        alone = inside & (self.peak[flipped] == top) & ((self.peak[base] == top).sum() == 1)
        if alone.any():
            rest = self.columns_of(np.setdiff1d(base, flipped[alone])).columns
            losses[alone] = self.subsets(joined([rest]), tested)
        others = inside & ~alone
        if others.any():
            losses[others] = self._removed(base, flipped[others], top, tested)
        return losses

    def _added(self, base: IntArray, flipped: IntArray, top: float, tested: Tested) -> FloatArray:
        epsilons = self.smoothing * np.maximum(self.peak[flipped], top)
        columns, lists = self.columns_of(base).columns, self.columns_of(flipped)
        return self._flipped(columns, self.smoothing * top, lists, epsilons, tested)

    def _removed(self, base: IntArray, flipped: IntArray, top: float, tested: Tested) -> FloatArray:
        epsilon = self.smoothing * top
        variables = self.columns_of(base)
        if self._sizes(variables.columns, epsilon)[0] < _TAME:
            epsilons, lists = np.full(len(flipped), epsilon), self.columns_of(flipped)
            return self._flipped(variables.columns, epsilon, lists, epsilons, tested, sign=-1.0)
        asked, again = np.unique(flipped, return_inverse=True)
        place = np.full(len(base), -1, dtype=np.intp)
        place[np.searchsorted(base, asked)] = np.arange(len(asked))
        out = np.empty((len(asked), len(tested.rows)))
        gaussian_removals(self.table, self.normals, tested, epsilon, variables, place, out)
        return out[again]

    def _flipped(
        self,
        base: IntArray,
        epsilon: float,
        lists: Lists,
        epsilons: FloatArray,
        tested: Tested,
        sign: float = 1.0,
    ) -> FloatArray:
        out = np.empty((len(epsilons), len(tested.rows)))
        bend = self._sizes(base, epsilon)[1]
        near = float(np.sqrt(_LINEAR / bend)) if 0.0 < bend < np.inf else 0.0
        gaussian_flips(
            self.table, self.normals, tested, base, epsilon, near, lists, epsilons, sign, out
        )
        return out

    def _largest_spread(self, lists: Lists) -> FloatArray:
        return np.asarray(np.maximum.reduceat(self.spread[lists.columns], lists.starts[:-1]))

    def _sizes(self, columns: IntArray, epsilon: float) -> tuple[float, float]:
        """Bound sums of log densities, and half their second derivatives in ``epsilon``."""
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = 1.0 / (self.normals.variance[columns] + epsilon)
            squares = self.reach[columns] ** 2 * inverse
            density, bend = 0.5 * squares, (0.25 + 0.5 * squares) * inverse**2
        return float(density.max(axis=1).sum()), float(bend.max(axis=1).sum())


class _LeaveOneOut(_Model):
    """All rows, and what changes when any one of them is left out."""

    def __init__(self, problem: Problem, table: FloatArray, fold: Fold):
        super().__init__(problem, table, fold)
        classes = np.asarray(problem.target.values)
        own, spread = np.empty_like(table), np.empty_like(table)
        _variances_without(table, np.arange(len(classes)), spread)
        for c in np.unique(classes):
            _variances_without(table, np.flatnonzero(classes == c), own)
        n = np.bincount(classes, minlength=problem.target.n_classes).astype(np.float64)
        stretch = n / np.maximum(n - 1.0, 1.0)
        rows = (np.ascontiguousarray(array.T) for array in (table, own, spread))
        with np.errstate(divide="ignore"):
            inverse = 1.0 / self.normals.variance
            log_variance = np.log(2.0 * np.pi * self.normals.variance)
        self.left_out = LeftOut(*rows, stretch, inverse, log_variance)

    def subsets(self, lists: Lists, tested: Tested) -> FloatArray:
        return self._flipped(joined([]), lists, np.zeros(len(lists.starts) - 1, np.intp), tested)

    def flips(self, base: IntArray, flipped: IntArray, tested: Tested) -> FloatArray:
        place = np.where(np.isin(flipped, base), np.searchsorted(base, flipped), len(base))
        return self._flipped(self.columns_of(base), self.columns_of(flipped), place, tested)

    def _flipped(self, base: Lists, lists: Lists, place: IntArray, tested: Tested) -> FloatArray:
        out = np.empty((len(place), len(tested.rows)))
        gaussian_left_out(
            self.left_out, self.normals, tested, self.smoothing, base, lists, place, out
        )
        return out


def _moments(
    problem: Problem, table: FloatArray, train: IntArray | None
) -> tuple[Normals, FloatArray]:
    """Mean and variance of each column within each class, and its variance over all."""
    classes = problem.target.values if train is None else problem.target.values[train]
    shape = len(table), problem.target.n_classes
    mean, variance, spread = np.zeros(shape), np.ones(shape), np.empty(len(table))
    for first in range(0, len(table), _BLOCK):
        part = slice(first, first + _BLOCK)
        values = table[part] if train is None else np.take(table[part], train, axis=1)
        spread[part] = values.var(axis=1)
        for c in np.unique(classes):
            within = np.compress(classes == c, values, axis=1)
            mean[part, c], variance[part, c] = within.mean(axis=1), within.var(axis=1)
    return Normals(mean, variance), spread


def _variances_without(table: FloatArray, members: IntArray, out: FloatArray) -> None:
    """Set ``out[:, r]`` to the variances over ``members`` without r, for each r of them.

    Where little remains of the sum of squares, it is not a matter of subtraction: in a class whose
    other rows are all alike, the result must be zero and not rounding error.
    """
    n = len(members)
    if n == 1:
        out[:, members] = 1.0  # of a class that vanishes
        return
    for j, column in enumerate(table):
        values = column[members] - column[members[0]]
        squares = (values - values.mean()) ** 2
        rest = squares.sum() - squares * (n / (n - 1))
        for k in np.flatnonzero(rest < _REST * squares.sum()):
            others = np.delete(values, k)
            rest[k] = (others - others[0]).var() * (n - 1)
        out[j, members] = rest / (n - 1)


def _valid_priors(priors: Any, problem: Problem) -> bool:
    """Whether scikit-learn accepts these priors in every fold."""
    given = np.asarray(priors, dtype=np.float64)
    return bool(
        given.shape == (problem.target.n_classes,)
        and np.isclose(given.sum(), 1.0)
        and (given >= 0.0).all()
        and all((class_counts(problem, fold) > 0).all() for fold in problem.folds)
    )
