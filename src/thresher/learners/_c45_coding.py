"""A table as the C4.5 tree sees it: ranks of numbers, places of levels."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Columns
from thresher.kernels._c45_coding import (
    RANGE,
    code_whole_numbers,
    survey_codes,
    write_indicators,
)
from thresher.kernels._c45_types import Table, Training

__all__ = ["Coding", "code_columns", "training_on"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
CodeArray = NDArray[np.int32]

#: Columns with at most this many codes are also written out as indicators ...
_FEW = 33
#: ... unless that takes more bytes than this.
_MOST_BYTES = 2**29


@dataclass(frozen=True, eq=False)
class Coding:
    """What the codes of a table's columns mean.

    Parameters
    ----------
    names : tuple of str
        Of the columns.
    levels : array of bool
        Which columns hold levels: categories, strings and booleans.
    labels : dict of int to tuple of str
        The levels of columns of categories or strings.
    starts : array of int of shape (n_columns + 1,)
        Where the values of each column start.
    values : array of float
        The distinct values of all columns, ascending in each; for categories and strings, places.
    """

    names: tuple[str, ...]
    levels: NDArray[np.bool_]
    labels: dict[int, tuple[str, ...]]
    starts: IntArray
    values: FloatArray

    def values_of(self, position: int) -> FloatArray:
        """Return the distinct values of one column."""
        return self.values[self.starts[position] : self.starts[position + 1]]

    def label(self, position: int, code: int) -> str:
        """Return the name of a level."""
        if position in self.labels:
            return self.labels[position][code]
        return str(bool(self.values_of(position)[code]))

    def codes(self, columns: Columns, positions: IntArray) -> CodeArray:
        """Code some columns of another table, (columns, rows); new levels count as missing.

        A number gets the code of the training value next above it, if it is none itself: so it is
        above a threshold if and only if its code is.
        """
        codes = np.full((len(positions), columns.n_rows), -1, dtype=np.int32)
        text = columns.has_levels
        for k, p in enumerate(positions.tolist()):
            if columns.n_missing[p] == columns.n_rows:
                continue
            self._refuse_other_kind(columns, p, bool(text[p]))
            if text[p]:
                numbers, present = columns.levels(p)
                known = {label: code for code, label in enumerate(self.labels[p])}
                code_of = np.array([known.get(label, -1) for label in present] + [-1], np.int32)
                codes[k] = code_of[numbers]  # a missing cell, -1, finds the last entry
        numeric = np.flatnonzero(~text[positions])
        for k, cells in _numbers(columns, positions[numeric]):
            at = numeric[k]
            values = self.values_of(int(positions[at]))
            known_cells = ~np.isnan(cells)
            found = np.searchsorted(values, cells[known_cells])
            if self.levels[positions[at]]:
                new = values[np.minimum(found, len(values) - 1)] != cells[known_cells]
                found[new] = -1
            codes[at, known_cells] = found
        return codes

    def _refuse_other_kind(self, columns: Columns, p: int, is_text: bool) -> None:  # noqa: FBT001
        if is_text != (p in self.labels):
            before, now = ("numbers", "levels") if is_text else ("levels", "numbers")
            raise ValueError(
                f"column {columns.names[p]!r} held {before} when the tree was fitted; now it "
                f"holds {now}"
            )


def code_columns(columns: Columns) -> tuple[Coding, Table]:
    """Code a training table; no column of a training table may be coded in another way."""
    n_rows, n_columns = columns.n_rows, columns.n_columns
    codes = np.empty((n_columns, n_rows), dtype=np.int32)
    values: list[FloatArray] = [np.empty(0)] * n_columns
    labels: dict[int, tuple[str, ...]] = {}
    text = columns.has_levels
    for p in np.flatnonzero(text).tolist():
        codes[p], labels[p] = columns.levels(p)
        values[p] = np.arange(len(labels[p]), dtype=np.float64)
    positions = np.flatnonzero(~text)
    buffer = np.empty(RANGE)
    for k, cells in _numbers(columns, positions):
        p = int(positions[k])
        n_distinct = code_whole_numbers(cells, codes[p], buffer)
        values[p] = buffer[:n_distinct].copy() if n_distinct >= 0 else _ranked(cells, codes[p])
    starts = np.concatenate([[0], np.cumsum([len(part) for part in values])]).astype(np.intp)
    boolean = np.array([kind == "boolean" for kind in columns.kinds])
    coding = Coding(columns.names, text | boolean, labels, starts, np.concatenate(values))
    return coding, _table(coding, codes)


def training_on(
    table: Table, rows: IntArray, classes: IntArray, weights: FloatArray, n_classes: int
) -> Training:
    """Return some rows of a table, of some classes and weights (above 0), ready for growing."""
    order = np.argsort(classes, kind="stable")
    rows = rows[order].astype(np.int32)
    floor = np.empty(len(table.values), dtype=np.int32)
    n_codes = np.empty(len(table.codes), dtype=np.int64)
    survey_codes(table.codes, table.starts, rows, floor, n_codes)
    return Training(
        rows=rows,
        classes=classes[order].astype(np.int32),
        weights=weights[order],
        n_classes=n_classes,
        n_seen=len(np.unique(classes)),
        floor=floor,
        n_codes=n_codes,
    )


def _numbers(columns: Columns, positions: IntArray) -> Iterator[tuple[int, FloatArray]]:
    """Yield columns as numbers, each with its place among the positions."""
    place = {int(p): k for k, p in enumerate(positions)}
    for part, block in columns.numeric_blocks(positions.tolist()):
        cells = np.ascontiguousarray(block.T)
        for p, column in zip(part.tolist(), cells, strict=True):
            yield place[p], column


def _ranked(cells: FloatArray, codes: CodeArray) -> FloatArray:
    known = ~np.isnan(cells)
    values, ranks = np.unique(cells[known], return_inverse=True)
    codes[:] = -1
    codes[known] = ranks
    return np.asarray(values + 0.0)  # no minus before a zero


def _table(coding: Coding, codes: CodeArray) -> Table:
    n_rows = codes.shape[1]
    n_codes = np.diff(coding.starts)
    missing = (codes < 0).any(axis=1)
    width = np.where(coding.levels, n_codes, np.maximum(n_codes - 1, 0) + missing)
    few = _FEW
    while few > 1 and n_rows * width[n_codes <= few].sum() > _MOST_BYTES:
        few //= 2
    written = (n_codes > 1) & (n_codes <= few)
    width[~written] = 0
    first = np.cumsum(width) - width
    n_words = -(-int(width.sum()) // 8)
    indicators = np.zeros((n_rows, 8 * n_words), dtype=np.uint8)
    for p in np.flatnonzero(written).tolist():
        part = indicators[:, first[p] : first[p] + width[p]]
        write_indicators(codes[p], int(n_codes[p]), bool(coding.levels[p]), int(width[p]), part)
    return Table(
        codes=codes,
        levels=coding.levels,
        starts=coding.starts.astype(np.int64),
        values=coding.values,
        words=indicators.view(np.uint64),
        first=np.where(written, first, -1).astype(np.int64),
        width=width.astype(np.int64),
        missing=missing,
    )
