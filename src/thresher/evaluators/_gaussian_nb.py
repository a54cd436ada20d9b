"""Gaussian naive Bayes: scores are sums over columns, so a flip costs one column."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.naive_bayes import GaussianNB

from thresher.kernels._class_scores import Tested
from thresher.kernels.gaussian_nb import (
    LeftOut,
    Normals,
    gaussian_flips,
    gaussian_left_out,
    gaussian_removals,
)
from thresher.parallel import run_in_threads

from ._base import FastEvaluator
from ._folds import Fold
from ._lists import Lists, chosen, joined
from ._loss import Loss
from ._naive_bayes import class_counts, is_plain, rows_by_fold
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
    such class, and so does this evaluator; probabilities do not exist, and count as certain and
    wrong.
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
        return self._defined(model.subsets(lists, self._tested(model, test)))

    def _held_out_flips(self, flips: Flips, fold: Fold, test: IntArray) -> FloatArray:
        base = np.array(sorted(flips.base), dtype=np.intp)
        flipped = np.array(flips.variables, dtype=np.intp)
        model = self._models[fold.index]
        return self._defined(model.flips(base, flipped, self._tested(model, test)))

    def _tested(self, model: "_Model", test: IntArray) -> Tested:
        loss = int(self.problem.row_loss)
        return Tested(self._position[test], self._classes[test], model.prior, loss)

    def _defined(self, losses: FloatArray) -> FloatArray:
        """Give rows without probabilities the loss of a prediction that is certain and wrong."""
        if self.problem.row_loss is Loss.LOG:
            worst = -np.log(np.finfo(np.float64).eps)
        else:
            worst = 1.0 if self.problem.target.n_classes == 2 else 2.0
        return np.asarray(np.nan_to_num(losses, copy=False, nan=worst))


class _Model(ABC):
    """What is fitted to a training part, for all columns."""

    def __init__(self, problem: Problem, table: FloatArray, fold: Fold):
        estimator: Any = problem.estimator
        self.smoothing = float(estimator.var_smoothing)
        self.variables = joined(problem.columns.variables)
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

    def are_inside(self, base: IntArray, flipped: IntArray) -> NDArray[np.bool_]:
        """Whether each variable belongs to the base; `np.isin` would sort them first."""
        member = np.zeros(len(self.variables.starts), dtype=bool)
        member[base] = True
        return member[flipped]

    def columns_of(self, variables: IntArray) -> Lists:
        """Lay the columns of variables end to end."""
        return chosen(self.variables, variables)


class _TrainingPart(_Model):
    """The training part of one of several folds."""

    def __init__(self, problem: Problem, table: FloatArray, fold: Fold, tested: FloatArray):
        super().__init__(problem, table, fold)
        self.table = tested
        self.peak = self._largest_spread(self.variables)
        # no value is further from a mean than this
        low, high = table.min(axis=1)[:, None], table.max(axis=1)[:, None]
        self.reach = np.maximum(high - self.normals.mean, self.normals.mean - low)

    def subsets(self, lists: Lists, tested: Tested) -> FloatArray:
        nothing, epsilons = lists.columns[:0], self.smoothing * self._largest_spread(lists)
        return self._flipped(nothing, 0.0, 0.0, lists, epsilons, 1.0, tested)

    def flips(self, base: IntArray, flipped: IntArray, tested: Tested) -> FloatArray:
        top = float(self.peak[base].max(initial=0.0))
        inside = self.are_inside(base, flipped)
        if not inside.any():
            return self._added(base, flipped, top, tested)
        if inside.all():
            losses = self._removed(base, flipped, top, tested)
        else:
            losses = np.empty((len(flipped), len(tested.rows)))
            losses[~inside] = self._added(base, flipped[~inside], top, tested)
            losses[inside] = self._removed(base, flipped[inside], top, tested)
        # what is added to variances changes only without the one variable that has the largest
        alone = inside & (self.peak[flipped] == top) & ((self.peak[base] == top).sum() == 1)
        if alone.any():
            rest = self.columns_of(np.setdiff1d(base, flipped[alone])).columns
            losses[alone] = self.subsets(joined([rest]), tested)
        return losses

    def _added(self, base: IntArray, flipped: IntArray, top: float, tested: Tested) -> FloatArray:
        epsilon, epsilons = (
            self.smoothing * top,
            self.smoothing * np.maximum(self.peak[flipped], top),
        )
        columns, lists = self.columns_of(base).columns, self.columns_of(flipped)
        bend = self._sizes(columns, epsilon)[1]
        near = float(np.sqrt(_LINEAR / bend)) if 0.0 < bend < np.inf else 0.0
        return self._flipped(columns, epsilon, near, lists, epsilons, 1.0, tested)

    def _removed(self, base: IntArray, flipped: IntArray, top: float, tested: Tested) -> FloatArray:
        """Losses where the largest variance stays what it is."""
        epsilon, variables = self.smoothing * top, self.columns_of(base)
        if self._sizes(variables.columns, epsilon)[0] < _TAME:
            epsilons, lists = np.full(len(flipped), epsilon), self.columns_of(flipped)
            return self._flipped(variables.columns, epsilon, 0.0, lists, epsilons, -1.0, tested)
        out = np.empty((len(flipped), len(tested.rows)))
        place = np.full(len(base), -1, dtype=np.intp)
        place[np.searchsorted(base, flipped)] = np.arange(len(flipped))
        gaussian_removals(self.table, self.normals, tested, epsilon, variables, place, out)
        # a variable that is asked for twice has its losses in the last place only
        return (
            out
            if len(flipped) == (place >= 0).sum()
            else out[place[np.searchsorted(base, flipped)]]
        )

    def _flipped(
        self,
        base: IntArray,
        epsilon: float,
        near: float,
        lists: Lists,
        epsilons: FloatArray,
        sign: float,
        tested: Tested,
    ) -> FloatArray:
        out = np.empty((len(epsilons), len(tested.rows)))
        table, normals = self.table, self.normals
        gaussian_flips(table, normals, tested, base, epsilon, near, lists, epsilons, sign, out)
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
        with np.errstate(divide="ignore", over="ignore"):
            inverse = 1.0 / self.normals.variance
            log_variance = np.log(2.0 * np.pi * self.normals.variance)
        self.left_out = LeftOut(*rows, stretch, inverse, log_variance)

    def subsets(self, lists: Lists, tested: Tested) -> FloatArray:
        return self._flipped(joined([]), lists, np.zeros(len(lists.starts) - 1, np.intp), tested)

    def flips(self, base: IntArray, flipped: IntArray, tested: Tested) -> FloatArray:
        inside = self.are_inside(base, flipped)
        place = np.where(inside, np.searchsorted(base, flipped), len(base))
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
