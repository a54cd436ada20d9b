"""Tables and columns that are not quite what they should be: made right, or refused by name."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from ._columns import Kind

__all__ = ["as_table", "from_objects", "in_seconds", "is_missing"]

_NESTED = (list, tuple, dict, set, np.ndarray, complex)
_NUMBERS = (bool, int, float, Decimal, Fraction, np.number, np.bool_)
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def as_table(X: Any) -> Any:
    """Return the table itself, or what it stands for; refuse what would lose its meaning."""
    if isinstance(X, np.ma.MaskedArray):
        raise ValueError("X is a masked array; put NaN where cells are missing: X.filled(np.nan)")
    if type(X).__name__ == "LazyFrame":
        raise ValueError("X is a lazy frame; call .collect() first")
    if type(X).__name__ == "RecordBatch":
        import pyarrow as pa

        return pa.Table.from_batches([X])
    return X


def from_objects(series: "nw.Series[Any]", name: str) -> "tuple[Kind, nw.Series[Any]]":
    """Make a column of Python objects into numbers, datetimes or text."""
    cells = [None if is_missing(cell) else cell for cell in series.to_list()]
    present = [cell for cell in cells if cell is not None]
    backend = nw.get_native_namespace(series)
    nested = next((cell for cell in present if isinstance(cell, _NESTED)), None)
    if nested is not None:
        raise ValueError(
            f"column {name!r} holds nested values ({type(nested).__name__}); expected one number, "
            "text or date per cell"
        )
    if all(isinstance(cell, _NUMBERS) for cell in present):
        return "numeric", _floats(cells, name, backend)
    if all(isinstance(cell, dt.date) for cell in present):
        seconds = [None if cell is None else _seconds(cell) for cell in cells]
        return "datetime", _floats(seconds, name, backend)
    text = [None if cell is None else str(cell) for cell in cells]
    return "string", nw.new_series(name, text, nw.String, backend=backend)


def in_seconds(series: "nw.Series[Any]", name: str) -> "nw.Series[Any]":
    """Make dates, moments and durations into seconds, since 1970 or, of mere times, midnight."""
    try:
        if isinstance(series.dtype, nw.Duration):
            whole = series.dt.total_microseconds()
        elif series.dtype == nw.Time:
            return _floats(
                [_since_midnight(cell) for cell in series.to_list()],
                name,
                nw.get_native_namespace(series),
            )
        else:
            exact = series.cast(nw.Datetime("us")) if series.dtype == nw.Date else series
            whole = exact.dt.timestamp("us")
        # in two parts: some libraries refuse to round a distant date to a float64
        seconds = whole // 1_000_000
        rest = whole - seconds * 1_000_000
        return seconds.cast(nw.Float64) + rest.cast(nw.Float64) / 1e6
    except Exception as error:
        # each library fails in its own way; the column's name is what the user needs
        raise ValueError(f"column {name!r} cannot be read as dates: {error}") from error


def is_missing(cell: Any) -> bool:
    """Whether one cell of a column of objects is a missing value of whatever library."""
    if cell is None or (isinstance(cell, (float, np.floating)) and np.isnan(cell)):
        return True
    return type(cell).__name__ in ("NAType", "NaTType")


def _floats(cells: list[Any], name: str, backend: Any) -> "nw.Series[Any]":
    try:
        numbers = [np.nan if cell is None else float(cell) for cell in cells]
    except OverflowError as error:
        raise ValueError(f"column {name!r} holds a number too large for float64") from error
    except (TypeError, ValueError) as error:
        raise ValueError(f"column {name!r} cannot be read as numbers: {error}") from error
    return nw.new_series(name, numbers, nw.Float64, backend=backend)


def _since_midnight(time: dt.time | None) -> float | None:
    if time is None:
        return None
    return 3600.0 * time.hour + 60.0 * time.minute + time.second + time.microsecond / 1e6


def _seconds(moment: dt.date) -> float:
    if not isinstance(moment, dt.datetime):
        moment = dt.datetime(moment.year, moment.month, moment.day)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    return (moment - _EPOCH).total_seconds()
