"""Bins of a coded table: fewer than it was coded with, and rows of them only when asked for."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.binning import assign_codes
from thresher.kernels.sketch import weighted_edges

from ._coded import CodedColumns, ColumnCodes
from ._codes import Codes

__all__ = ["StoredBins", "frequent_levels", "stored_bins"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
CodeArray = NDArray[np.uint8]

#: Rows that are recoded at a time.
_ROWS = 2**20


@dataclass(frozen=True, eq=False)
class StoredBins:
    """What codes in a file become when they are read.

    Parameters
    ----------
    codes : Codes
        As they are stored.
    recode : uint8 array of shape (n_columns, 256)
        The code of each stored code.
    n_bins, edges, levels, categorical
        As of `Binned`.
    """

    codes: Codes
    recode: CodeArray
    n_bins: IntArray
    edges: tuple[FloatArray, ...]
    levels: tuple[tuple[str | None, ...], ...]
    categorical: NDArray[np.bool_]

    @property
    def is_as_stored(self) -> bool:
        """Whether nothing is to be recoded."""
        return bool((self.recode == np.arange(256, dtype=np.uint8)).all())

    def rows(self, rows: IntArray | None = None, columns: IntArray | None = None) -> CodeArray:
        """Codes of some rows (of some columns), in memory: (columns, rows)."""
        out = self.codes.gather(rows, columns)
        recode = self.recode if columns is None else self.recode[columns]
        if not self.is_as_stored:
            for own, code_of in zip(out, recode, strict=True):
                for start in range(0, len(own), _ROWS):
                    own[start : start + _ROWS] = code_of[own[start : start + _ROWS]]
        return out


def stored_bins(columns: CodedColumns, max_bins: int, max_levels: int) -> StoredBins:
    """Merge bins of a coded table until no column has more than ``max_bins`` codes.

    The rules are those of `bin_columns`, applied to the numbers that codes stand for.
    """
    recode = np.tile(np.arange(256, dtype=np.uint8), (columns.n_columns, 1))
    edges: list[FloatArray] = []
    levels: list[tuple[str | None, ...]] = []
    for p, own in enumerate(columns.coding):
        code_of, own_edges, own_levels = (
            _fewer_levels(own, max_levels - 1)
            if columns.has_levels[p]
            else _fewer_bins(own, max_bins - 1)
        )
        recode[p, : len(code_of)] = code_of
        recode[p, own.n_bins] = len(own_levels) if columns.has_levels[p] else len(own_edges) + 1
        edges.append(own_edges)
        levels.append(own_levels)
    n_bins = recode[np.arange(len(recode)), [own.n_bins for own in columns.coding]]
    return StoredBins(
        columns.codes, recode, n_bins.astype(np.intp), tuple(edges), tuple(levels),
        columns.has_levels,
    )  # fmt: skip


def frequent_levels(counts: IntArray, max_bins: int) -> tuple[IntArray, IntArray]:
    """Which levels keep a code of their own, and the code of each level: rare ones share the last.

    Examples
    --------
    >>> kept, code_of = frequent_levels(np.array([1, 5, 2, 4]), 3)
    >>> kept.tolist(), code_of.tolist()
    ([1, 3], [2, 0, 2, 1])
    """
    kept = np.sort(np.argsort(-counts, kind="stable")[: max_bins - 1])
    code_of = np.full(len(counts), max_bins - 1)
    code_of[kept] = np.arange(max_bins - 1)
    return kept, code_of


def _fewer_bins(
    own: ColumnCodes, max_bins: int
) -> tuple[IntArray, FloatArray, tuple[str | None, ...]]:
    if own.n_bins <= max_bins:
        return np.arange(own.n_bins), own.edges, ()
    present = own.counts[:-1] > 0
    edges = weighted_edges(own.values[present], own.counts[:-1][present], max_bins)
    code_of = np.empty(own.n_bins, dtype=np.intp)
    assign_codes(own.values, edges, 0, code_of)
    return code_of, edges, ()


def _fewer_levels(
    own: ColumnCodes, max_bins: int
) -> tuple[IntArray, FloatArray, tuple[str | None, ...]]:
    if own.n_bins <= max_bins:
        return np.arange(own.n_bins), np.empty(0), own.levels
    # what was merged before stays with the rare ones
    counts = np.where([level is None for level in own.levels], -1, own.counts[:-1])
    kept, code_of = frequent_levels(counts, max_bins)
    return code_of, np.empty(0), (*(own.levels[level] for level in kept), None)
