"""Naive Bayes on discrete columns: scores are sums of entries of a table, one per column."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.naive_bayes import BernoulliNB, CategoricalNB

from thresher.kernels.naive_bayes import Lists, Tested, table_flips
from thresher.parallel import run_in_threads

from ._base import FastEvaluator
from ._folds import Fold, Folds
from ._problem import Problem
from ._subsets import Flips, Subset

__all__ = [
    "BUILDERS",
    "Coding",
    "DiscreteNBEvaluator",
    "class_counts",
    "is_plain",
    "joined",
    "rows_by_fold",
]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
CodeArray = NDArray[np.int32]

#: Below this, scikit-learn's own probabilities are rounding errors.
_LEAST_ALPHA = 1e-10
#: Tables with more entries than this are left to refitting.
_MOST_ENTRIES = 2**26
#: Sums stay below this in size, and classes that were not seen start far below them.
_LARGEST_SUM, _UNSEEN = 60, -(2**62)


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


class DiscreteNBEvaluator(FastEvaluator):
    """Exact held-out losses of scikit-learn's ``BernoulliNB`` and ``CategoricalNB``.

    Parameters
    ----------
    problem : Problem
        One that `supports` accepts.

    Notes
    -----
    ``CategoricalNB`` refuses to predict a row with a category higher than all those of the training
    part. Here such a category is one that never occurred: its count is zero and the number of
    categories stays what it was.

    An array ``min_categories`` belongs to the columns of the whole table; subsets use their part.

    Log probabilities are rounded to integers (multiples of about 1e-14) and added up as such. So a
    subset has the same losses, bit for bit, in a list and among flips, and classes with the same
    probabilities tie exactly; then the first one is predicted.
    """

    def __init__(self, problem: Problem):
        super().__init__(problem)
        coding = _coding(problem)
        if coding is None:
            raise TypeError(f"{problem.estimator!r} is not supported on this problem")
        self._classes = np.asarray(problem.target.values, dtype=np.intp)
        order, self._position = rows_by_fold(problem.folds)
        tasks = [(problem, coding, fold) for fold in problem.folds]
        self._tables = run_in_threads(_table, tasks, problem.n_jobs)
        codes, factor = coding.codes, 1
        if problem.folds.leave_one_out:
            factor = problem.target.n_classes
            codes = codes * np.int32(factor) + self._classes.astype(np.int32)
        self._codes = np.take(codes, order, axis=1)
        self._offset = _offsets(coding) * factor

    @classmethod
    def supports(cls, problem: Problem) -> bool:
        """Whether this class gives exactly what refitting the learner would give."""
        coding = _coding(problem)
        if coding is None:
            return False
        n_classes = problem.target.n_classes
        n_models = n_classes if problem.folds.leave_one_out else 1
        return int(_offsets(coding)[-1]) * n_classes * n_models <= _MOST_ENTRIES

    def _held_out(self, subsets: Sequence[Subset], fold: Fold, test: IntArray) -> FloatArray:
        lists = joined(self.problem.columns.columns_of(subset) for subset in subsets)
        return self._losses_of(lists.columns[:0], lists, np.ones(len(subsets), np.intp), fold, test)

    def _held_out_flips(self, flips: Flips, fold: Fold, test: IntArray) -> FloatArray:
        columns = self.problem.columns
        lists = joined(columns.variables[v] for v in flips.variables)
        signs = np.array([-1 if v in flips.base else 1 for v in flips.variables], dtype=np.intp)
        return self._losses_of(columns.columns_of(flips.base), lists, signs, fold, test)

    def _losses_of(
        self, base: IntArray, lists: Lists, signs: IntArray, fold: Fold, test: IntArray
    ) -> FloatArray:
        table = self._tables[fold.index]
        loss = int(self.problem.row_loss)
        tested = Tested(self._position[test], self._classes[test], table.prior, loss)
        out = np.empty((len(signs), len(test)))
        table_flips(
            self._codes, table.levels, self._offset, tested, table.unit, base, lists, signs, out
        )
        return out


@dataclass(frozen=True, eq=False)
class _Table:
    """Log probabilities learned from a training part, in multiples of ``unit``.

    In leave-one-out, a level is split by the class of the row that has it: (level, class of row).
    """

    levels: IntArray  # (n_classes, n_levels)
    prior: IntArray  # (n_classes, n_classes), as in `Tested`
    unit: float


def _table(problem: Problem, coding: Coding, fold: Fold) -> _Table:
    classes, n_classes = problem.target.values, problem.target.n_classes
    rows = np.arange(len(classes)) if fold.train is None else fold.train
    offset = _offsets(coding)
    counts = np.empty((offset[-1], n_classes))
    for codes, first, last in zip(coding.codes, offset[:-1], offset[1:], strict=True):
        cells = codes[rows] * np.intp(n_classes) + classes[rows]
        counts[first:last] = np.bincount(cells, minlength=(last - first) * n_classes).reshape(
            last - first, n_classes
        )
    code = np.arange(offset[-1]) - np.repeat(offset[:-1], np.diff(offset))
    n_levels, n_without = _numbers_of_levels(coding, offset, code, counts.sum(axis=1))
    totals = class_counts(problem, fold)
    prior = coding.log_prior(totals)
    if fold.train is None:
        counts = np.maximum(counts[:, None, :] - np.eye(n_classes), 0.0)
        code, n_levels = code[:, None], n_without[:, None]
    else:
        totals = totals[0]
    logs = coding.log_probability(code[..., None], counts, totals, n_levels[..., None])
    return _rounded(logs.reshape(-1, n_classes).T, prior, len(coding.codes))


def _numbers_of_levels(
    coding: Coding, offset: IntArray, code: IntArray, rows: FloatArray
) -> tuple[IntArray, IntArray]:
    """Return, for each level, how many there are in its column, and how many without a row of it.

    The latter are fewer if the level is the highest and the row the only one that has it.
    """
    seen = np.where(rows > 0, code, -1)
    highest = np.maximum.reduceat(seen, offset[:-1])
    is_highest = code == np.repeat(highest, np.diff(offset))
    next_highest = np.maximum.reduceat(np.where(is_highest, -1, seen), offset[:-1])
    n_levels = np.repeat(np.maximum(highest + 1, coding.least_levels), np.diff(offset))
    n_fewer = np.repeat(np.maximum(next_highest + 1, coding.least_levels), np.diff(offset))
    return n_levels, np.where(is_highest & (rows == 1), n_fewer, n_levels)


def _rounded(logs: FloatArray, prior: FloatArray, n_columns: int) -> _Table:
    """Turn log probabilities into integers so large that no sum over columns overflows."""
    seen = np.isfinite(prior)
    largest = max(n_columns * np.abs(logs).max() + np.abs(prior[seen]).max(), 1024.0)
    scale = 2.0 ** (_LARGEST_SUM - np.ceil(np.log2(largest)))
    whole = np.full(prior.shape, _UNSEEN, dtype=np.int64)
    whole[seen] = np.rint(prior[seen] * scale)
    levels = np.ascontiguousarray(np.rint(logs * scale).astype(np.int64))
    return _Table(levels, whole, 1.0 / scale)


def _offsets(coding: Coding) -> IntArray:
    """Where the levels of each column start (and the last ones end) in the table."""
    n_levels = np.maximum(coding.codes.max(axis=1) + 1, coding.least_levels)
    return np.concatenate([[0], np.cumsum(n_levels)]).astype(np.intp)


def _coding(problem: Problem) -> Coding | None:
    builder = BUILDERS.get(type(problem.estimator))
    return None if builder is None else builder(problem)


def _bernoulli(problem: Problem) -> Coding | None:
    estimator: Any = problem.estimator
    alpha, log_prior = _alpha(estimator), _log_prior(problem)
    if not is_plain(problem) or log_prior is None or alpha < 1e-15 * problem.columns.n_rows:
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
    estimator: Any = problem.estimator
    alpha, log_prior = _alpha(estimator), _log_prior(problem)
    if not is_plain(problem) or log_prior is None or alpha < _LEAST_ALPHA:
        return None
    values: FloatArray = problem.columns.matrix.T
    if not all((column >= 0).all() and (column == np.rint(column)).all() for column in values):
        return None
    least = np.asarray(1 if estimator.min_categories is None else estimator.min_categories)
    if not (np.issubdtype(least.dtype, np.signedinteger) and least.shape in ((), (len(values),))):
        return None
    if values.max() * problem.target.n_classes > _MOST_ENTRIES:
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


def joined(lists: Iterable[IntArray]) -> Lists:
    """Lay lists of columns end to end: where each starts (and the last ends), and the columns."""
    parts = list(lists)
    starts = np.zeros(len(parts) + 1, dtype=np.intp)
    np.cumsum([len(part) for part in parts], out=starts[1:])
    return Lists(starts, np.concatenate([np.empty(0, dtype=np.intp), *parts]))


def rows_by_fold(folds: Folds) -> tuple[IntArray, IntArray]:
    """Order the rows so that those tested together are neighbours; and where each one went."""
    when = np.full(folds.n_rows, len(folds))
    for fold in reversed(folds.folds):
        when[fold.test] = fold.index
    order = np.argsort(when, kind="stable")
    position = np.empty_like(order)
    position[order] = np.arange(folds.n_rows)
    return order, position


def class_counts(problem: Problem, fold: Fold) -> FloatArray:
    """Rows of each class (second axis) that a row of each class (first axis) is predicted from."""
    classes, n_classes = problem.target.values, problem.target.n_classes
    rows = slice(None) if fold.train is None else fold.train
    counts = np.tile(np.bincount(classes[rows], minlength=n_classes), (n_classes, 1))
    if fold.train is None:
        counts -= np.eye(n_classes, dtype=counts.dtype)
    return counts.astype(np.float64)


def is_plain(problem: Problem) -> bool:
    """Whether classes are predicted from numbers, none missing, under a per-row loss."""
    columns = problem.columns
    return (
        problem.loss is not None
        and problem.loss.for_classification
        and problem.target.classes is not None
        and problem.weights is None
        and columns.is_numeric
        and not columns.n_missing.any()
        and not scipy.sparse.issparse(columns.table)
    )
