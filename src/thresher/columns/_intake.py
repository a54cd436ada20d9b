"""From any table to typed columns, with every complaint naming the column."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import scipy.sparse
from narwhals.stable.v2.dtypes import DType
from numpy.typing import NDArray

from ._columns import Columns, Kind, is_frame
from ._objects import as_table, from_objects, in_seconds
from ._wording import listed

__all__ = ["as_array", "read_columns"]

IntArray = NDArray[np.intp]


def read_columns(X: Any, *, names: Sequence[str] | None = None) -> Columns:
    """Type a table: which columns are numbers, which are levels, what is missing.

    Parameters
    ----------
    X : array, scipy sparse matrix or data frame
        Two-dimensional. Data frames may be pandas, polars, pyarrow or what else narwhals knows.
    names : sequence of str, optional
        Names for the columns of an array; x0, x1, ... if not given.

    Returns
    -------
    Columns
        One variable per column; see `with_groups` for groups.

    Raises
    ------
    ValueError
        For duplicate names, infinite values, nested or otherwise unusable columns, no rows or no
        columns. The message names the columns.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"height": [1.7, None, 1.6], "colour": ["red", "blue", None]})
    >>> columns = read_columns(table)
    >>> columns.kinds
    ('numeric', 'string')
    >>> columns.n_missing.tolist()
    [1, 1]
    """
    X = as_table(X)
    table, found, kinds = _typed_frame(X) if is_frame(X) else _typed_array(X)
    if names is not None:
        if len(names) != len(found):
            raise ValueError(f"names has {len(names)} entries for {len(found)} columns")
        found = tuple(str(name) for name in names)
    _check_shape(table.shape[0], len(found))
    _check_unique(found)
    columns = Columns(
        table=table,
        names=found,
        kinds=kinds,
        n_missing=np.zeros(len(found), dtype=np.intp),
        constant=np.zeros(len(found), dtype=bool),
        variables=tuple(np.array([p], dtype=np.intp) for p in range(len(found))),
        variable_names=found,
    )
    _survey(columns)
    return columns


def _typed_array(X: Any) -> tuple[Any, tuple[str, ...], tuple[Kind, ...]]:
    if scipy.sparse.issparse(X):
        table: Any = _with_short_indices(X.tocsc())
    else:
        table = as_array(X)
        if table.ndim != 2:
            raise ValueError(f"X must be two-dimensional; got an array of shape {table.shape}")
        if table.dtype.kind in "OUS":
            table = _numbers_from_objects(table)
    if table.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{X}\n")
    if table.dtype.kind not in "biuf":
        raise ValueError(f"X must hold numbers; got an array of dtype {table.dtype}")
    kind: Kind = "boolean" if table.dtype.kind == "b" else "numeric"
    n_columns = table.shape[1]
    return table, tuple(f"x{j}" for j in range(n_columns)), (kind,) * n_columns


def as_array(X: Any) -> NDArray[Any]:
    """Make an array of what is none yet; rows of several lengths make none."""
    try:
        return np.asarray(X)
    except ValueError as error:
        raise ValueError(
            "X must be a table whose rows are of the same length, with one value in each cell: "
            f"{error}"
        ) from error


def _with_short_indices(table: Any) -> Any:
    """Use 32-bit indices where they will do: trees accept no others."""
    if table.indices.dtype == np.int32 or table.nnz >= 2**31 or max(table.shape) >= 2**31:
        return table
    indices, indptr = (part.astype(np.int32) for part in (table.indices, table.indptr))
    return type(table)((table.data, indices, indptr), shape=table.shape)


def _numbers_from_objects(table: NDArray[Any]) -> NDArray[np.float64]:
    numbers = np.empty(table.shape)
    for j in range(table.shape[1]):
        try:
            numbers[:, j] = [np.nan if cell is None else cell for cell in table[:, j]]
        except (TypeError, ValueError, OverflowError) as error:
            # scikit-learn, too, tells cells that are no numbers at all from text that is none
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(
                f"column x{j} of the array is not numeric ({error}); give a data frame to use "
                "categories or strings"
            ) from error
    return numbers


def _typed_frame(X: Any) -> tuple[Any, tuple[str, ...], tuple[Kind, ...]]:
    _check_labels(X)  # before narwhals does, in words that name the columns
    frame = nw.from_native(X, eager_only=True)
    kinds: list[Kind] = []
    converted: list[nw.Series[Any]] = []
    for name, dtype in frame.schema.items():
        kind, series = _kind_of(frame, name, dtype)
        kinds.append(kind)
        if series is not None:
            converted.append(series)
    if converted:
        frame = frame.with_columns(*converted)
    return frame.to_native(), tuple(str(name) for name in frame.columns), tuple(kinds)


def _kind_of(
    frame: "nw.DataFrame[Any]", name: str, dtype: DType
) -> tuple[Kind, "nw.Series[Any] | None"]:
    """Kind of a column, and the column anew where it cannot stay as it is."""
    if dtype.is_numeric():
        return "numeric", None
    if dtype == nw.Boolean:
        return "boolean", None
    if isinstance(dtype, (nw.Categorical, nw.Enum)):
        return "categorical", None
    if dtype == nw.String:
        return "string", None
    if isinstance(dtype, (nw.Datetime, nw.Date, nw.Duration, nw.Time)):
        return "datetime", in_seconds(frame.get_column(name), name)
    if dtype in (nw.Object, nw.Unknown):
        return from_objects(frame.get_column(name), name)
    raise ValueError(
        f"column {name!r} has type {dtype}, which cannot be an input; expected numbers, booleans, "
        "categories, strings or datetimes"
    )


def _check_shape(n_rows: int, n_columns: int) -> None:
    if n_rows == 0:
        raise ValueError(
            f"Found array with 0 sample(s) (shape=(0, {n_columns})) while a minimum of 1 is "
            "required."
        )
    if n_columns == 0:
        raise ValueError(
            f"Found array with 0 feature(s) (shape=({n_rows}, 0)) while a minimum of 1 is required."
        )


def _check_unique(names: Sequence[str]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(f"column names must differ; these occur more than once: {listed(twice)}")


def _check_labels(frame: Any) -> None:
    """Refuse labels that are the same, or the same when written: 0 and False, 1 and "1"."""
    own_names = getattr(frame, "column_names", None)  # in pyarrow, columns are the data
    labels = list(frame.columns if own_names is None else own_names)
    _check_unique([str(label) for label in labels])
    same = [label for label, count in Counter(labels).items() if count > 1]
    if same:
        among = [str(label) for label in labels if label in same]
        raise ValueError(f"column names must differ; these count as the same: {listed(among)}")


def _survey(columns: Columns) -> None:
    """Fill in ``n_missing`` and ``constant``, and refuse infinite values, in one pass."""
    if scipy.sparse.issparse(columns.table):
        infinite = _survey_sparse(columns)
    else:
        infinite = _survey_dense(columns)
    if infinite:
        raise ValueError(
            f"Input X contains infinity or a value too large for dtype('float64'), in column(s) "
            f"{listed(infinite)}; replace it, for instance by a missing value"
        )


def _survey_dense(columns: Columns) -> list[str]:
    infinite: list[str] = []
    has_levels = columns.has_levels
    for positions, lowest, highest in _extremes(columns, np.flatnonzero(~has_levels)):
        # float64 cannot tell large integers apart, so those that look alike are looked at again
        for p in positions[lowest == highest].tolist():
            columns.constant[p] = _is_constant(columns, p)
        odd = positions[~(np.isfinite(lowest) & np.isfinite(highest))]
        for part, block in columns.numeric_blocks(odd.tolist()):
            missing = np.isnan(block)
            columns.n_missing[part] = missing.sum(axis=0)
            same = ((block == block[0]) | (missing & missing[0])).all(axis=0)
            for p in part[same].tolist():
                columns.constant[p] = _is_constant(columns, p)
            infinite += [columns.names[p] for p in part[np.isinf(block).any(axis=0)]]
    for p in np.flatnonzero(has_levels).tolist():
        series = columns.series(p)
        columns.n_missing[p] = int(series.is_null().sum())
        columns.constant[p] = series.n_unique() == 1
    return infinite


def _extremes(
    columns: Columns, positions: IntArray
) -> Iterator[tuple[IntArray, NDArray[np.float64], NDArray[np.float64]]]:
    """Yield columns of numbers with the lowest and highest number of each; NaN if one is missing.

    Where both are finite there is nothing odd in between.
    """
    if not is_frame(columns.table):
        with np.errstate(over="ignore"):  # extended precision
            lowest, highest = (
                extreme.astype(np.float64)
                for extreme in (columns.table.min(axis=0), columns.table.max(axis=0))
            )
        yield positions, lowest, highest
        return
    for part, block in columns.numeric_blocks(positions.tolist()):
        yield part, block.min(axis=0), block.max(axis=0)


def _is_constant(columns: Columns, position: int) -> bool:
    if is_frame(columns.table):
        return bool(columns.series(position).n_unique() == 1)
    cells = columns.table[:, position]
    return bool((cells == cells[0]).all() or np.isnan(cells).all())


def _survey_sparse(columns: Columns) -> list[str]:
    table = columns.table
    low, high = table.min(axis=0).toarray(), table.max(axis=0).toarray()
    columns.constant[:] = (low == high).reshape(-1)
    if table.dtype.kind != "f":
        return []
    of_column = np.repeat(np.arange(columns.n_columns), np.diff(table.indptr))
    columns.n_missing[:] = np.bincount(of_column[np.isnan(table.data)], minlength=columns.n_columns)
    return [columns.names[p] for p in np.unique(of_column[np.isinf(table.data)])]
