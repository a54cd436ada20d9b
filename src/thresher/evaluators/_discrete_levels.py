"""Tables for `DiscreteNB`: levels are learned anew from each training part, as the learner does."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.levels import (
    LEAST,
    count_levels,
    log_levels,
    log_levels_without,
)
from thresher.learners import DiscreteNB
from thresher.learners._discrete_nb import (
    LARGEST_SUM,
    SCALE,
    log_prior,
    m_of,
    n_bins_of,
    table_height,
)
from thresher.learners._levels import cut_numbers, values_of
from thresher.parallel import run_in_threads

from ._discrete_tables import MOST_ENTRIES, UNSEEN, Coded, Coding, Table
from ._folds import Fold, Folds
from ._naive_bayes import class_counts
from ._problem import Problem

__all__ = ["m_estimates"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
CodeArray = NDArray[np.int32]


def m_estimates(problem: Problem) -> Coding | None:
    """Code a problem for `DiscreteNB`; None if only refitting will do."""
    learner = problem.estimator
    if not isinstance(learner, DiscreteNB) or problem.weights is not None:
        return None
    if problem.loss is None or problem.target.classes is None or not _held_out_once(problem.folds):
        return None
    try:
        m, n_bins = m_of(learner), n_bins_of(learner)
    except ValueError:
        return None  # the learner itself will complain
    n_bins = min(n_bins, problem.columns.n_rows)
    if problem.columns.n_columns * (n_bins + 1) * problem.target.n_classes > MOST_ENTRIES:
        return None
    text = problem.columns.has_levels
    n_levels = np.zeros(len(text), dtype=np.intp)
    for p in np.flatnonzero(text).tolist():
        n_levels[p] = len(problem.columns.levels(p)[1])
    for positions, values in _numbers(problem):
        n_found = values_of(values, n_bins)[1]
        n_levels[positions] = np.minimum(n_found, n_bins)
        # without one row, the bins of a column may be others
        if problem.folds.leave_one_out and (n_found > n_bins).any():
            return None
    if not _sums_fit(m, n_levels, problem.columns.n_rows):
        return None
    return _LevelCoding(problem, learner, n_levels)


@dataclass(frozen=True, eq=False)
class _LevelCoding(Coding):
    """Columns with so many levels, or fewer in a training part; one more stands for missing cells.

    What a training part knows nothing of has zeros in its table.
    """

    problem: Problem
    learner: DiscreteNB
    n_values: IntArray

    @property
    def n_levels(self) -> int:
        """Levels of all columns together."""
        return int(self._offset()[-1])

    def coded(self) -> Coded:
        """Cut, code and count, a few columns at a time, with all folds in parallel."""
        columns, folds, offset = self.problem.columns, self.problem.folds, self._offset()
        codes = np.zeros((columns.n_columns, columns.n_rows), dtype=np.int32)
        parts = [_Part(self, fold, offset) for fold in folds]
        for positions, values in _numbers(self.problem):
            tasks = [(part, positions, values, codes) for part in parts]
            run_in_threads(_Part.learn_numbers, tasks, self.problem.n_jobs)
        for p in np.flatnonzero(columns.has_levels).tolist():
            numbers = columns.levels(p)[0]
            for part in parts:
                part.learn_levels(p, numbers)
            codes[p] = np.where(numbers < 0, self.n_values[p], numbers)
        return Coded.of(codes, offset, [part.table() for part in parts])

    def _offset(self) -> IntArray:
        width = self.n_values + (self.problem.columns.n_missing > 0)
        return np.concatenate([[0], np.cumsum(width)]).astype(np.intp)


class _Part:
    """What is learned from one training part."""

    def __init__(self, coding: _LevelCoding, fold: Fold, offset: IntArray):
        self.problem, self.learner, self.fold = coding.problem, coding.learner, fold
        self.n_values, self.offset = coding.n_values, offset
        self.train = np.arange(self.problem.columns.n_rows) if fold.train is None else fold.train
        self.classes = np.asarray(self.problem.target.values, dtype=np.intp)[self.train]
        self.counts = np.zeros((offset[-1], self.problem.target.n_classes))
        self.values = np.zeros(offset[-1] if fold.train is None else 0)
        self.n_levels = np.full(len(offset) - 1, -1, dtype=np.intp)  # as `log_levels` wants it

    def learn_numbers(self, positions: IntArray, values: FloatArray, codes: CodeArray) -> None:
        """Count the levels of some columns of numbers, and code the rows to be tested."""
        ones, n_bins = np.ones(len(self.train)), n_bins_of(self.learner)
        known = values if self.fold.train is None else np.take(values, self.train, axis=1)
        equal_width = self.learner.binning == "width"
        cuts = cut_numbers(known, ones, n_bins=n_bins, equal_width=equal_width)
        self.n_levels[positions] = cuts.n_levels
        self._count(cuts.codes(known), np.arange(len(self.train)), positions)
        missing = self.n_values[positions].astype(np.int32)
        tested = np.ascontiguousarray(values[:, self.fold.test])
        codes[positions[:, None], self.fold.test] = cuts.codes(tested, missing)
        if self.fold.train is None:
            found = values_of(values, int(self.n_values[positions].max()))[0]
            for p, in_order in zip(positions, found, strict=True):
                first, n = self.offset[p], self.n_values[p]
                self.values[first : first + n] = in_order[:n]

    def learn_levels(self, position: int, numbers: CodeArray) -> None:
        """Count the levels of a column that holds no numbers."""
        self._count(numbers[None], self.train, np.array([position]))

    def _count(self, codes: CodeArray, rows: IntArray, positions: IntArray) -> None:
        ones, starts = np.ones(len(rows)), self.offset[positions]
        count_levels(codes, rows, self.classes, ones, starts, self.counts)

    def table(self) -> Table:
        """Log probabilities from what was counted."""
        n_levels, n_classes = self.counts.shape
        m, offset = m_of(self.learner), self.offset
        height = table_height(m, n_classes)
        if self.fold.train is None:
            levels = np.empty((height, n_levels * n_classes), dtype=np.int64)
            nominal = self.problem.columns.has_levels
            log_levels_without(self.counts, offset, nominal, self.values, m, SCALE, levels)
        else:
            levels = np.empty((height, n_levels), dtype=np.int64)
            log_levels(self.counts, offset, self.n_levels, m, SCALE, levels)
        return Table(levels, self._prior(height), 1.0 / SCALE)

    def _prior(self, height: int) -> IntArray:
        counts = class_counts(self.problem, self.fold)
        prior = np.zeros((len(counts), height), dtype=np.int64)
        prior[:, : len(counts)] = UNSEEN
        for logs, rows in zip(prior, counts, strict=True):
            seen = np.flatnonzero(rows > 0)
            logs[seen] = np.rint(log_prior(self.learner.prior, rows[seen]) * SCALE)
        return prior


def _numbers(problem: Problem) -> Iterator[tuple[IntArray, FloatArray]]:
    """Yield the columns of numbers as (positions, values), the latter (columns, rows)."""
    positions = np.flatnonzero(~problem.columns.has_levels).tolist()
    for part, block in problem.columns.numeric_blocks(positions):
        yield part, np.ascontiguousarray(block.T)


def _held_out_once(folds: Folds) -> bool:
    """Whether no row is tested in two folds, where it might have two codes."""
    times = np.bincount(np.concatenate([fold.test for fold in folds]), minlength=folds.n_rows)
    return bool(times.max() == 1)


def _sums_fit(m: float, n_levels: IntArray, n_rows: int) -> bool:
    """Whether sums over all columns are so small that the learner need not round more coarsely."""
    most = float(n_levels.max(initial=1))
    equivalent = most if m < 0.0 else m
    least = equivalent / most / (n_rows + equivalent)
    return -math.log(max(least, LEAST)) * SCALE * len(n_levels) < LARGEST_SUM
