"""Naive Bayes on discrete columns: scores are sums of entries of a table, one per column."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.kernels._class_scores import Tested
from thresher.kernels.discrete_nb import table_flips
from thresher.parallel import run_in_threads

from ._base import FastEvaluator
from ._discrete_coding import MOST_ENTRIES, Coding, coding_of
from ._folds import Fold
from ._lists import Lists, chosen, joined
from ._naive_bayes import class_counts, rows_by_fold
from ._problem import Problem
from ._subsets import Flips, Subset

__all__ = ["DiscreteNBEvaluator"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Sums stay below this in size, and classes that were not seen start far below them.
_LARGEST_SUM, _UNSEEN = 60, -(2**62)


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
        coding = coding_of(problem)
        if coding is None:
            raise TypeError(f"{problem.estimator!r} is not supported on this problem")
        self._classes = np.asarray(problem.target.values, dtype=np.intp)
        self._variables = joined(problem.columns.variables)
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
        coding = coding_of(problem)
        if coding is None:
            return False
        n_classes = problem.target.n_classes
        n_models = n_classes if problem.folds.leave_one_out else 1
        return int(_offsets(coding)[-1]) * n_classes * n_models <= MOST_ENTRIES

    def _held_out(self, subsets: Sequence[Subset], fold: Fold, test: IntArray) -> FloatArray:
        lists = joined(self.problem.columns.columns_of(subset) for subset in subsets)
        return self._losses_of(lists.columns[:0], lists, np.ones(len(subsets), np.intp), fold, test)

    def _held_out_flips(self, flips: Flips, fold: Fold, test: IntArray) -> FloatArray:
        base = self.problem.columns.columns_of(flips.base)
        lists = chosen(self._variables, np.array(flips.variables))
        signs = np.array([-1 if v in flips.base else 1 for v in flips.variables], dtype=np.intp)
        return self._losses_of(base, lists, signs, fold, test)

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
