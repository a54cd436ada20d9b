"""The typed view of a table that everything else works on."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import narwhals.stable.v2 as nw
import numpy as np
import scipy.sparse
from narwhals.dependencies import is_into_dataframe
from numpy.typing import NDArray

__all__ = ["Columns", "Kind", "is_frame"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
Kind = Literal["numeric", "boolean", "datetime", "categorical", "string"]

#: Columns turned into float64 at a time, so that checks and binning never copy a whole table.
_BLOCK = 64
#: Up to so many cells, looking levels up in Python takes less time than asking the data frame.
_FEW_CELLS = 2000


def is_frame(table: Any) -> bool:
    """Whether the table is a data frame (pandas, polars, pyarrow ...) and not an array."""
    # asked of arrays again and again, and narwhals takes its time
    return not isinstance(table, np.ndarray) and bool(is_into_dataframe(table))


@dataclass(frozen=True, eq=False)
class Columns:
    """A table with the type and name of each column, and the variables made of them.

    A *variable* is what a search adds or removes: one column, or a group of columns that stand or
    fall together.

    Parameters
    ----------
    table : array, sparse matrix or data frame
        The data as the user gave them, except that datetimes have become numbers.
    names : tuple of str
        One for each column, all different.
    kinds : tuple of str
        "numeric", "boolean", "datetime", "categorical" or "string" for each column.
    n_missing : array of int
        Missing cells in each column.
    constant : array of bool
        Columns whose cells are all the same, missing or not.
    variables : tuple of arrays of int
        The columns of each variable.
    variable_names : tuple of str
        One for each variable: its column's name, or its group's.
    required : frozenset of int
        Variables that belong to every subset.
    """

    table: Any
    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    n_missing: IntArray
    constant: NDArray[np.bool_]
    variables: tuple[IntArray, ...]
    variable_names: tuple[str, ...]
    required: frozenset[int] = frozenset()

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.table.shape[0])

    @property
    def n_columns(self) -> int:
        """The number of columns."""
        return len(self.names)

    @property
    def n_variables(self) -> int:
        """The number of variables."""
        return len(self.variables)

    @property
    def is_numeric(self) -> bool:
        """Whether every column can be used as numbers without deciding how to code levels."""
        return not self.has_levels.any()

    @cached_property
    def has_levels(self) -> NDArray[np.bool_]:
        """Which columns hold levels, not numbers."""
        return np.array([kind in ("categorical", "string") for kind in self.kinds])

    @property
    def is_plain(self) -> bool:
        """Whether the table is dense and holds numbers only, none missing."""
        return (
            self.is_numeric and not self.n_missing.any() and not scipy.sparse.issparse(self.table)
        )

    @cached_property
    def frame(self) -> "nw.DataFrame[Any]":
        """The table as a narwhals frame; only for tables that are data frames."""
        return nw.from_native(self.table, eager_only=True)

    @cached_property
    def _labels(self) -> list[Any]:
        """What the data frame itself calls its columns; listing them takes a while."""
        return list(self.frame.columns)

    def series(self, position: int) -> "nw.Series[Any]":
        """Return one column of a data frame."""
        return self.frame.get_column(self._labels[position])

    def informative(self) -> "Columns":
        """Leave out variables that are constant and not required."""
        kept = [
            v
            for v, members in enumerate(self.variables)
            if v in self.required or not self.constant[members].all()
        ]
        if len(kept) == self.n_variables or self.n_rows < 2:  # one row says nothing of constancy
            return self
        used = self.columns_of(kept)
        return Columns(
            table=self.take(kept),
            names=tuple(self.names[p] for p in used),
            kinds=tuple(self.kinds[p] for p in used),
            n_missing=self.n_missing[used],
            constant=self.constant[used],
            variables=tuple(np.searchsorted(used, self.variables[v]) for v in kept),
            variable_names=tuple(self.variable_names[v] for v in kept),
            required=frozenset(k for k, v in enumerate(kept) if v in self.required),
        )

    @cached_property
    def is_ungrouped(self) -> bool:
        """Whether each variable is the column at the same position."""
        return all(
            len(members) == 1 and members[0] == v for v, members in enumerate(self.variables)
        )

    def columns_of(self, subset: Iterable[int]) -> IntArray:
        """Positions of the columns of the variables in ``subset``, in the order of the table."""
        if self.is_ungrouped:
            return np.sort(np.fromiter(subset, dtype=np.intp))
        parts = [self.variables[v] for v in subset]
        if not parts:
            return np.empty(0, dtype=np.intp)
        return np.sort(np.concatenate(parts))

    def take(self, subset: Iterable[int], rows: IntArray | None = None) -> Any:
        """Cut the table down to a subset of variables (and rows), leaving its type as it is."""
        positions = self.columns_of(subset)
        if not is_frame(self.table):
            cut = self.table[:, positions]
            return cut if rows is None else cut[rows]
        frame = self.frame[:, positions.tolist()]
        return (frame if rows is None else frame[rows]).to_native()

    @cached_property
    def matrix(self) -> FloatArray:
        """The numeric table as one float64 array in column order, missing cells as NaN."""
        out = np.empty((self.n_rows, self.n_columns), order="F")
        for positions, block in self.numeric_blocks(range(self.n_columns)):
            out[:, positions] = block
        return out

    def numeric_blocks(self, positions: Sequence[int]) -> Iterator[tuple[IntArray, FloatArray]]:
        """Yield columns as float64 numbers, a few at a time: (positions, array of their values).

        The array may be a part of the table, and is not to be written to.
        """
        chosen = np.asarray(positions, dtype=np.intp)
        for start in range(0, len(chosen), _BLOCK):
            part = chosen[start : start + _BLOCK]
            yield part, self._floats(part)

    def _floats(self, positions: IntArray) -> FloatArray:
        if scipy.sparse.issparse(self.table):
            return np.asarray(self.table[:, positions].toarray(), dtype=np.float64)
        if not is_frame(self.table):
            # neighbours need no copy
            first, last = positions[0], positions[-1] + 1
            together = bool((np.diff(positions) == 1).all())
            block = self.table[:, first:last] if together else self.table[:, positions]
            return np.asarray(block, dtype=np.float64)
        try:
            return _frame_floats(self.frame[:, positions.tolist()])
        except Exception as error:
            if len(positions) > 1:  # find the one to blame
                return np.column_stack(
                    [self._floats(positions[[k]]) for k in range(len(positions))]
                )
            name = self.names[positions[0]]
            raise ValueError(f"column {name!r} cannot be read as numbers: {error}") from error

    def levels(self, position: int) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        """Code a categorical or string column: level numbers (-1 if missing), and the levels."""
        try:
            return level_codes(self.series(position))
        except Exception as error:
            # each library fails in its own way; the column's name is what the user needs
            raise ValueError(
                f"column {self.names[position]!r} cannot be read as levels: {error}"
            ) from error


def _frame_floats(block: "nw.DataFrame[Any]") -> FloatArray:
    plain = block.to_numpy()
    if plain.dtype.kind not in "biuf":
        # nullable types and mixtures come out as objects; a cast column by column is slower
        plain = block.select(nw.all().cast(nw.Float64)).to_numpy()
    return np.asarray(plain, dtype=np.float64)


def level_codes(series: "nw.Series[Any]") -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Number the levels of a column: declared order for categories, sorted order for strings."""
    text = series if series.dtype == nw.String else series.cast(nw.String)
    missing = np.asarray(text.is_null().to_numpy(), dtype=bool)
    known = text.filter(~text.is_null()) if missing.any() else text
    few = len(known) <= _FEW_CELLS
    cells = known.to_list() if few else known.unique().to_list()
    present = set(cells)
    if isinstance(series.dtype, (nw.Categorical, nw.Enum)):
        declared = [str(level) for level in series.cat.get_categories().to_list()]
        levels = [level for level in declared if level in present]
        if len(levels) > len(present):  # such as the number 1 and the text "1"
            raise ValueError("different categories are the same when written")
    else:
        levels = sorted(present)
    numbers = range(len(levels))
    codes = np.full(len(text), -1, dtype=np.int32)
    if few:
        code_of = dict(zip(levels, numbers, strict=True))
        codes[~missing] = [code_of[cell] for cell in cells]
    elif levels:
        numbered = known.replace_strict(levels, list(numbers), return_dtype=nw.Int32)
        codes[~missing] = numbered.to_numpy()
    return codes, tuple(levels)
