"""NDJSON: one JSON object per line.

Keys may be absent from some rows, which makes their cells missing, as does null. A column of texts
that are all ISO dates becomes Date or Datetime; other texts are left as they are, even ``"NA"``. A
column of numbers and texts becomes text.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ._format import Format
from ._infer import dates_from_text
from ._names import column_names, shown
from ._source import Source

if TYPE_CHECKING:
    import polars as pl

__all__ = ["NDJSON"]

_SAFE_DIGITS = 18  # an int64 holds every whole number of so many digits


def _read_ndjson(source: Source) -> pl.DataFrame:
    import polars as pl

    columns: dict[str, list[Any]] = {}
    n_rows = 0
    for line, text in enumerate(source.text_lines(), start=1):
        if text.strip():
            _add_row(columns, n_rows, _parsed(text, line, source), line, source)
            n_rows += 1
    if not columns:
        raise source.error("no row has any key")
    for values in columns.values():
        values.extend([None] * (n_rows - len(values)))
    names = column_names(columns, source)
    return pl.DataFrame([_series(*column) for column in zip(names, columns.values(), strict=True)])


NDJSON = Format("ndjson", (".ndjson", ".jsonl"), _read_ndjson)


def _parsed(text: str, line: int, source: Source) -> tuple[tuple[str, Any], ...]:
    """Return the keys and values of one row; objects come as tuples, arrays as lists."""
    try:
        row = json.loads(text, object_pairs_hook=tuple, parse_int=_whole_number)
        if "\\u" in text:
            json.dumps(row, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as problem:
        message = f"not valid JSON at column {problem.colno} ({problem.msg})"
        raise source.error(message, line=line) from None
    except UnicodeEncodeError:
        raise source.error("half of a surrogate pair, which is no character", line=line) from None
    except RecursionError:
        raise source.error("values nested too deeply", line=line) from None
    if not isinstance(row, tuple):
        raise source.error("expected a JSON object, one per line", line=line)
    return row


def _add_row(
    columns: dict[str, list[Any]],
    row: int,
    cells: tuple[tuple[str, Any], ...],
    line: int,
    source: Source,
) -> None:
    for name, value in cells:
        values = columns.setdefault(name, [])
        if len(values) > row:
            raise source.error(f"duplicate key {shown(name)}", line=line)
        values.extend([None] * (row - len(values)))
        values.append(value)


def _series(name: str, values: list[Any]) -> pl.Series:
    import polars as pl

    kinds = {type(value) for value in values} - {type(None)}
    if kinds & {tuple, list}:
        # Refused later by this type, unless the caller drops the column.
        return pl.Series(name, [None] * len(values), dtype=pl.List(pl.Null))
    if kinds == {str}:
        return dates_from_text(pl.Series(name, values, dtype=pl.String))
    if kinds == {int}:
        return pl.Series(name, values, dtype=pl.Int64)
    if kinds == {bool}:
        return pl.Series(name, values, dtype=pl.Boolean)
    if kinds <= {int, float}:
        return pl.Series(name, values, dtype=pl.Float64, strict=False)
    return pl.Series(name, [_as_text(value) for value in values], dtype=pl.String)


def _as_text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value)


def _whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _SAFE_DIGITS else float(digits)
