"""Tables for `DiscreteNB` on a coded table: the codes stay where they are, in a file most likely.

What differs from fold to fold is not the code of a cell, as in other tables, but what the codes
stand for: each has an entry of its own in the table of each fold.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.columns import CodedColumns, ColumnCodes
from thresher.kernels.contingency import count_pairs
from thresher.kernels.levels import log_levels
from thresher.learners import DiscreteNB
from thresher.learners._discrete_nb import SCALE, m_of, n_bins_of, table_height
from thresher.learners._levels import cut_numbers
from thresher.parallel import run_on_slices

from ._discrete_priors import fold_priors
from ._discrete_tables import Coded, Coding, Table
from ._folds import Folds
from ._problem import Problem

__all__ = ["StoredCoding", "stored_coding"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

_BYTE = 256
#: More groups of rows than this (in the same training parts, of one class) are left to refitting.
_MOST_RUNS = 2**16


def stored_coding(
    problem: Problem, learner: DiscreteNB, columns: CodedColumns
) -> "StoredCoding | None":
    """Code a problem on a coded table; None if only refitting will do."""
    if problem.folds.leave_one_out:
        return None
    found = _runs(problem)
    return None if found is None else StoredCoding(problem, learner, columns, *found)


@dataclass(frozen=True, eq=False)
class StoredCoding(Coding):
    """The codes of a table, and what they stand for in each fold.

    Parameters
    ----------
    problem : Problem
        The question.
    learner : DiscreteNB
        Its learner.
    columns : CodedColumns
        Its table.
    run_of_row : array of shape (n_rows,)
        Rows in the same training parts and of one class have the same number.
    times : array of shape (n_folds, n_groups)
        Whether each training part has the rows of each group; a group has a run for each class.
    """

    problem: Problem
    learner: DiscreteNB
    columns: CodedColumns
    run_of_row: NDArray[np.uint16]
    times: FloatArray

    @property
    def n_levels(self) -> int:
        """Levels of all columns together."""
        return int(self._offset[-1])

    @property
    def _offset(self) -> IntArray:
        width = [own.n_bins + 1 for own in self.columns.coding]
        return np.concatenate([[0], np.cumsum(width)]).astype(np.intp)

    def coded(self) -> Coded:
        """Count the codes of each column once, for all folds and classes."""
        columns, offset = self.columns, self._offset
        n_folds, n_groups = self.times.shape
        n_classes = self.problem.target.n_classes
        counts = np.zeros((n_folds, n_classes, int(offset[-1])))

        def count(part: slice) -> None:
            for j in range(columns.n_columns)[part]:
                cells = np.zeros((n_groups * n_classes, _BYTE), dtype=np.int64)
                count_pairs(self.run_of_row, columns.codes.column(j), cells)
                own = cells[:, : columns.coding[j].n_bins + 1].reshape(n_groups, -1)
                summed = (self.times @ own).reshape(n_folds, n_classes, -1)
                counts[:, :, offset[j] : offset[j + 1]] = summed

        run_on_slices(count, columns.n_columns, self.problem.n_jobs)
        tables = [self._table(fold.index, counts[fold.index]) for fold in self.problem.folds]
        codes = columns.codes.neighbours()
        if codes is None:
            columns.refuse_large(columns.n_rows, columns.n_columns, itemsize=1)
            codes = columns.codes.gather()
        return Coded.of(codes, offset, tables)

    def _table(self, fold: int, counts: FloatArray) -> Table:
        """Log probabilities of all codes: those of the levels that they belong to."""
        m, offset = m_of(self.learner), self._offset
        height = table_height(m, len(counts))
        entries = np.zeros((height, int(offset[-1])), dtype=np.int64)
        for j, own in enumerate(self.columns.coding):
            known = counts[:, offset[j] : offset[j + 1] - 1]
            level_of, n_levels = self._levels(j, own, known.sum(axis=0))
            some = np.zeros((max(n_levels, 1), len(counts)))
            np.add.at(some, np.maximum(level_of, 0), known.T)
            table = np.empty((height, len(some)), dtype=np.int64)
            log_levels(
                some, np.array([0, len(some)]), np.array([n_levels]), np.empty(0), m, SCALE, table
            )
            inside = level_of >= 0
            entries[:, offset[j] + np.flatnonzero(inside)] = table[:, level_of[inside]]
        prior = fold_priors(self.problem, self.learner, self.problem.folds.folds[fold], height)
        return Table(entries, prior, 1.0 / SCALE)

    def _levels(self, j: int, own: ColumnCodes, rows: FloatArray) -> tuple[IntArray, int]:
        """Level of each code, as the learner would find them in a training part; -1 for none."""
        present = rows > 0
        if not present.any():
            return np.full(own.n_bins, -1), 0
        if self.columns.has_levels[j]:
            return np.where(present, np.cumsum(present) - 1, -1), int(present.sum())
        known = np.ascontiguousarray(own.values[present])[None, :]
        cuts = cut_numbers(
            known, rows[present], n_bins=n_bins_of(self.learner),
            equal_width=self.learner.binning == "width",
        )  # fmt: skip
        every = np.ascontiguousarray(own.values)[None, :]
        return cuts.codes(every)[0].astype(np.intp), int(cuts.n_levels[0])


def _runs(problem: Problem) -> tuple[NDArray[np.uint16], FloatArray] | None:
    """Run of each row, and which groups each training part has; None if that is not so simple."""
    groups = _groups(problem.folds)
    if groups is None:
        return None
    group, times = groups
    n_classes = problem.target.n_classes
    if len(times.T) * n_classes > _MOST_RUNS:
        return None
    group *= np.uint16(n_classes)
    group += problem.target.values.astype(np.uint16)
    return group, times


def _groups(folds: Folds) -> tuple[NDArray[np.uint16], FloatArray] | None:
    """Rows in the same training parts, two bytes for each row; None if a row is in one twice."""
    group = np.zeros(folds.n_rows, dtype=np.uint16)
    patterns: list[tuple[int, ...]] = [()]
    for fold in folds:
        if fold.train is None:
            return None
        member = np.zeros(folds.n_rows, dtype=np.uint16)
        member[fold.train] = 1
        if int(member.sum(dtype=np.intp)) != len(fold.train) or 2 * len(patterns) > _MOST_RUNS:
            return None
        group *= np.uint16(2)
        group += member
        seen = np.flatnonzero(np.bincount(group, minlength=2 * len(patterns)))
        number_of = np.zeros(2 * len(patterns), dtype=np.uint16)
        number_of[seen] = np.arange(len(seen))
        group = number_of[group]
        patterns = [(*patterns[k // 2], int(k % 2)) for k in seen.tolist()]
    return group, np.array(patterns, dtype=np.float64).T
