"""Real data from OpenML, under the names that the experiments use."""

import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from thresher.files import Table

__all__ = ["SOURCES", "fetch"]

#: Seconds to wait for an answer; scikit-learn itself would wait for ever.
TIMEOUT = 15.0


@dataclass(frozen=True)
class Source:
    """Where OpenML has a data set.

    Parameters
    ----------
    data_id : int
        One version of one data set.
    name : str
        There.
    n_columns : int
        Without the target; what has another number of them is not the data set meant.
    target : str
        Its column; by default what OpenML says.
    """

    data_id: int
    name: str
    n_columns: int
    target: str = "default-target"


#: Those of the agnostic challenge hold the rows for training and for validation.
SOURCES = {
    "ada": Source(1043, "ada_agnostic", 48, "label"),
    "ailerons": Source(296, "ailerons", 40),
    "anneal": Source(2, "anneal", 38, "class"),
    "dna": Source(40670, "dna", 180),
    "elevators": Source(216, "elevators", 18),
    "gina": Source(1038, "gina_agnostic", 970, "label"),
    "hepatitis": Source(55, "hepatitis", 19),
    "hiva": Source(1039, "hiva_agnostic", 1617, "label"),
    "house16H": Source(574, "house_16H", 16),
    "madelon": Source(1485, "madelon", 500),
    "mfeat-pixel": Source(20, "mfeat-pixel", 240),
    "monks-2": Source(334, "monks-problems-2", 6),
    "opt-digits": Source(28, "optdigits", 64),
    "pole": Source(201, "pol", 48),
    "soybean": Source(42, "soybean", 35, "class"),
    "sylva": Source(1036, "sylva_agnostic", 216, "label"),
    "triazines": Source(206, "triazines", 60, "activity"),
    "wisconsin": Source(191, "wisconsin", 32, "time"),
}


@cache
def fetch(name: str) -> Table | str:
    """Return a data set, or why there is none; scikit-learn keeps what it has fetched on disk."""
    if name not in SOURCES:
        return "no data set there is known to be this one"
    absent = [package for package in ("pandas", "polars") if find_spec(package) is None]
    if absent:
        return f"fetching needs {' and '.join(absent)}: pip install {' '.join(absent)}"
    source = SOURCES[name]
    try:
        return _checked(_download(source), source)
    except Exception as problem:  # whatever went wrong, the other rows of a table can be filled
        return f"{source.name} (id {source.data_id}): {str(problem) or type(problem).__name__}"


def _download(source: Source) -> Any:
    from sklearn.datasets import fetch_openml

    with _timeout(TIMEOUT), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # each of the few retries says the same as the last error
        return fetch_openml(
            data_id=source.data_id, target_column=source.target, as_frame=True, n_retries=1
        )


@contextmanager
def _timeout(seconds: float) -> Iterator[None]:
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(seconds)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)


def _checked(found: Any, source: Source) -> Table:
    if len(found.target_names) != 1:
        raise ValueError(f"expected one target, found {found.target_names}")
    if found.data.shape[1] != source.n_columns:
        raise ValueError(f"expected {source.n_columns} columns, found {found.data.shape[1]}")
    return _table(found.data, found.target, str(found.target_names[0]))


def _table(data: Any, target: Any, target_name: str) -> Table:
    """Return pandas' columns as a file would give them."""
    import polars as pl

    X = pl.DataFrame([_series(str(name), data[name]) for name in data.columns])
    y = _series(target_name, target)
    if y.null_count():
        raise ValueError(f"the target {target_name!r} has {y.null_count()} missing values")
    plain = y.dtype.is_numeric() or y.dtype == pl.Boolean
    labels = y.to_numpy() if plain else np.array(y.to_list(), dtype=object)
    return Table(X, labels, tuple(X.columns), target_name)


def _series(name: str, column: Any) -> Any:
    """Return a column with null where cells are missing: numbers, bool or categories."""
    import pandas as pd
    import polars as pl

    missing = column.isna().to_numpy()
    if pd.api.types.is_bool_dtype(column.dtype) and not missing.any():
        return pl.Series(name, column.to_numpy(dtype=bool))
    if pd.api.types.is_numeric_dtype(column.dtype):
        whole = pd.api.types.is_integer_dtype(column.dtype) and not missing.any()
        if whole:
            return pl.Series(name, column.to_numpy(dtype=np.int64))
        numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return pl.Series(name, numbers).fill_nan(None)
    cells = [None if gap else str(cell) for cell, gap in zip(column, missing, strict=True)]
    return pl.Series(name, cells, dtype=pl.Categorical)
