"""Tables for `DiscreteNB`: levels are those of each training part, as for the learner."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.columns import CodedColumns
from thresher.kernels.levels import LEAST, count_levels, log_levels, log_levels_without
from thresher.learners import DiscreteNB
from thresher.learners._discrete_nb import (
    LARGEST_SUM,
    SCALE,
    m_of,
    n_bins_of,
    table_height,
)
from thresher.learners._levels import cut_numbers
from thresher.parallel import run_in_threads

from ._discrete_cells import Cells, look_at
from ._discrete_groups import RowGroups
from ._discrete_priors import fold_priors
from ._discrete_stored import stored_coding
from ._discrete_tables import MOST_ENTRIES, Coded, Coding, Table
from ._folds import Fold, Folds
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
    if isinstance(problem.columns, CodedColumns):
        widths = np.array([own.n_bins for own in problem.columns.coding])
        fits = _sums_fit(m, widths, problem.columns.n_rows)
        return stored_coding(problem, learner, problem.columns) if fits else None
    cells = look_at(problem.columns, n_bins)
    # without one row, the bins of a column may be others
    if problem.folds.leave_one_out and len(cells.binned):
        return None
    if not _sums_fit(m, cells.n_values, problem.columns.n_rows):
        return None
    return _LevelCoding(problem, learner, cells)


@dataclass(frozen=True, eq=False)
class _LevelCoding(Coding):
    """The values of the whole table, or bins, and what each training part makes of them.

    Values that a training part does not have are given what their nearest neighbour has. What it
    knows nothing of has zeros in its table.
    """

    problem: Problem
    learner: DiscreteNB
    cells: Cells

    @property
    def n_levels(self) -> int:
        """Levels of all columns together."""
        return int(self.cells.offset[-1])

    def coded(self) -> Coded:
        """Count values for all training parts at once; cut the other columns in each by itself."""
        cells, folds = self.cells, self.problem.folds
        codes, n_levels = cells.codes, np.array(cells.n_values)
        n_levels[cells.binned] = 0  # not yet
        counts = RowGroups(self.problem).counts(codes, cells.offset, n_levels)
        parts = [_Part(self, fold, counts[fold.index]) for fold in folds]
        columns = self.problem.columns
        for positions, block in columns.numeric_blocks(cells.binned.tolist()):
            values = np.ascontiguousarray(block.T)
            tasks = [(part, positions, values, codes) for part in parts]
            run_in_threads(_Part.cut, tasks, self.problem.n_jobs)
        values = cells.values
        return Coded.of(codes, cells.offset, [part.table(values) for part in parts])


class _Part:
    """What is learned from one training part, whose values are counted already."""

    def __init__(self, coding: _LevelCoding, fold: Fold, counts: FloatArray):
        self.problem, self.learner, self.cells = coding.problem, coding.learner, coding.cells
        self.fold, self.counts = fold, counts
        columns = self.problem.columns
        self.train = np.arange(columns.n_rows) if fold.train is None else fold.train
        self.n_levels = np.full(columns.n_columns, -1, dtype=np.intp)  # as `log_levels` wants it

    def cut(self, positions: IntArray, values: FloatArray, codes: CodeArray) -> None:
        """Cut some columns into bins, count those, and code the rows to be tested."""
        train, cells = self.train, self.cells
        known = np.take(values, train, axis=1)
        ones, equal_width = np.ones(len(train)), self.learner.binning == "width"
        cuts = cut_numbers(known, ones, n_bins=n_bins_of(self.learner), equal_width=equal_width)
        self.n_levels[positions] = cuts.n_levels
        classes = np.asarray(self.problem.target.values, dtype=np.intp)[train]
        rows, starts = np.arange(len(train)), cells.offset[positions]
        count_levels(cuts.codes(known), rows, classes, ones, starts, self.counts)
        missing = cells.n_values[positions].astype(np.int32)
        tested = np.ascontiguousarray(values[:, self.fold.test])
        codes[positions[:, None], self.fold.test] = cuts.codes(tested, missing)

    def table(self, values: FloatArray) -> Table:
        """Log probabilities from what was counted."""
        n_levels, n_classes = self.counts.shape
        m, offset = m_of(self.learner), self.cells.offset
        height = table_height(m, n_classes)
        if self.fold.train is None:
            levels = np.empty((height, n_levels * n_classes), dtype=np.int64)
            nominal = self.problem.columns.has_levels
            log_levels_without(self.counts, offset, nominal, values, m, SCALE, levels)
        else:
            levels = np.empty((height, n_levels), dtype=np.int64)
            log_levels(self.counts, offset, self.n_levels, values, m, SCALE, levels)
        prior = fold_priors(self.problem, self.learner, self.fold, height)
        return Table(levels, prior, 1.0 / SCALE)


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
