"""The verdict table as data for the script of the page, no larger than it may be."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ._columns import Column
from ._limits import Limits
from ._words import counted, cut

__all__ = ["Field", "Table", "build_table"]

#: Share of the bytes that reasons get even if not all rows fit.
_FOR_REASONS = 0.1
#: What must not stand in a script element, or could disturb whoever reads the source.
_UNSAFE = re.compile(
    "[<>&\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e0fff]"
)


@dataclass(frozen=True)
class Field:
    """A column of the table: its key, its heading, and whether it holds numbers."""

    key: str
    label: str
    numeric: bool


@dataclass(frozen=True)
class Table:
    """The table, and what had to be left out.

    ``data`` is JSON that may stand in a script element; ``note`` says what is missing;
    ``all_selected`` tells whether every selected column is among the rows, under its whole name.
    """

    fields: tuple[Field, ...]
    data: str
    n_rows: int
    note: str
    all_selected: bool


_FIELDS = (
    Field("name", "Column", False),
    Field("kind", "Verdict", False),
    Field("score", "Score", True),
    Field("p_value", "p-value", True),
    Field("masked_by", "Masked by", False),
    Field("chosen_in", "Chosen in", True),
    Field("step", "Step", True),
    Field("reason", "Reason", False),
)


def build_table(columns: Sequence[Column], limits: Limits) -> Table:
    """Encode the rows; if they are too many, reasons go first, then rows, least important first."""
    fields = tuple(field for field in _FIELDS if _needed(field.key, columns))
    has_reasons = fields[-1].key == "reason"
    for_rows = int(limits.table_bytes * (1 - _FOR_REASONS if has_reasons else 1))
    rows, used = _fitting((_row(column, fields) for column in columns), for_rows)
    reasons: list[str] = []
    if has_reasons:
        texts = (_json(cut(column.reason, limits.reason)) for column in columns[: len(rows)])
        reasons, _ = _fitting(texts, limits.table_bytes - used)
    told = [f"[{row},{reason}]" for row, reason in zip(rows, reasons, strict=False)]
    untold = [f"[{row}]" for row in rows[len(reasons) :]]
    keys = json.dumps([field.key for field in fields])
    n_selected = sum(column.is_selected for column in columns)
    n_reasons = len(reasons) if has_reasons else len(rows)
    return Table(
        fields=fields,
        data=f'{{"fields":{keys},"rows":[{",".join([*told, *untold])}]}}',
        n_rows=len(rows),
        note=_note(len(columns), len(rows), n_reasons),
        all_selected=len(rows) >= n_selected,
    )


def _needed(key: str, columns: Sequence[Column]) -> bool:
    if key in {"name", "kind"}:
        return True
    return any(getattr(column, key) not in {None, ""} for column in columns)


def _row(column: Column, fields: Sequence[Field]) -> str:
    """The cells of a row but for its reason, as JSON without brackets."""
    cells = [_cell(getattr(column, field.key)) for field in fields if field.key != "reason"]
    return _json(cells)[1:-1]


def _json(value: Any) -> str:
    """JSON that may stand in a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda match: _escaped(match[0]), text)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else json.dumps(character)[1:-1]


def _cell(value: Any) -> Any:
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _fitting(texts: Iterable[str], room: int) -> tuple[list[str], int]:
    """The first of the texts, as many as fit, and how many bytes these take."""
    fitting: list[str] = []
    used = 0
    for text in texts:
        size = len(text.encode()) + 3
        if used + size > room:
            break
        fitting.append(text)
        used += size
    return fitting, used


def _note(n_all: int, n_rows: int, n_reasons: int) -> str:
    """Say what the table does not hold."""
    if n_rows < n_all:
        missing = f"the {counted(n_all - n_rows, 'column')} that matter least"
        less = f"The page would be too large with all columns: {missing} are not listed"
        more = f", and reasons are given for the first {n_reasons:,} only" * (n_reasons < n_rows)
        return f"{less}{more}. The saved selection (JSON) has all of them."
    if n_reasons < n_rows:
        return (
            f"The page would be too large with all reasons: they are given for the "
            f"{counted(n_reasons, 'column')} that matter most. The saved selection (JSON) has all."
        )
    return ""
