"""A table as levels: categories as they are, numbers cut with an eye on the target."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.columns import CodedColumns, Columns
from thresher.evaluators import Target
from thresher.kernels.level_bits import set_level_bits
from thresher.kernels.mdl import mdl_columns
from thresher.learners._levels import Cuts, cut_numbers
from thresher.parallel import run_on_slices

from ._stored_levels import StoredLevels, stored_levels

__all__ = ["Leveled", "class_codes", "cut_by_mdl", "level_table", "logarithms"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


#: A target is cut into no more bins than leave each so many rows.
_ROWS_PER_BIN = 5
#: Beyond so many levels, counting rows one by one is faster than bit by bit.
FEW_LEVELS = 8


@dataclass(frozen=True, eq=False)
class LevelBits:
    """Columns of few levels as bits.

    Parameters
    ----------
    bits : uint64 array of shape (n_planes, n_words)
        For each level, the rows that have it.
    starts : int array of shape (n_columns,)
        The plane of each column's first level; -1 for columns that are not among them.
    sizes : int array of shape (n_planes,)
        How many rows have each level.
    """

    bits: NDArray[np.uint64]
    starts: IntArray
    sizes: IntArray


@dataclass(frozen=True, eq=False)
class Leveled:
    """A table of levels.

    Parameters
    ----------
    codes : integer array of shape (n_columns, n_rows)
        Level of each cell, -1 where it is missing.
    n_levels : array of shape (n_columns,)
        How many levels each column has.
    fitted : bool array of shape (n_columns,)
        Columns that were cut with an eye on the target.
    """

    codes: NDArray[Any]
    n_levels: IntArray
    fitted: NDArray[np.bool_]

    @property
    def n_columns(self) -> int:
        """The number of columns."""
        return len(self.codes)

    @cached_property
    def has_missing(self) -> NDArray[np.bool_]:
        """Columns with missing cells."""
        return np.array([bool((codes < 0).any()) for codes in self.codes], dtype=np.bool_)

    @cached_property
    def bits(self) -> LevelBits:
        """Columns of few levels, none missing, as bits."""
        few = ~self.has_missing & (self.n_levels <= FEW_LEVELS) & (self.n_levels > 0)
        starts = np.where(few, np.cumsum(self.n_levels * few) - self.n_levels * few, -1)
        n_planes = int((self.n_levels * few).sum())
        bits = np.zeros((n_planes, -(-self.codes.shape[1] // 64)), dtype=np.uint64)
        sizes = np.zeros(n_planes, dtype=np.intp)
        set_level_bits(self.codes, starts, bits, sizes)
        return LevelBits(bits, starts, sizes)

    def take(self, columns: IntArray) -> "Leveled":
        """Return a table of some of the columns."""
        return Leveled(self.codes[columns], self.n_levels[columns], self.fitted[columns])

    def missing_as_level(self) -> "Leveled":
        """Return the same table with missing cells as a level of their own."""
        gaps = self.has_missing
        codes = self.codes.copy()
        for j in np.flatnonzero(gaps):
            codes[j][codes[j] < 0] = self.n_levels[j]
        return Leveled(codes, self.n_levels + gaps, self.fitted)


def logarithms(n: int) -> FloatArray:
    """Return ``k * log2(k)`` for k = 0 .. n."""
    numbers = np.arange(n + 1, dtype=np.float64)
    return numbers * np.log2(np.maximum(numbers, 1.0))


def class_codes(target: Target, n_bins: int) -> IntArray:
    """Classes of the target; a numeric one is cut into about equally filled bins.

    Examples
    --------
    >>> from thresher.evaluators import make_target
    >>> class_codes(make_target([0.5, 3.0, 1.0, 2.0], classifier=False), 2).tolist()
    [0, 1, 0, 1]
    """
    if target.classes is not None:
        return np.asarray(target.values, dtype=np.intp)
    values = np.ascontiguousarray(target.values, dtype=np.float64)[None, :]
    n_bins = max(2, min(n_bins, values.shape[1] // _ROWS_PER_BIN))
    cuts = cut_numbers(values, np.ones(values.shape[1]), n_bins=n_bins, equal_width=False)
    return np.asarray(cuts.codes(values)[0], dtype=np.intp)


def cut_by_mdl(values: FloatArray, classes: IntArray) -> Cuts:
    """Cut columns of numbers, (columns, rows) with NaN where cells are missing, by MDL.

    Examples
    --------
    >>> values = np.array([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]])
    >>> cut_by_mdl(values, np.array([0, 0, 0, 0, 1, 1, 1, 1])).edges.tolist()
    [[4.5]]
    """
    n_columns, n_rows = values.shape
    order = np.argsort(values, axis=1)
    edges = np.zeros((n_columns, max(1, n_rows)))
    n_levels = np.zeros(n_columns, dtype=np.intp)
    n_classes = int(classes.max()) + 1
    mdl_columns(values, order, classes, n_classes, logarithms(n_rows), edges, n_levels)
    return Cuts(edges[:, : max(0, int(n_levels.max()) - 1)].copy(), n_levels)


def level_table(
    columns: Columns, classes: IntArray, cuts: str | int, n_jobs: int | None = None
) -> Leveled | StoredLevels:
    """Code a table as levels; one that is coded already stays where it is.

    Parameters
    ----------
    columns : Columns
        The table.
    classes : int array of shape (n_rows,)
        Class of each row.
    cuts : "mdl" or int
        How numbers are cut: with an eye on the classes, or into so many equally filled bins.
    n_jobs : int, optional
        Threads.
    """
    if isinstance(columns, CodedColumns):
        return stored_levels(columns, classes, cuts, n_jobs)
    text = columns.has_levels
    n_levels = np.zeros(columns.n_columns, dtype=np.intp)
    labelled = {p: columns.levels(p) for p in np.flatnonzero(text).tolist()}
    most = max([len(levels) for _, levels in labelled.values()], default=0)
    # no column is cut into more levels than it has rows
    small = max(most, columns.n_rows) < np.iinfo(np.int16).max
    codes = np.empty((columns.n_columns, columns.n_rows), dtype=np.int16 if small else np.int32)
    for p, (own, levels) in labelled.items():
        codes[p], n_levels[p] = own, len(levels)
    numbers = np.flatnonzero(~text).tolist()

    def cut(some: slice) -> None:
        for positions, block in columns.numeric_blocks(numbers[some]):
            values = np.ascontiguousarray(block.T)
            found = _cut(values, classes, cuts)
            codes[positions], n_levels[positions] = found.codes(values), found.n_levels

    run_on_slices(cut, len(numbers), n_jobs)
    return Leveled(codes, n_levels, ~text if cuts == "mdl" else np.zeros_like(text))


def _cut(values: FloatArray, classes: IntArray, cuts: str | int) -> Cuts:
    if cuts == "mdl":
        return cut_by_mdl(values, classes)
    return cut_numbers(values, np.ones(values.shape[1]), n_bins=int(cuts), equal_width=False)
