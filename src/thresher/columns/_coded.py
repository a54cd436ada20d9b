"""A table that was coded beforehand and may be larger than memory."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._codes import Codes
from ._columns import Columns
from ._intake import read_columns

__all__ = ["CodedColumns", "ColumnCodes", "bytes_in_words"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: What cells turned into numbers may take at once, as a share of the memory there is.
_SHARE = 8
#: Whoever asks for a table of numbers is likely to copy it.
_COPIES = 2
_OTHERS = "other levels"


@dataclass(frozen=True, eq=False)
class ColumnCodes:
    """What the codes of one column stand for.

    Parameters
    ----------
    edges : array of shape (n_bins - 1,)
        Numbers: the code of a value is the number of edges below it. Empty for levels.
    values : array of shape (n_bins,)
        Numbers: one for each code, seen in the column. Empty for levels.
    levels : tuple of str or None
        Levels: one for each code; None, the last one, stands for all rare ones. Empty for numbers.
    counts : int array of shape (n_bins + 1,)
        Rows with each code; the last is that of missing cells.
    """

    edges: FloatArray
    values: FloatArray
    levels: tuple[str | None, ...]
    counts: IntArray

    @property
    def n_bins(self) -> int:
        """Codes that stand for values."""
        return len(self.counts) - 1

    def names(self) -> tuple[str, ...]:
        """Levels, with a name for the rare ones as well."""
        others = _OTHERS
        while others in self.levels:
            others += " still"
        return tuple(others if level is None else level for level in self.levels)


@dataclass(frozen=True, eq=False)
class CodedColumns(Columns):
    """Columns whose table is a matrix of codes, most likely in a file.

    Everything that counts codes works on it as it is: `ACE`, filters by information, naive Bayes.
    Whatever needs a table of numbers gets one made from the codes, unless it would be too large.

    Parameters
    ----------
    coding : tuple of ColumnCodes
        What the codes of each column stand for.
    memory : int
        Bytes that a table made from the codes must fit into.
    """

    coding: tuple[ColumnCodes, ...] = ()
    memory: int = 2**30

    def __repr__(self) -> str:
        return f"<CodedColumns of {self.n_rows} rows x {self.n_columns} columns>"

    @property
    def codes(self) -> Codes:
        """The table."""
        found: Codes = self.table
        return found

    def informative(self) -> "CodedColumns":
        """Leave out variables that are constant and not required."""
        kept = [
            v
            for v, members in enumerate(self.variables)
            if v in self.required or not self.constant[members].all()
        ]
        if len(kept) == self.n_variables or self.n_rows < 2:
            return self
        used = self.columns_of(kept)
        return replace(
            self.only(used),
            variables=tuple(np.searchsorted(used, self.variables[v]) for v in kept),
            variable_names=tuple(self.variable_names[v] for v in kept),
            required=frozenset(k for k, v in enumerate(kept) if v in self.required),
        )

    def only(self, positions: IntArray) -> "CodedColumns":
        """Some columns, each a variable of its own; nothing is copied."""
        names = tuple(self.names[p] for p in positions)
        return replace(
            self,
            table=self.codes.take(positions),
            names=names,
            kinds=tuple(self.kinds[p] for p in positions),
            n_missing=self.n_missing[positions],
            constant=self.constant[positions],
            variables=tuple(np.array([p], dtype=np.intp) for p in range(len(names))),
            variable_names=names,
            required=frozenset(),
            coding=tuple(self.coding[p] for p in positions),
        )

    def sample(self, rows: IntArray) -> "CodedColumns":
        """Some rows, in memory; bins and levels stay what they are.

        Parameters
        ----------
        rows : int array
            Best in ascending order: then the file is read from one end to the other.
        """
        self.refuse_large(len(rows), self.n_columns, itemsize=1)
        codes = self.codes.gather(rows)
        counts = [
            np.bincount(own, minlength=len(old.counts))
            for own, old in zip(codes, self.coding, strict=True)
        ]
        return replace(
            self,
            table=Codes(*codes.shape, array=codes),
            n_missing=np.array([some[-1] for some in counts], dtype=np.intp),
            constant=np.array([(some > 0).sum() <= 1 for some in counts]),
            coding=tuple(
                replace(old, counts=some) for old, some in zip(self.coding, counts, strict=True)
            ),
        )

    def take(self, subset: Iterable[int], rows: IntArray | None = None) -> Any:
        """Make a table of numbers and categories of some variables (and rows).

        An array if all of them are numbers, else a polars frame.
        """
        positions = self.columns_of(subset)
        n_rows = self.n_rows if rows is None else len(rows)
        self.refuse_large(n_rows, len(positions))
        if not self.has_levels[positions].any():
            out = np.empty((n_rows, len(positions)), order="F")
            for k, p in enumerate(positions.tolist()):
                out[:, k] = self._numbers(p, rows)
            return out
        import polars as pl

        return pl.DataFrame([self._series(p, rows) for p in positions.tolist()])

    def plain(self, rows: IntArray | None = None) -> Columns:
        """The same columns (or some of their rows) as a table like any other, if it is not large.

        Numbers are those that codes stand for.
        """
        table = self.take(range(self.n_variables), rows)
        return replace(
            read_columns(table, names=self.names),
            variables=self.variables,
            variable_names=self.variable_names,
            required=self.required,
        )

    @cached_property
    def matrix(self) -> FloatArray:
        """The numeric table as one float64 array in column order, missing cells as NaN."""
        self.refuse_large(self.n_rows, self.n_columns)
        out = np.empty((self.n_rows, self.n_columns), order="F")
        for p in range(self.n_columns):
            out[:, p] = self._numbers(p)
        return out

    def numeric_blocks(self, positions: Sequence[int]) -> Iterator[tuple[IntArray, FloatArray]]:
        """Yield columns as numbers, as many at a time as memory allows."""
        chosen = np.asarray(positions, dtype=np.intp)
        size = max(1, self.memory // (_SHARE * 8 * max(1, self.n_rows)))
        for start in range(0, len(chosen), size):
            part = chosen[start : start + size]
            block = np.empty((self.n_rows, len(part)), order="F")
            for k, p in enumerate(part.tolist()):
                block[:, k] = self._numbers(p)
            yield part, block

    def levels(self, position: int) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        """Level numbers of a column (-1 if missing), and the levels."""
        own = self.coding[position]
        number_of = np.arange(own.n_bins + 1, dtype=np.int32)
        number_of[-1] = -1
        return number_of[self.codes.column(position)], own.names()

    def _numbers(self, position: int, rows: IntArray | None = None) -> FloatArray:
        own = self.coding[position]
        codes = self.codes.column(position)
        value_of = np.append(own.values if len(own.values) else np.arange(own.n_bins), np.nan)
        return np.asarray(value_of[codes if rows is None else codes[rows]])

    def _series(self, position: int, rows: IntArray | None) -> Any:
        import polars as pl

        name = self.names[position]
        if not self.has_levels[position]:
            return pl.Series(name, self._numbers(position, rows)).fill_nan(None)
        own = self.coding[position]
        codes = self.codes.column(position)
        known = pl.Series(name, codes if rows is None else codes[rows])
        label_of = [*own.names(), None]
        return known.replace_strict(
            list(range(len(label_of))), label_of, return_dtype=pl.Enum(own.names())
        )

    def refuse_large(self, n_rows: int, n_columns: int, *, itemsize: int = 8) -> None:
        """Refuse to make a table that memory has no room for."""
        size = _COPIES * itemsize * n_rows * n_columns
        if size > self.memory:
            raise ValueError(
                f"a table of {n_rows} rows x {n_columns} columns would take "
                f"{bytes_in_words(size)} to work with, but memory is limited to "
                f"{bytes_in_words(self.memory)}. ACE, filters by information and naive Bayes run "
                "on the codes as they are; for everything else take a sample of the rows "
                "(X.sample(rows), y[rows]), or allow more memory"
            )


def bytes_in_words(size: int) -> str:
    """Write a number of bytes as people do.

    Examples
    --------
    >>> bytes_in_words(1_500_000_000), bytes_in_words(4_200)
    ('1.5 GB', '4.2 kB')
    """
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= scale:
            return f"{size / scale:.3g} {unit}"
    return f"{size} bytes"
