"""Tables of numbers and levels as one array of floats."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Columns

from ._levels import refuse_other_kinds

__all__ = ["HUGE", "LazyTable", "read_table", "too_large"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Numbers must be smaller than this, so that sums of their squares are finite.
HUGE = 1e100


@dataclass(frozen=True, eq=False)
class LazyTable:
    """Training rows as floats.

    Parameters
    ----------
    values : array of shape (n_columns, n_rows)
        Numbers, or numbers of levels; NaN where a cell is missing.
    labels : dict of int to tuple of str
        The levels of each column that holds any.
    """

    values: FloatArray
    labels: dict[int, tuple[str, ...]]

    @property
    def n_levels(self) -> IntArray:
        """The number of levels of each column, 0 for numbers."""
        found = [len(self.labels.get(p, ())) for p in range(len(self.values))]
        return np.array(found, dtype=np.intp)

    def coded(self, columns: Columns) -> FloatArray:
        """Other rows in the same way, (columns, rows); NaN also for levels that are new."""
        known = np.asarray(~np.isnan(self.values).all(axis=1))
        refuse_other_kinds(self.labels, known, columns)
        others = read_table(columns)
        codes = others.values
        codes[~known] = np.nan
        for p, labels in others.labels.items():
            number_of = {label: k for k, label in enumerate(self.labels.get(p, ()))}
            numbers = np.array([number_of.get(label, np.nan) for label in labels] + [np.nan])
            places = np.where(np.isnan(codes[p]), len(labels), codes[p]).astype(np.intp)
            codes[p] = numbers[places]
        return codes


def read_table(columns: Columns) -> LazyTable:
    """Turn a dense table into floats.

    Examples
    --------
    >>> import pandas as pd
    >>> from thresher.columns import read_columns
    >>> frame = pd.DataFrame({"size": [2.5, 3.0, None], "colour": ["red", None, "blue"]})
    >>> table = read_table(read_columns(frame))
    >>> table.values.tolist(), table.labels
    ([[2.5, 3.0, nan], [1.0, nan, 0.0]], {1: ('blue', 'red')})
    """
    values = np.empty((columns.n_columns, columns.n_rows))
    text = columns.has_levels
    for positions, block in columns.numeric_blocks(np.flatnonzero(~text).tolist()):
        values[positions] = block.T
    labels: dict[int, tuple[str, ...]] = {}
    for p in np.flatnonzero(text).tolist():
        codes, labels[p] = columns.levels(p)
        values[p] = np.where(codes < 0, np.nan, codes)
    return LazyTable(values, labels)


def too_large(values: FloatArray) -> IntArray:
    """Positions of the columns, (columns, rows), that hold numbers whose squares may overflow."""
    return np.flatnonzero((np.abs(values) >= HUGE).any(axis=1))
