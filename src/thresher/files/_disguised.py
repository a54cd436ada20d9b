"""Numbers and dates as people and spreadsheets write them: 12 %, $1,200.50, 3,14, 24.12.2026."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

__all__ = ["are_numbers", "stranger", "undisguised"]

#: Signs around a number that say in what it is counted.
_UNITS = "%$€£¥"
_SIGNED = rf"[{_UNITS}]?\s*[+-]?\s*[{_UNITS}]?\s*"
_POINT = re.compile(rf"{_SIGNED}(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*[{_UNITS}]?")
_COMMAS = re.compile(rf"{_SIGNED}\d{{1,3}}(,\d{{3}})+(\.\d*)?\s*[{_UNITS}]?")
_POINT_OR_COMMAS = re.compile(f"(?:{_POINT.pattern})|(?:{_COMMAS.pattern})")
_DECIMAL_COMMA = re.compile(rf"{_SIGNED}(\d+|\d{{1,3}}(\.\d{{3}})+)(,\d+)?\s*[{_UNITS}]?")
_ANY_NUMBER = f"^(?:{_POINT_OR_COMMAS.pattern}|{_DECIMAL_COMMA.pattern})$"
_DATES = (
    (re.compile(r"\d{4}/\d\d?/\d\d?"), "%Y/%m/%d"),
    (re.compile(r"\d\d?\.\d\d?\.\d{4}"), "%d.%m.%Y"),
    (re.compile(r"\d\d?/\d\d?/\d{4}"), "%d/%m/%Y"),
    (re.compile(r"\d\d?/\d\d?/\d{4}"), "%m/%d/%Y"),
)
#: Share of the cells that make a column look like numbers.
_MOST = 0.9
_SAMPLE = 1000


def undisguised(series: pl.Series) -> pl.Series:
    """Return a text column as numbers or dates if every cell is one, and in one way only.

    Examples
    --------
    >>> import polars as pl
    >>> undisguised(pl.Series(["12 %", None, "-3.5%"])).to_list()
    [12.0, None, -3.5]
    >>> undisguised(pl.Series(["1.234,5", "0,25"])).to_list()
    [1234.5, 0.25]
    >>> undisguised(pl.Series(["1,234", "2,500"])).dtype  # thousands, or fractions?
    String
    """
    import polars as pl

    cells = [cell for cell in series.unique().to_list() if cell is not None]
    if not cells or not any(character.isdigit() for character in cells[0]):
        return series
    point = _all_match(_POINT_OR_COMMAS, cells)
    decimal = any("," in cell for cell in cells) and _all_match(_DECIMAL_COMMA, cells)
    if point != decimal:
        numbers = _plain(series, decimal_comma=decimal).cast(pl.Float64, strict=False)
        return numbers if numbers.null_count() == series.null_count() else series
    return series if point else _dates(series, cells)


def are_numbers(cells: Iterable[str]) -> bool:
    """Whether nearly all of some cells of text are numbers, however they are written.

    Examples
    --------
    >>> are_numbers(["12.5 %", "3 %"]), are_numbers(["12.5 %", "few"]), are_numbers([])
    (True, False, False)
    """
    matches = [bool(re.match(_ANY_NUMBER, cell)) for cell in cells]
    return bool(matches) and sum(matches) >= _MOST * len(matches)


def stranger(series: pl.Series) -> str | None:
    """Return a cell that keeps a text column from being numbers, if nearly all others are numbers.

    Examples
    --------
    >>> import polars as pl
    >>> stranger(pl.Series(["1", "2.5", "3", "4", "5", "6", "7", "8", "9", "unknown"]))
    'unknown'
    >>> stranger(pl.Series(["red", "green", "3"])) is None
    True
    """
    known = series.drop_nulls()
    for some in (known.head(_SAMPLE), known):  # most columns are words, which a few cells tell
        is_number = some.str.contains(_ANY_NUMBER)
        if not is_number.sum() >= _MOST * len(some):
            return None
    strangers = known.filter(~is_number)
    return str(strangers[0]) if len(strangers) else None


def _all_match(shape: re.Pattern[str], cells: list[str]) -> bool:
    return all(shape.fullmatch(cell) for cell in cells)


def _plain(series: pl.Series, *, decimal_comma: bool) -> pl.Series:
    """Take away what is no part of a number, and let a point part the fraction."""
    bare = series.str.replace_all(rf"[{_UNITS}\s]", "")
    if decimal_comma:
        bare = bare.str.replace_all(".", "", literal=True)
        return bare.str.replace_all(",", ".", literal=True)
    return bare.str.replace_all(",", "", literal=True)


def _dates(series: pl.Series, cells: list[str]) -> pl.Series:
    found = []
    for shape, layout in _DATES:
        if _all_match(shape, cells):
            parsed = series.str.to_date(layout, strict=False)
            if parsed.null_count() == series.null_count():
                found.append(parsed)
    return found[0] if len(found) == 1 else series
