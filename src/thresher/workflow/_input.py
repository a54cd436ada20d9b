"""What a user may hand over as a table and a target."""

import os
import warnings
from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from thresher.coded import code_dataset, is_large
from thresher.columns import Columns, as_table, is_frame, listed, read_columns
from thresher.files import are_numbers, read_table

__all__ = ["as_columns", "read_file"]

#: For a folder of files, if nothing is said.
_MEMORY = "1GB"
#: Cells of a text column that tell whether it looks like numbers.
_LOOK_AT = 50


def read_file(
    path: str | os.PathLike[str],
    target: str | None,
    *,
    memory: Any = None,
    format: str | None = None,
    drop: Sequence[str] = (),
    task: str = "auto",
) -> tuple[Columns, Any]:
    """Read table and target; code a folder of files, and a file that memory has no room for.

    Parameters
    ----------
    path : str or path
        A file, or a folder of Parquet or Arrow files.
    target : str or None
        The target column.
    memory : int or str, optional
        What there is; without it, files are read whole.
    format, drop
        As in `read_table`.
    task : {"auto", "classification", "regression"}, default="auto"
        What the target of a coded table is.
    """
    if is_large(path, memory):
        room = _MEMORY if memory is None else memory
        coded = code_dataset(path, target, memory=room, drop=drop, task=task)
        return coded.X, coded.y
    table = read_table(path, target, format=format, drop=drop)
    return read_columns(table.X, names=table.feature_names), table.y


def _read_frame(X: Any) -> Columns:
    """Type the columns, and name those whose text should perhaps have been numbers."""
    columns = read_columns(X)
    texts = [p for p, kind in enumerate(columns.kinds) if kind == "string"]
    found = [
        columns.names[p]
        for p in texts
        if are_numbers(columns.series(p).drop_nulls().head(_LOOK_AT).to_list())
    ]
    if found:
        warnings.warn(
            f"column(s) {listed(found)} hold text that looks like numbers, and are taken for "
            "categories; turn them into numbers if that is what they are",
            UserWarning,
            stacklevel=4,
        )
    return columns


def _warn_if_shuffled(X: Any, y: Any) -> None:
    """Say so if table and target have the same labels of rows in another order."""
    rows: Any = getattr(X, "index", None)
    own: Any = getattr(y, "index", None)
    if not (hasattr(rows, "equals") and hasattr(own, "equals")) or rows.equals(own):
        return
    if len(rows) == len(own) and rows.sort_values().equals(own.sort_values()):
        warnings.warn(
            "X and y have the same index in another order; rows are paired by their position",
            UserWarning,
            stacklevel=4,
        )


def as_columns(X: Any, y: Any, *, memory: Any = None, task: str = "auto") -> tuple[Columns, Any]:
    """Type the table and set the target apart: an array, or the name of a column of X.

    Examples
    --------
    >>> import pandas as pd
    >>> columns, target = as_columns(pd.DataFrame({"a": [1, 2], "b": [0, 1]}), "b")
    >>> columns.names, target.tolist()
    (('a',), [0, 1])
    """
    if isinstance(X, (str, os.PathLike)):
        if not (y is None or isinstance(y, str)):
            raise ValueError(f"y must name the target column of {X}; got {type(y).__name__}")
        return read_file(X, y, memory=memory, task=task)
    X = as_table(X)
    # a list is no scalar, and one whose entries differ in length has no ndim
    scalar = not isinstance(y, (list, tuple)) and np.ndim(y) == 0
    if scalar and y is not None and not isinstance(y, str):
        raise ValueError(f"y must be the target, or the name of a column as text; got {y!r}")
    if not isinstance(y, str):
        _warn_if_shuffled(X, y)
        return X if isinstance(X, Columns) else _read_frame(X), y
    if not is_frame(X):
        raise ValueError(
            f"y={y!r} names a column, but X is no data frame with names; give the target itself"
        )
    frame = nw.from_native(X, eager_only=True)
    if y not in frame.columns:
        raise ValueError(f"y={y!r} is not a column of X")
    target = frame.get_column(y)
    raw = target.to_numpy() if target.dtype.is_numeric() else np.array(target.to_list(), object)
    return _read_frame(frame.drop(y).to_native()), raw
