"""What a user may hand over as a table and a target."""

import os
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from thresher.columns import Columns, as_table, is_frame, read_columns
from thresher.files import read_table

__all__ = ["as_columns"]


def as_columns(X: Any, y: Any) -> tuple[Columns, Any]:
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
        table = read_table(X, y)
        return read_columns(table.X, names=table.feature_names), table.y
    X = as_table(X)
    if np.ndim(y) == 0 and y is not None and not isinstance(y, str):
        raise ValueError(f"y must be the target, or the name of a column as text; got {y!r}")
    if not isinstance(y, str):
        return X if isinstance(X, Columns) else read_columns(X), y
    if not is_frame(X):
        raise ValueError(
            f"y={y!r} names a column, but X is no data frame with names; give the target itself"
        )
    frame = nw.from_native(X, eager_only=True)
    if y not in frame.columns:
        raise ValueError(f"y={y!r} is not a column of X")
    target = frame.get_column(y)
    raw = target.to_numpy() if target.dtype.is_numeric() else np.array(target.to_list(), object)
    return read_columns(frame.drop(y).to_native()), raw
