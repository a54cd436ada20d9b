"""ARFF, the format of WEKA.

Numeric, real and integer attributes become Float64, nominal ones Enum with the declared values,
string ones String, date ones Datetime (without zone; zoned ones in UTC). Rows may be sparse: what
they omit is 0, or the first declared value. Instance weights and relational attributes are refused,
since a table has no place for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._arff_attribute import Attribute, CellError, parse_attribute
from ._arff_rows import RowParser
from ._arff_tokens import tokens
from ._format import Format
from ._names import column_names, shown
from ._source import Source

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ARFF"]


def _read_arff(source: Source) -> pl.DataFrame:
    import polars as pl

    lines = source.text_lines()
    attributes, data_line = _header(lines, source)
    names = column_names([attribute.name for attribute in attributes], source)
    rows, row_lines = _rows(lines, data_line, attributes, source)
    if not rows:
        raise source.error("there are attributes but no rows")
    columns = []
    for name, attribute, cells in zip(names, attributes, zip(*rows, strict=True), strict=True):
        try:
            columns.append(attribute.series(name, cells))
        except CellError as problem:
            message = f"attribute {shown(name)}: {problem}"
            raise source.error(message, line=row_lines[problem.row]) from None
    return pl.DataFrame(columns)


ARFF = Format("arff", (".arff",), _read_arff)


def _header(lines: list[str], source: Source) -> tuple[list[Attribute], int]:
    """Return the attributes and the number of the line that says ``@data``."""
    attributes: list[Attribute] = []
    for number, line in enumerate(lines, start=1):
        try:
            found = tokens(line)
            keyword = found[0].text.lower() if found else ""
            if keyword == "@data":
                if not attributes:
                    raise ValueError("@data comes before any @attribute")
                return attributes, number
            if keyword == "@attribute":
                attributes.append(parse_attribute(found[1:]))
            elif keyword not in ("", "@relation"):
                raise ValueError(f"expected @attribute or @data, found {shown(found[0].text)}")
        except ValueError as problem:
            raise source.error(str(problem), line=number) from None
    raise source.error("there is no @data line")


def _rows(
    lines: list[str], data_line: int, attributes: list[Attribute], source: Source
) -> tuple[list[list[str | None]], list[int]]:
    """Return the cells of all rows, and the lines on which they stand."""
    parser = RowParser(attributes)
    rows, row_lines = [], []
    for number, line in enumerate(lines[data_line:], start=data_line + 1):
        try:
            row = parser.cells(line)
        except ValueError as problem:
            raise source.error(str(problem), line=number) from None
        if row is not None:
            rows.append(row)
            row_lines.append(number)
    return rows, row_lines
