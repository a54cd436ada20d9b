"""CSV and TSV.

The first line names the columns. Quotes, doubled quotes and line breaks within quotes are read as
in RFC 4180. White space around names and cells is dropped, blank lines are skipped, and every other
row must have as many fields as the header. A ``.csv`` file may separate fields by comma, semicolon,
tab or bar. Numbers have a decimal point; text such as ``1,5`` stays text. For the types see
`types_from_text`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ._format import Format
from ._infer import types_from_text
from ._names import column_names
from ._source import EMPTY, Source

if TYPE_CHECKING:
    import polars as pl

__all__ = ["CSV", "TSV"]

_DELIMITERS = ",;\t|"
_SNIFFED_ROWS = 20
_CELLS_PER_CHUNK = 500_000


def _read_csv(source: Source) -> pl.DataFrame:
    data = source.text_bytes()
    return _read_delimited(source, data, _sniffed(data))


def _read_tsv(source: Source) -> pl.DataFrame:
    return _read_delimited(source, source.text_bytes(), "\t")


CSV = Format("csv", (".csv",), _read_csv)
TSV = Format("tsv", (".tsv", ".tab"), _read_tsv)


def _read_delimited(source: Source, data: bytes, delimiter: str) -> pl.DataFrame:
    stream = io.BytesIO(data)
    records = _Records(source, stream, delimiter)
    header = next(records, None)
    if header is None:
        raise source.error(EMPTY)
    names = column_names([name.strip() for name in header[1]], source)
    if data.find(b'"', stream.tell()) >= 0:
        return types_from_text(_quoted_rows(records, names))
    _check_lines(source, stream, len(names), delimiter, records.line)
    return types_from_text(_plain_rows(data[stream.tell() :], names, delimiter))


class _Records:
    """The rows of a file with the lines on which they begin; blank lines are passed over."""

    def __init__(self, source: Source, stream: io.BytesIO, delimiter: str) -> None:
        self.source = source
        self.line = 0
        self._rows = csv.reader(
            _lines(stream), delimiter=delimiter, skipinitialspace=True, strict=True
        )

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        return self

    def __next__(self) -> tuple[int, list[str]]:
        while True:
            begin = self.line + 1
            try:
                row = next(self._rows)
            except csv.Error as problem:
                raise self.source.error(f"broken quotes ({problem})", line=begin) from None
            self.line = self._rows.line_num
            if len(row) > 1 or (row and row[0].strip()):
                return begin, row


def _lines(stream: io.BytesIO) -> Iterator[str]:
    # One by one, so that the stream's position is just behind the last row that was taken.
    return (line.decode("utf-8") for line in stream)


def _quoted_rows(records: _Records, names: list[str]) -> pl.DataFrame:
    import polars as pl

    schema = dict.fromkeys(names, pl.String)
    chunks = [pl.DataFrame(schema=schema)]
    while rows := list(islice(records, max(1, _CELLS_PER_CHUNK // len(names)))):
        for line, row in rows:
            if len(row) != len(names):
                raise records.source.error(_ragged(len(row), len(names)), line=line)
        cells = zip(*(row for _, row in rows), strict=True)
        chunks.append(pl.DataFrame(dict(zip(names, cells, strict=True)), schema=schema))
    return pl.concat(chunks)


def _check_lines(
    source: Source, stream: io.BytesIO, n_fields: int, delimiter: str, line: int
) -> None:
    """Raise for the first line with too few or too many fields; the stream stays where it is."""
    begin, mark = stream.tell(), delimiter.encode()
    for number, text in enumerate(stream, start=line + 1):
        found = text.count(mark) + 1
        if found != n_fields and not _is_blank(text):
            raise source.error(_ragged(found, n_fields), line=number)
    stream.seek(begin)


def _plain_rows(body: bytes, names: list[str], delimiter: str) -> pl.DataFrame:
    """Read rows without any quote, which polars splits far quicker than the csv module."""
    import polars as pl

    if b"\n\n" in body or b"\n " in body or body[:1] in (b"\n", b" "):
        body = b"".join(text for text in io.BytesIO(body) if not _is_blank(text))
    schema = dict.fromkeys(names, pl.String)
    if not body:
        return pl.DataFrame(schema=schema)
    return pl.read_csv(body, has_header=False, schema=schema, separator=delimiter, quote_char=None)


def _is_blank(line: bytes) -> bool:
    return not line.strip(b" \n")


def _ragged(found: int, expected: int) -> str:
    return f"{found} field{'s' * (found != 1)}, but the header has {expected}"


def _sniffed(data: bytes) -> str:
    """Return the delimiter that cuts the first rows alike, else that which cuts the header most."""

    def widths(delimiter: str) -> list[int]:
        try:
            rows = csv.reader(_lines(io.BytesIO(data)), delimiter=delimiter, skipinitialspace=True)
            return [len(row) for row in islice(rows, _SNIFFED_ROWS) if row] or [0]
        except csv.Error:
            return [0]

    found = {delimiter: widths(delimiter) for delimiter in _DELIMITERS}
    alike = {delimiter: cut[0] for delimiter, cut in found.items() if len(set(cut)) == 1}
    if max(alike.values(), default=1) > 1:
        return max(alike, key=lambda delimiter: alike[delimiter])
    return max(found, key=lambda delimiter: found[delimiter][0])
