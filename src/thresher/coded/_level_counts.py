"""What is remembered of a column of levels that is seen once: the frequent ones, with counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from thresher.columns import ColumnCodes
from thresher.columns._stored_bins import frequent_levels

from ._kinds import as_text, dictionary_of

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["LevelCounts"]

#: More levels than this, or longer ones together, are not all remembered: counts are then too small
#: by at most ``n_rows / MOST_LEVELS``, and rare levels may be forgotten.
MOST_LEVELS = 10_000
MOST_LETTERS = 4_000_000
#: Rows after which superfluous levels are forgotten, wherever batches begin and end.
CHUNK = 2**16


class LevelCounts:
    """Levels of a column and how often they occur; the rarest are forgotten if there are too many.

    Parameters
    ----------
    declared : bool
        Whether columns declare their levels, whose order is then kept; else they are sorted.
    """

    def __init__(self, *, declared: bool = False):
        self.n_missing = 0
        self._declared: dict[str, int] | None = {} if declared else None
        self._counts: dict[str, int] = {}
        self._n_rows = 0
        self._n_forgotten = 0

    def add(self, column: pa.Array) -> None:
        """Take note of more cells."""
        if self._declared is not None and hasattr(column, "dictionary"):
            for level in dictionary_of(column):
                if level is not None and len(self._declared) < MOST_LEVELS:
                    self._declared.setdefault(level, len(self._declared))
        text = as_text(column)
        self.n_missing += text.null_count
        done = 0
        while done < len(text):
            size = min(len(text) - done, CHUNK - self._n_rows % CHUNK)
            self._count(text.slice(done, size))
            done += size
            self._n_rows += size
            if self._n_rows % CHUNK == 0:
                self._forget()

    @property
    def is_constant(self) -> bool:
        """Whether all cells are the same, missing or not."""
        return len(self._counts) + self._n_forgotten + (self.n_missing > 0) <= 1

    def cut(self, max_bins: int) -> ColumnCodes:
        """Levels that get a code of their own; counts are not known yet."""
        self._forget()
        order = self._declared or {}
        levels = sorted(self._counts, key=lambda level: (order.get(level, len(order)), level))
        kept: tuple[str | None, ...] = tuple(levels)
        if len(levels) > max_bins or self._n_forgotten:
            counts: NDArray[np.intp] = np.array([self._counts[level] for level in levels])
            max_bins = min(max_bins, len(levels) + 1)
            kept = (*(levels[k] for k in frequent_levels(counts, max_bins)[0]), None)
        none = np.empty(0)
        return ColumnCodes(none, none, kept, np.zeros(len(kept) + 1, dtype=np.intp))

    def _count(self, text: pa.Array) -> None:
        for struct in text.value_counts().to_pylist():
            level = struct["values"]
            if level is not None:
                self._counts[level] = self._counts.get(level, 0) + struct["counts"]

    def _forget(self) -> None:
        """Take as much from all counts as leaves no more levels than there is room for."""
        counts = self._counts
        most = MOST_LEVELS
        if len(counts) <= most and sum(map(len, counts)) <= MOST_LETTERS:
            return
        if sum(map(len, counts)) > MOST_LETTERS:
            most = min(most, max(256, len(counts) // 2))
        by_count = sorted(counts.values(), reverse=True)
        less = by_count[most] if len(by_count) > most else 0
        kept = {level: n - less for level, n in counts.items() if n > less}
        self._n_forgotten += len(counts) - len(kept)
        self._counts = kept
