"""The one place of this package that needs pandas: tables with categorical columns."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["to_frame"]


def to_frame(X: NDArray[Any], names: Sequence[str], n_levels: Mapping[int, int]) -> Any:
    """Return ``X`` as a DataFrame whose columns in ``n_levels`` are categories 0, 1, ...

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_columns)
        Columns to be made categorical hold whole numbers from 0.
    names : sequence of str
        One name per column.
    n_levels : mapping of int to int
        Position of each categorical column and how many levels it has, seen in ``X`` or not.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError(
            "categorical columns are returned in a pandas DataFrame, and pandas is not installed; "
            "run 'pip install pandas' or ask for plain numeric columns"
        ) from error
    columns: dict[str, Any] = {}
    for position, name in enumerate(names):
        column = X[:, position]
        if position in n_levels:
            levels = range(n_levels[position])
            column = pd.Categorical.from_codes(column.astype(np.int64), categories=levels)
        columns[name] = column
    return pd.DataFrame(columns)
