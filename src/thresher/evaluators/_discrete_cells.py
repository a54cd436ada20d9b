"""A table as the numbers of its values, found once and for all folds."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Columns
from thresher.kernels.values import code_values, turn
from thresher.learners._levels import values_of

__all__ = ["Cells", "look_at"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
CodeArray = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Cells:
    """What is in a table, whatever the folds.

    Parameters
    ----------
    codes : array of shape (n_columns, n_rows)
        The number of each cell's value among those of its column, in order; of its level, where a
        column holds no numbers; ``n_values`` where it is missing.
    n_values : array of shape (n_columns,)
        Values or levels of each column; for those to be cut, the largest number of bins.
    found : array of shape (n_columns, n_bins + 1)
        The values, in order; NaN for columns that hold no numbers.
    binned : array of int
        Columns with more values than bins. Where to cut depends on the fold, and so do their codes:
        whoever cuts them fills these in.
    offset : array of shape (n_columns + 1,)
        Where the levels of each column start when all are in one row; where cells are missing, the
        last one of a column stands for them.
    """

    codes: CodeArray
    n_values: IntArray
    found: FloatArray
    binned: IntArray
    offset: IntArray

    @property
    def values(self) -> FloatArray:
        """What each level stands for; NaN if that is no number."""
        width = np.diff(self.offset)
        column = np.repeat(np.arange(len(width)), width)
        number = np.arange(len(column)) - np.repeat(self.offset[:-1], width)
        values = np.full(len(column), np.nan)
        known = number < np.minimum(self.n_values, self.found.shape[1])[column]
        values[known] = self.found[column[known], number[known]]
        return values


def look_at(columns: Columns, n_bins: int) -> Cells:
    """Find the values of all columns, and code their cells.

    Examples
    --------
    >>> import numpy as np
    >>> from thresher.columns import read_columns
    >>> cells = look_at(read_columns(np.array([[5.0, 1.0], [3.0, 2.0], [5.0, 3.0]])), n_bins=2)
    >>> cells.codes[0].tolist(), cells.found[0, :2].tolist(), cells.binned.tolist()
    ([1, 0, 1], [3.0, 5.0], [1])
    """
    text = columns.has_levels
    codes = np.zeros((columns.n_columns, columns.n_rows), dtype=np.int32)
    found = np.full((columns.n_columns, n_bins + 1), np.nan)
    n_values = np.zeros(columns.n_columns, dtype=np.intp)
    for positions, block in columns.numeric_blocks(np.flatnonzero(~text).tolist()):
        values = _turned(block)
        some, n_some = values_of(values, n_bins)
        code_values(values, some, n_some, positions, codes)
        found[positions], n_values[positions] = some, n_some
    binned = np.flatnonzero(n_values > n_bins)
    n_values[binned] = n_bins
    for p in np.flatnonzero(text).tolist():
        numbers, levels = columns.levels(p)
        n_values[p] = len(levels)
        codes[p] = np.where(numbers < 0, len(levels), numbers)
    width = n_values + (columns.n_missing > 0)
    offset = np.concatenate([[0], np.cumsum(width)]).astype(np.intp)
    return Cells(codes, n_values, found, binned, offset)


def _turned(block: FloatArray) -> FloatArray:
    """Columns as rows, in C order."""
    if block.T.flags.c_contiguous:
        return block.T
    turned = np.empty(block.shape[::-1])
    turn(block, turned)
    return turned
