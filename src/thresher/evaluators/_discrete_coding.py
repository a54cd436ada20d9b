"""How each naive Bayes learner on discrete columns is coded; another one joins by an entry here."""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.naive_bayes import BernoulliNB, CategoricalNB

from ._naive_bayes import class_counts, is_plain
from ._problem import Problem

__all__ = ["BUILDERS", "MOST_ENTRIES", "Coding", "coding_of"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
CodeArray = NDArray[np.int32]

#: Below this, scikit-learn's own probabilities are rounding errors.
_LEAST_ALPHA = 1e-10
#: Tables with more entries than this are left to refitting.
MOST_ENTRIES = 2**26


@dataclass(frozen=True, eq=False)
class Coding:
    """A discrete naive Bayes learner, as far as this evaluator is concerned.

    Parameters
    ----------
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

    codes: CodeArray
    least_levels: IntArray
    log_probability: Callable[[IntArray, FloatArray, FloatArray, IntArray], FloatArray]
    log_prior: Callable[[FloatArray], FloatArray]


def coding_of(problem: Problem) -> Coding | None:
    """Code a problem for its learner; None if only refitting will do."""
    builder = BUILDERS.get(type(problem.estimator))
    return None if builder is None else builder(problem)


def _bernoulli(problem: Problem) -> Coding | None:
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

    return Coding(codes, np.full(len(codes), 2, dtype=np.intp), log_probability, log_prior)


def _threshold(problem: Problem) -> float:
    """Return the threshold as numpy would see it next to the table: in single precision, maybe."""
    estimator: Any = problem.estimator
    kind = getattr(problem.columns.table, "dtype", None)
    is_float = isinstance(kind, np.dtype) and kind.kind == "f"
    return float(np.asarray(estimator.binarize, dtype=kind if is_float else np.float64))


def _categorical(problem: Problem) -> Coding | None:
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
    return Coding(values.astype(np.int32), least_levels, log_probability, log_prior)


#: How each learner is coded; another one joins by an entry here.
BUILDERS: dict[type, Callable[[Problem], Coding | None]] = {
    BernoulliNB: _bernoulli,
    CategoricalNB: _categorical,
}


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
