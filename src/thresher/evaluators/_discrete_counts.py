"""Tables for scikit-learn's naive Bayes learners on discrete columns."""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.parallel import run_in_threads

from ._discrete_tables import MOST_ENTRIES, Coded, Coding, Table, rounded
from ._folds import Fold
from ._naive_bayes import class_counts, is_plain
from ._problem import Problem

__all__ = ["bernoulli", "categorical"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
CodeArray = NDArray[np.int32]

#: Below this, scikit-learn's own probabilities are rounding errors.
_LEAST_ALPHA = 1e-10


@dataclass(frozen=True, eq=False)
class Counted(Coding):
    """A learner whose levels are 0, 1, ... in all folds, up to the highest one seen.

    Parameters
    ----------
    problem : Problem
        The question.
    codes : array of int32, shape (n_columns, n_rows)
        The level of each cell: 0, 1, ...
    least_levels : array of int, shape (n_columns,)
        Levels that a column has even if the higher ones do not occur in a training part.
    log_probability : callable
        From the code of a level, the training rows of each class that have it, the training rows of
        each class, and the number of levels, to the log probability of the level in each class,
        which must be finite. All arguments are arrays that broadcast; classes are on the last axis.
    log_prior : callable
        From the training rows of each class (last axis) to the log prior of each class; -inf for
        classes without any.
    """

    problem: Problem
    codes: CodeArray
    least_levels: IntArray
    log_probability: Callable[[IntArray, FloatArray, FloatArray, IntArray], FloatArray]
    log_prior: Callable[[FloatArray], FloatArray]

    @property
    def n_levels(self) -> int:
        """Levels of all columns together."""
        return int(self._offset()[-1])

    def coded(self) -> Coded:
        """Code the rows, and learn a table from each training part."""
        tasks = [(fold,) for fold in self.problem.folds]
        tables = run_in_threads(self._table, tasks, self.problem.n_jobs)
        return Coded.of(self.codes, self._offset(), tables)

    def _offset(self) -> IntArray:
        n_levels = np.maximum(self.codes.max(axis=1) + 1, self.least_levels)
        return np.concatenate([[0], np.cumsum(n_levels)]).astype(np.intp)

    def _table(self, fold: Fold) -> Table:
        problem = self.problem
        classes, n_classes = problem.target.values, problem.target.n_classes
        rows = np.arange(len(classes)) if fold.train is None else fold.train
        offset = self._offset()
        counts = np.empty((offset[-1], n_classes))
        for codes, first, last in zip(self.codes, offset[:-1], offset[1:], strict=True):
            cells = codes[rows] * np.intp(n_classes) + classes[rows]
            counts[first:last] = np.bincount(cells, minlength=(last - first) * n_classes).reshape(
                last - first, n_classes
            )
        code = np.arange(offset[-1]) - np.repeat(offset[:-1], np.diff(offset))
        n_levels, n_without = self._numbers_of_levels(offset, code, counts.sum(axis=1))
        totals = class_counts(problem, fold)
        prior = self.log_prior(totals)
        if fold.train is None:
            counts = np.maximum(counts[:, None, :] - np.eye(n_classes), 0.0)
            code, n_levels = code[:, None], n_without[:, None]
        else:
            totals = totals[0]
        logs = self.log_probability(code[..., None], counts, totals, n_levels[..., None])
        return rounded(logs.reshape(-1, n_classes).T, prior, len(self.codes))

    def _numbers_of_levels(
        self, offset: IntArray, code: IntArray, rows: FloatArray
    ) -> tuple[IntArray, IntArray]:
        """Return, for each level, how many its column has, and how many without a row of it.

        The latter are fewer if the level is the highest and the row the only one that has it.
        """
        seen = np.where(rows > 0, code, -1)
        highest = np.maximum.reduceat(seen, offset[:-1])
        is_highest = code == np.repeat(highest, np.diff(offset))
        next_highest = np.maximum.reduceat(np.where(is_highest, -1, seen), offset[:-1])
        n_levels = np.repeat(np.maximum(highest + 1, self.least_levels), np.diff(offset))
        n_fewer = np.repeat(np.maximum(next_highest + 1, self.least_levels), np.diff(offset))
        return n_levels, np.where(is_highest & (rows == 1), n_fewer, n_levels)


def bernoulli(problem: Problem) -> Coding | None:
    if not is_plain(problem):
        return None
    estimator: Any = problem.estimator
    alpha, log_prior = _alpha(estimator), _log_prior(problem)
    if log_prior is None or alpha < 1e-15 * problem.columns.n_rows:
        return None
    values: FloatArray = problem.columns.matrix.T
    if estimator.binarize is None:
        if not all(np.isin(column, (0.0, 1.0)).all() for column in values):
            return None
        codes = values.astype(np.int32)
    elif isinstance(estimator.binarize, Real) and float(estimator.binarize) >= 0.0:
        codes = (values > _threshold(problem)).astype(np.int32)
    else:
        return None

    def log_probability(
        code: IntArray, count: FloatArray, total: FloatArray, n_levels: IntArray
    ) -> FloatArray:
        ones = np.where(code == 1, count, total - count)
        log_one = np.log(ones + alpha) - np.log(total + 2.0 * alpha)
        return np.where(code == 1, log_one, np.log(1.0 - np.exp(log_one)))

    least_levels = np.full(len(codes), 2, dtype=np.intp)
    return Counted(problem, codes, least_levels, log_probability, log_prior)


def _threshold(problem: Problem) -> float:
    """Return the threshold as numpy would see it next to the table: in single precision, maybe."""
    estimator: Any = problem.estimator
    kind = getattr(problem.columns.table, "dtype", None)
    is_float = isinstance(kind, np.dtype) and kind.kind == "f"
    return float(np.asarray(estimator.binarize, dtype=kind if is_float else np.float64))


def categorical(problem: Problem) -> Coding | None:
    if not is_plain(problem):
        return None
    estimator: Any = problem.estimator
    alpha, log_prior = _alpha(estimator), _log_prior(problem)
    if log_prior is None or alpha < _LEAST_ALPHA:
        return None
    values: FloatArray = problem.columns.matrix.T
    if not all((column >= 0).all() and (column == np.rint(column)).all() for column in values):
        return None
    least = np.asarray(1 if estimator.min_categories is None else estimator.min_categories)
    if not (np.issubdtype(least.dtype, np.signedinteger) and least.shape in ((), (len(values),))):
        return None
    if (least < 1).any() or values.max() * problem.target.n_classes > MOST_ENTRIES:
        return None

    def log_probability(
        code: IntArray, count: FloatArray, total: FloatArray, n_levels: IntArray
    ) -> FloatArray:
        return np.asarray(np.log(count + alpha) - np.log(total + alpha * n_levels))

    least_levels = np.broadcast_to(least, len(values)).astype(np.intp)
    return Counted(problem, values.astype(np.int32), least_levels, log_probability, log_prior)


def _alpha(estimator: Any) -> float:
    """Return the alpha that scikit-learn uses; -1 if this evaluator cannot use it."""
    if not isinstance(estimator.alpha, Real):
        return -1.0
    alpha = float(estimator.alpha)
    if alpha >= 0.0 and not estimator.force_alpha:
        alpha = max(alpha, _LEAST_ALPHA)
    return alpha if alpha >= _LEAST_ALPHA else -1.0


def _log_prior(problem: Problem) -> Callable[[FloatArray], FloatArray] | None:
    """Return the learner's log priors as a function of class counts; None if it would complain."""
    estimator: Any = problem.estimator
    given = estimator.class_prior
    if given is not None:
        given = np.asarray(given, dtype=np.float64)
        if given.shape != (problem.target.n_classes,) or not (given > 0.0).all():
            return None
        if not all((class_counts(problem, fold) > 0).all() for fold in problem.folds):
            return None

    def log_prior(counts: FloatArray) -> FloatArray:
        share = counts / counts.sum(axis=-1, keepdims=True)
        if given is not None:
            share = np.broadcast_to(given, counts.shape)
        elif not estimator.fit_prior:
            share = (counts > 0) / (counts > 0).sum(axis=-1, keepdims=True)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(share))

    return log_prior
