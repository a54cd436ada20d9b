"""The attributes that the header of an ARFF file declares, and how their cells become columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ._arff_tokens import Token
from ._names import shown

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Attribute", "CellError", "parse_attribute"]

_NUMERIC = ("numeric", "real", "integer")
_ISO = "%Y-%m-%dT%H:%M:%S"
_JAVA_RUN = re.compile(r"'([^']*)'|(([A-Za-z])\3*)|(.)", re.DOTALL)
_JAVA = {
    "y": "%Y", "yy": "%y", "M": "%m", "MMM": "%b", "MMMM": "%B", "d": "%d", "E": "%a", "EEEE": "%A",
    "H": "%H", "h": "%I", "a": "%p", "m": "%M", "s": "%S", "S": "%f", "Z": "%z", "X": "%z",
}  # fmt: skip


class CellError(ValueError):
    """A cell that does not fit its attribute; ``row`` counts from 0."""

    def __init__(self, row: int, message: str) -> None:
        super().__init__(message)
        self.row = row


@dataclass(frozen=True)
class Attribute:
    """One declared column.

    Parameters
    ----------
    name : str
        As declared; may be empty.
    kind : {"numeric", "nominal", "string", "date"}
        What its cells hold.
    levels : tuple of str
        The declared values of a nominal attribute, in order.
    layout : str
        How a date is written, in the language of `datetime.strptime`.
    """

    name: str
    kind: str
    levels: tuple[str, ...] = ()
    layout: str = _ISO

    @property
    def zero(self) -> str | None:
        """The cell that a sparse row omits: the value that WEKA stores as zero."""
        if self.kind == "date":
            return datetime(1970, 1, 1, tzinfo=UTC).strftime(self.layout)
        if self.kind == "nominal":
            return self.levels[0] if self.levels else None
        return "0"

    def series(self, name: str, cells: Sequence[str | None]) -> pl.Series:
        """Return the column for the cells, or raise `CellError` for the first that does not fit."""
        import polars as pl

        if self.kind == "numeric":
            text = pl.Series(name, cells, dtype=pl.String)
            numbers = text.cast(pl.Float64, strict=False)
            if numbers.null_count() > text.null_count():
                row = int((numbers.is_null() & text.is_not_null()).to_numpy().argmax())
                raise CellError(row, f"{shown(text[row])} is not a number")
            return numbers
        if self.kind == "nominal":
            known = {None, *self.levels}
            for row, cell in enumerate(cells):
                if cell not in known:
                    raise CellError(row, f"{shown(str(cell))} is not one of the declared values")
            return pl.Series(name, cells, dtype=pl.Enum(self.levels))
        if self.kind == "date":
            return pl.Series(name, self._moments(cells), dtype=pl.Datetime("us"))
        return pl.Series(name, cells, dtype=pl.String)

    def _moments(self, cells: Sequence[str | None]) -> list[datetime | None]:
        moments: list[datetime | None] = []
        for row, cell in enumerate(cells):
            try:
                moment = None if cell is None else datetime.strptime(cell, self.layout)
                if moment is not None and moment.tzinfo is not None:
                    moment = moment.astimezone(UTC).replace(tzinfo=None)
            except (ValueError, OverflowError):
                message = f"{shown(str(cell))} is not a date written as {self.layout}"
                raise CellError(row, message) from None
            moments.append(moment)
        return moments


def parse_attribute(found: list[Token]) -> Attribute:
    """Return the attribute for the tokens that follow ``@attribute``, or raise ValueError."""
    if len(found) < 2 or found[0].kind == "mark":
        raise ValueError("expected @attribute <name> <type>")
    name, rest = found[0].text, found[1:]
    if rest[0].is_mark("{"):
        return Attribute(name, "nominal", levels=_levels(rest))
    kind = rest[0].text.lower()
    if kind == "date" and len(rest) <= 2:
        return Attribute(name, "date", layout=_layout(rest[1].text) if len(rest) == 2 else _ISO)
    if kind not in (*_NUMERIC, "string"):
        raise ValueError(
            f"attribute {shown(name)} has the type {shown(rest[0].text)}; known are "
            "numeric, real, integer, string, date and {a,b,...}"
        )
    if len(rest) > 1:
        raise ValueError(
            f"attribute {shown(name)}: unexpected {shown(rest[1].text)} after the type"
        )
    return Attribute(name, "string" if kind == "string" else "numeric")


def _levels(rest: list[Token]) -> tuple[str, ...]:
    if not rest[-1].is_mark("}"):
        raise ValueError("the values must end with } on the same line, with nothing behind it")
    inner = [token for token in rest[1:-1] if not token.is_mark(",")]
    if any(token.kind == "mark" for token in inner):
        raise ValueError("braces within the values must be quoted")
    levels = tuple(token.text for token in inner)
    repeated = [level for level, times in Counter(levels).items() if times > 1]
    if repeated:
        raise ValueError(f"the value {shown(repeated[0])} is declared twice")
    return levels


def _layout(java: str) -> str:
    """Translate a Java date pattern for strptime.

    Examples
    --------
    >>> _layout("yyyy-MM-dd'T'HH:mm:ss")
    '%Y-%m-%dT%H:%M:%S'
    """
    parts = []
    for literal, run, letter, other in _JAVA_RUN.findall(java):
        if run:
            code = _JAVA.get(run) or _JAVA.get(letter)
            if code is None or code in parts:
                what = "is repeated" if code in parts else "is not supported"
                raise ValueError(f"date pattern {shown(java)}: {shown(run)} {what}")
            parts.append(code)
        else:
            parts.append((literal or other).replace("%", "%%"))
    return "".join(parts)
