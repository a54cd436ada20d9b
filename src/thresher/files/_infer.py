"""From text to types, judged by the whole column: one cell that is no number makes it text."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

from ._disguised import are_numbers, stranger, undisguised

if TYPE_CHECKING:
    import polars as pl

__all__ = ["MISSING", "dates_from_text", "types_from_text"]

MISSING = ("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NaT", "null", "NULL", "None", "?")
"""The cells of a CSV or TSV file that stand for a missing value."""

_LOOK_AT = 50
_BLOCK = 1000  # columns per polars query: a wide one costs more than its parts
_BOOLEAN = re.compile(r"true|false", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_DATETIME = re.compile(
    r"\d{4}-\d\d-\d\d(?P<mark>[T ])\d\d:\d\d(?P<seconds>:\d\d(\.\d+)?)?(?P<zone>Z|[+-]\d\d:?\d\d)?"
)


def types_from_text(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the frame of text columns with numbers, booleans and ISO dates as such.

    Cells lose the white space around them, and those in `MISSING` become null. A column without any
    value becomes Float64.
    """
    import polars as pl

    cell = pl.all().str.strip_chars().replace(MISSING, [None] * len(MISSING))
    columns = [_number(series) for series in frame.get_columns()]
    places = [i for i, series in enumerate(columns) if series.dtype == pl.String]
    for start in range(0, len(places), _BLOCK):
        block = places[start : start + _BLOCK]
        cleaned = pl.DataFrame([columns[i] for i in block]).select(cell)
        for i, series in zip(block, cleaned.get_columns(), strict=True):
            columns[i] = _typed(series)
    return pl.DataFrame(columns)


def dates_from_text(series: pl.Series) -> pl.Series:
    """Return the text column as Date or Datetime if it holds nothing else, unchanged if it does."""
    import polars as pl

    first = _first_value(series) or ""
    if _DATE.fullmatch(first):
        return _if_complete(series, series.str.to_date("%Y-%m-%d", strict=False))
    shape = _DATETIME.fullmatch(first)
    if shape is None:
        return series
    seconds = ":%S%.f" if shape["seconds"] else ""
    zone = "%#z" if shape["zone"] else ""
    layout = f"%Y-%m-%d{shape['mark']}%H:%M{seconds}{zone}"
    parsed = series.str.to_datetime(layout, strict=False, time_unit="us")
    return _if_complete(series, parsed if parsed.dtype == pl.Datetime else series)


def _typed(series: pl.Series) -> pl.Series:
    import polars as pl

    first = _first_value(series)
    if first is None:
        return series.cast(pl.Float64)
    if _BOOLEAN.fullmatch(first):
        words = {"true": True, "false": False}
        lower = series.str.to_lowercase()
        known = lower.replace_strict(words, default=None, return_dtype=pl.Boolean)
        return _if_complete(series, known)
    series = _number(series)
    for read in (dates_from_text, undisguised):
        if series.dtype == pl.String:
            series = read(series)
    if series.dtype == pl.String:
        _warn_of_numbers(series)
    return series


def _number(series: pl.Series) -> pl.Series:
    import polars as pl

    if series.null_count() == len(series):
        return series
    for dtype in (pl.Int64, pl.UInt64, pl.Float64):
        numbers = series.cast(dtype, strict=False)
        if numbers.null_count() == series.null_count():
            return numbers
    return series


def _warn_of_numbers(series: pl.Series) -> None:
    """Say that a few cells make a column text that would be numbers without them."""
    strange = stranger(series)
    if strange is not None:
        why = f"nearly all of its cells are numbers, but not {strange!r}"
    elif are_numbers(series.drop_nulls().head(_LOOK_AT).to_list()):
        why = f"does the comma in {_first_value(series)!r} part thousands or decimals?"
    else:
        return
    warnings.warn(f"column {series.name!r} is taken for text: {why}", UserWarning, stacklevel=2)


def _if_complete(series: pl.Series, parsed: pl.Series) -> pl.Series:
    return parsed if parsed.null_count() == series.null_count() else series


def _first_value(series: pl.Series) -> str | None:
    return next((cell for cell in series if cell is not None), None)
