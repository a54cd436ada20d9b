"""A table as whole numbers: distances between its rows are sums without rounding."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Columns

from ._levels import refuse_other_kinds

__all__ = [
    "FINER",
    "MISSING",
    "WHOLE",
    "Coding",
    "as_queries",
    "code_numbers",
    "learn_coding",
    "steps_of",
]

FloatArray = NDArray[np.float64]
CodeArray = NDArray[np.int32]

#: The most that a column adds to a distance; it is rounded to whole numbers.
WHOLE = 2**20
#: Places in a range are finer by this factor: distances are rounded, and not the ends of them, so
#: that 1 is as far from 2 as 2 from 3 even if the range is 3.
FINER = 2**9
#: Missing cells in training and in queries: as far from each other and from all else as can be.
MISSING, MISSING_QUERY = 2**30, -(2**29)
#: A level that was not there in training.
_UNSEEN = -1


@dataclass(frozen=True, eq=False)
class Coding:
    """How cells become codes, learned from the training rows.

    Parameters
    ----------
    low, high : arrays of shape (n_columns,)
        The range of each column of numbers; NaN if it has no known cell, or holds levels.
    labels : dict of int to dict
        The code of each level of each other column.
    """

    low: FloatArray
    high: FloatArray
    labels: dict[int, dict[str, int]]

    @property
    def nominal(self) -> NDArray[np.bool_]:
        """Which columns hold levels."""
        return np.array([p in self.labels for p in range(len(self.low))])

    def codes(self, columns: Columns) -> CodeArray:
        """Code of each cell, (columns, rows)."""
        filled = [bool(self.labels.get(p)) or low == low for p, low in enumerate(self.low)]
        refuse_other_kinds(self.labels, np.array(filled), columns)
        codes = np.full((columns.n_columns, columns.n_rows), MISSING, dtype=np.int32)
        text = columns.has_levels
        for part, block in columns.numeric_blocks(np.flatnonzero(~text).tolist()):
            codes[part] = code_numbers(block.T, self.low[part], self.high[part])
        for p in np.flatnonzero(text).tolist():
            numbers, present = columns.levels(p)
            known = self.labels.get(p, {})
            code_of = [known.get(label, _UNSEEN) for label in present]
            codes[p] = np.array([*code_of, MISSING])[numbers]  # missing, -1, finds the last entry
        return codes


def learn_coding(columns: Columns) -> tuple[Coding, CodeArray]:
    """Find the ranges and levels of a training table, and code it."""
    low, high = np.full(columns.n_columns, np.nan), np.full(columns.n_columns, np.nan)
    text = columns.has_levels
    for part, block in columns.numeric_blocks(np.flatnonzero(~text).tolist()):
        low[part], high[part] = np.fmin.reduce(block), np.fmax.reduce(block)
    labels = {
        p: {label: k for k, label in enumerate(columns.levels(p)[1])}
        for p in np.flatnonzero(text).tolist()
    }
    coding = Coding(low, high, labels)
    return coding, coding.codes(columns)


def code_numbers(values: FloatArray, low: FloatArray, high: FloatArray) -> CodeArray:
    """Code numbers by their place in a range; what is beyond it counts as its end.

    Parameters
    ----------
    values : array of shape (n_columns, n_rows)
        NaN where a cell is missing.
    low, high : arrays of shape (n_columns,)
        The range of each column. Where it is a point, all known values have the same code; where
        it is NaN, all are missing.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([[0.0, 5.0, 10.0, 99.0, np.nan]])
    >>> code_numbers(values, np.array([0.0]), np.array([10.0])).tolist()
    [[0, 268435456, 536870912, 536870912, 1073741824]]
    """
    low, high = low[:, None], high[:, None]
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        # the difference of two huge numbers is infinite, that of their halves is not
        half = np.where(np.isinf(high - low), 0.5, 1.0)
        span = high * half - low * half
        place = np.clip(values, low, high) * half - low * half
        share = np.where(span > 0, place / span, place)
    codes = np.rint(share * (WHOLE * FINER))
    return np.where(np.isnan(codes), MISSING, codes).astype(np.int32)


def as_queries(codes: Any) -> CodeArray:
    """Codes of rows to be predicted: a missing cell is not like that of a training row either."""
    return np.where(codes == MISSING, np.int32(MISSING_QUERY), codes).astype(np.int32)


def steps_of(nominal: NDArray[np.bool_]) -> CodeArray:
    """Return what makes distances of codes, (4, columns): see ``kernels._oblivious_distances``.

    Numbers differ by up to `WHOLE`; levels, by 1 or not at all, and that is `WHOLE`.
    """
    shift = FINER.bit_length() - 1
    of_numbers, of_levels = (FINER // 2, shift, WHOLE, 1), (0, 0, 1, WHOLE)
    chosen = np.where(nominal, np.array(of_levels)[:, None], np.array(of_numbers)[:, None])
    return chosen.astype(np.int32)
