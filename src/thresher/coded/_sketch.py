"""What is remembered of a column of numbers that is seen once: enough to cut it into bins."""

import numpy as np
from numpy.typing import NDArray

from thresher.columns import ColumnCodes
from thresher.kernels.binning import assign_codes
from thresher.kernels.sketch import add_runs, count_values, weighted_edges

__all__ = ["NumberSketch"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Values that are sorted together. A rank is wrong by at most ``log2(n_rows / PART) / PART`` of the
#: rows, a fraction of a bin.
PART = 4096


class NumberSketch:
    """Distinct values with their counts while they are few, and then a sketch of quantiles.

    The result depends on the values and their order only, not on how many come at a time.

    Parameters
    ----------
    n_rows : int
        How many values there can be.
    max_values : int
        Up to so many distinct values are all kept.

    Examples
    --------
    >>> sketch = NumberSketch(5, 3)
    >>> for part in ([2.0, 1.0], [2.0, np.nan, 5.0]):
    ...     _ = sketch.add(np.array(part))
    >>> sketch.n_missing, sketch.points()[0].tolist(), sketch.points()[1].tolist()
    (1, [1.0, 2.0, 5.0], [1, 2, 1])
    """

    def __init__(self, n_rows: int, max_values: int):
        self.n_missing = 0
        self._n_rows = n_rows
        self._found = np.empty(max_values)
        self._counts = np.zeros(max_values, dtype=np.int64)
        self._n_found = 0
        #: Values that are to be sorted when there are enough; None while distinct ones are few.
        self._rest: FloatArray | None = None

    def add(self, values: FloatArray) -> bool:
        """Take note of more values; return whether all are finite or missing."""
        missing = np.isnan(values)
        n_missing = int(missing.sum())
        known = values[~missing] if n_missing else values
        if np.isinf(known).any():
            return False
        self.n_missing += n_missing
        if self._rest is None:
            self._n_found, n_seen = count_values(known, self._found, self._counts, self._n_found)
            known = known[n_seen:]
            if not len(known):
                return True
            self._make_room()
        self._add_many(known)
        return True

    @property
    def is_constant(self) -> bool:
        """Whether all cells are the same, missing or not."""
        n_kinds = self._n_found + (self.n_missing > 0)
        return self._rest is None and n_kinds <= 1

    def points(self) -> tuple[FloatArray, NDArray[np.int64]]:
        """Values in ascending order, and how many rows each stands for."""
        values = [self._found[: self._n_found]]
        weights = [self._counts[: self._n_found]]
        if self._rest is not None:
            values.append(self._rest)
            weights.append(np.ones(len(self._rest), dtype=np.int64))
            for level in np.flatnonzero(self._occupied).tolist():
                values.append(self._runs[level])
                weights.append(np.full(PART // 2, 2 ** (level + 1), dtype=np.int64))
        distinct, place = np.unique(np.concatenate(values), return_inverse=True)
        total = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(total, place, np.concatenate(weights))
        return distinct, total

    def cut(self, max_bins: int) -> ColumnCodes:
        """Cut into bins that are about equally filled; counts are not known yet."""
        values, weights = self.points()
        edges = weighted_edges(values, weights, max_bins)
        code = np.empty(len(values), dtype=np.intp)
        assign_codes(values, edges, 0, code)
        n_bins = len(edges) + 1
        middle = np.array([_middle(values[code == k], weights[code == k]) for k in range(n_bins)])
        return ColumnCodes(edges, middle, (), np.zeros(n_bins + 1, dtype=np.intp))

    def _make_room(self) -> None:
        n_levels = max(1, int(np.ceil(np.log2(max(2.0, self._n_rows / PART)))) + 2)
        self._rest = np.empty(0)
        self._runs = np.empty((n_levels, PART // 2))
        self._occupied = np.zeros(n_levels, dtype=np.int64)
        self._odd = np.zeros(n_levels + 1, dtype=np.int64)

    def _add_many(self, values: FloatArray) -> None:
        assert self._rest is not None
        waiting = np.concatenate([self._rest, values]) if len(self._rest) else values
        n_whole = len(waiting) // PART * PART
        self._rest = waiting[n_whole:].copy()
        if n_whole:
            parts = np.sort(waiting[:n_whole].reshape(-1, PART), axis=1)
            add_runs(parts, self._runs, self._occupied, self._odd)


def _middle(values: FloatArray, weights: NDArray[np.int64]) -> float:
    """Return the weighted median, a value that was seen; 0 if there is none."""
    if not len(values):
        return 0.0
    below = np.cumsum(weights)
    return float(values[np.searchsorted(below, 0.5 * below[-1])])
