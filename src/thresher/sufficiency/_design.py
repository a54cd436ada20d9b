"""A table as numbers for linear models."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Columns

__all__ = ["Design", "make_design"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Most levels of a category that get indicators; fewest rows of a level, or of missing cells, that
#: gets one.
MAX_LEVELS = 16
MIN_ROWS = 3
#: Standardised values are clipped here, so that a single outlier cannot dominate a model.
FARTHEST = 8.0


@dataclass(frozen=True, eq=False)
class Design:
    """Standardised numbers and indicators.

    Parameters
    ----------
    table : array of shape (n_rows, n_numbers)
        One column for each numeric column, level, or indicator of missing cells.
    of_variable : tuple of arrays of int
        The columns of the table that belong to each variable.
    """

    table: FloatArray
    of_variable: tuple[IntArray, ...]


def make_design(columns: Columns) -> Design:
    """Standardise numbers, fill gaps with the median, add indicators of levels and gaps."""
    numbers: list[FloatArray] = []
    of_variable = []
    for members in columns.variables:
        first = len(numbers)
        for position in members.tolist():
            numbers += _numbers(columns, position)
        of_variable.append(np.arange(first, len(numbers)))
    table = np.array(numbers).reshape(len(numbers), columns.n_rows).T
    return Design(np.ascontiguousarray(table), tuple(of_variable))


def _numbers(columns: Columns, position: int) -> list[FloatArray]:
    if columns.has_levels[position]:
        codes, levels = columns.levels(position)
        counts = np.bincount(codes[codes >= 0], minlength=len(levels))
        frequent = np.argsort(-counts, kind="stable")[:MAX_LEVELS]
        frequent = frequent[counts[frequent] >= MIN_ROWS]
        if counts[frequent].sum() == len(codes):
            frequent = frequent[1:]  # implied by the others
        return [_centred(codes == level) for level in frequent.tolist()]
    [(_, block)] = columns.numeric_blocks([position])
    values = block[:, 0].astype(np.float64)
    is_gap = np.isnan(values)
    n_gaps = int(is_gap.sum())
    if n_gaps == len(values):
        return []
    values = np.where(is_gap, np.nanmedian(values), values)
    spread = float(values.std())
    found = []
    if np.isfinite(spread) and spread > 0:
        found.append(np.clip((values - values.mean()) / spread, -FARTHEST, FARTHEST))
    if MIN_ROWS <= n_gaps <= len(values) - MIN_ROWS:
        found.append(_centred(is_gap))
    return found


def _centred(indicator: NDArray[np.bool_]) -> FloatArray:
    return np.asarray(indicator - float(indicator.mean()), dtype=np.float64)
