"""A coded table as levels: what columns tell about each other, from counts of their codes alone."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.columns import CodedColumns, Codes, ColumnCodes
from thresher.kernels.contingency import count_pairs, mdl_bins
from thresher.learners._levels import cut_numbers
from thresher.parallel import run_on_slices

__all__ = ["StoredLevels", "stored_levels"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Codes and classes below this fit into one byte.
_BYTE = 256


@dataclass(frozen=True, eq=False)
class StoredLevels:
    """A table of levels that stays where it is: each stored code stands for a level.

    Parameters
    ----------
    codes : Codes
        As they are stored.
    level_of : int array of shape (n_columns, 256)
        The level of each stored code; ``n_levels[j]`` where cells are missing.
    n_levels : array of shape (n_columns,)
        How many levels each column has.
    has_missing : bool array of shape (n_columns,)
        Columns with missing cells that are no level of their own.
    fitted : bool array of shape (n_columns,)
        Columns that were cut with an eye on the target.
    """

    codes: Codes
    level_of: IntArray
    n_levels: IntArray
    has_missing: NDArray[np.bool_]
    fitted: NDArray[np.bool_]

    @property
    def n_columns(self) -> int:
        """The number of columns."""
        return len(self.n_levels)

    def take(self, columns: IntArray) -> "StoredLevels":
        """Return a table of some of the columns."""
        return StoredLevels(
            self.codes.take(columns), self.level_of[columns], self.n_levels[columns],
            self.has_missing[columns], self.fitted[columns],
        )  # fmt: skip

    def missing_as_level(self) -> "StoredLevels":
        """Return the same table with missing cells as a level of their own."""
        return replace(
            self,
            n_levels=self.n_levels + self.has_missing,
            has_missing=np.zeros_like(self.has_missing),
        )

    def entropies_with(
        self, codes: NDArray[Any], n_levels: int, n_jobs: int | None = None
    ) -> FloatArray:
        """Entropies of a column of levels, of each column here, and of both: (n_columns, 3)."""
        one = np.where(codes < 0, n_levels, codes)
        one = one.astype(np.uint8 if n_levels < _BYTE else np.int32)
        out = np.zeros((self.n_columns, 3))

        def compare(part: slice) -> None:
            for j in range(self.n_columns)[part]:
                counts = np.zeros((n_levels + 1, _BYTE), dtype=np.int64)
                count_pairs(one, self.codes.column(j), counts)
                out[j] = _entropies(self._leveled(counts, j))

        run_on_slices(compare, self.n_columns, n_jobs)
        return out

    def entropies_within(self, one: int, columns: IntArray, n_jobs: int | None) -> FloatArray:
        """The same for one of these columns and some others: (len(columns), 3)."""
        first = self.codes.column(one)
        out = np.zeros((len(columns), 3))

        def compare(part: slice) -> None:
            for k in range(len(columns))[part]:
                j = int(columns[k])
                counts = np.zeros((_BYTE, _BYTE), dtype=np.int64)
                count_pairs(first, self.codes.column(j), counts)
                out[k] = _entropies(self._leveled(self._leveled(counts, j).T, one).T)

        run_on_slices(compare, len(columns), n_jobs)
        return out

    def _leveled(self, counts: NDArray[np.int64], j: int) -> NDArray[np.int64]:
        """Add up counts of stored codes, on the last axis, over levels; missing cells last."""
        n_levels = int(self.n_levels[j])
        found = np.zeros((n_levels + 1, len(counts)), dtype=np.int64)
        np.add.at(found, np.minimum(self.level_of[j], n_levels), counts.T)
        return found.T


def stored_levels(
    columns: CodedColumns, classes: IntArray, cuts: str | int, n_jobs: int | None = None
) -> StoredLevels:
    """Turn codes into levels: see `thresher.filters._levels.level_table`."""
    n_classes = int(classes.max()) + 1
    small = classes.astype(np.uint8 if n_classes <= _BYTE else np.int32)
    text = columns.has_levels
    level_of = np.tile(np.arange(_BYTE, dtype=np.intp), (columns.n_columns, 1))
    n_levels = np.array([own.n_bins for own in columns.coding], dtype=np.intp)

    def cut(part: slice) -> None:
        for j in range(columns.n_columns)[part]:
            own = columns.coding[j]
            if text[j]:
                continue
            if cuts == "mdl":
                counts = np.zeros((_BYTE, n_classes), dtype=np.int64)
                count_pairs(columns.codes.column(j), small, counts)
                found, n_levels[j] = _by_mdl(counts[: own.n_bins])
            else:
                found, n_levels[j] = _equally_filled(own, int(cuts))
            level_of[j, : own.n_bins] = found
            level_of[j, own.n_bins :] = n_levels[j]

    run_on_slices(cut, columns.n_columns, n_jobs)
    fitted = ~text if cuts == "mdl" else np.zeros_like(text)
    return StoredLevels(columns.codes, level_of, n_levels, columns.n_missing > 0, fitted)


def _by_mdl(counts: NDArray[np.int64]) -> tuple[IntArray, int]:
    present = counts.any(axis=1)
    if not present.any():
        return np.zeros(len(counts), dtype=np.intp), 0
    levels = np.zeros(int(present.sum()), dtype=np.intp)
    n_levels = mdl_bins(counts[present].astype(np.float64), levels)
    return levels[np.maximum(np.cumsum(present) - 1, 0)], int(n_levels)


def _equally_filled(own: ColumnCodes, n_bins: int) -> tuple[IntArray, int]:
    present = own.counts[:-1] > 0
    if not present.any():
        return np.zeros(own.n_bins, dtype=np.intp), 0
    known = np.ascontiguousarray(own.values[present])[None, :]
    weights = own.counts[:-1][present].astype(np.float64)
    found = cut_numbers(known, weights, n_bins=n_bins, equal_width=False)
    every = np.ascontiguousarray(own.values)[None, :]
    return found.codes(every)[0].astype(np.intp), int(found.n_levels[0])


def _entropies(counts: NDArray[np.int64]) -> FloatArray:
    """Entropies of the rows, the columns and both of a table whose last ones are missing cells.

    Missing cells are spread as in the kernel ``entropies``.
    """
    known = counts[:-1, :-1].astype(np.float64)
    lost_one, lost_other = counts[-1, :-1], counts[:-1, -1]
    lost_both = float(counts[-1, -1])
    n_first, n_second = float(counts[:-1].sum()), float(counts[:, :-1].sum())
    cells = known
    if counts[-1].any() or counts[:, -1].any():
        cells = known.copy()
        if n_first > 0:
            cells += counts[:-1].sum(axis=1)[:, None] * lost_one / n_first
        if n_second > 0:
            cells += lost_other[:, None] * counts[:, :-1].sum(axis=0) / n_second
        if known.sum() > 0:
            cells += lost_both * known / known.sum()
    total = cells.sum()
    if not total > 0:
        return np.zeros(3)
    parts = (cells.sum(axis=1), cells.sum(axis=0), cells)
    return np.array([np.log2(total) - _x_log_x(part).sum() / total for part in parts])


def _x_log_x(x: FloatArray) -> FloatArray:
    return np.asarray(x * np.log2(np.where(x > 0, x, 1.0)))
