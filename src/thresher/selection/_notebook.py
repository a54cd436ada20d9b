"""A selection as notebooks show it: a headline and a table that is short until it is opened."""

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ._text import printable
from ._verdict import Verdict

if TYPE_CHECKING:
    from ._selection import Selection

__all__ = ["as_html"]

#: Rows at once, and with those that a click unfolds.
_FIRST, _MOST = 20, 200
_NAMES = 20
_NAME_WIDTH, _REASON_WIDTH = 60, 200

#: Legible on white and on black, since a notebook does not say which it is.
_COLOURS = {
    "relevant": "#0d8a72",
    "supporting": "#3b78d8",
    "redundant": "#c2620a",
    "irrelevant": "#7a7f85",
}
_HEAD = ("column", "verdict", "score", "p-value", "masked by", "step", "reason")


def as_html(selection: "Selection") -> str:
    """Render a headline, the explanation, the selected columns and the verdicts."""
    ranked = selection.ranked()
    by = f" by {_safe(selection.method)}" if selection.method else ""
    parts = [
        f"<p><b>{len(selection.selected):,}</b> of {len(ranked):,} columns selected{by}, "
        f"{selection.cost.evaluations:,} evaluations in {selection.cost.seconds:.2f} s</p>"
    ]
    if claim := selection.claim:
        parts.append(f"<p>{_safe(claim[0].upper() + claim[1:])}</p>")
    if selection.explanation:
        parts.append(f"<p>{_safe(selection.explanation)}</p>")
    if selection.selected:
        names = [_name(name) for name in selection.selected[:_NAMES]]
        more = len(selection.selected) - len(names)
        parts.append(f"<p>Selected: {', '.join(names)}{f' and {more:,} more' if more else ''}</p>")
    parts.append(_table(ranked[:_FIRST]))
    folded = ranked[_FIRST:_MOST]
    if folded:
        parts.append(f"<details><summary>{len(folded)} more</summary>{_table(folded)}</details>")
    if len(ranked) > _MOST:
        parts.append(f"<p>... and {len(ranked) - _MOST:,} more columns</p>")
    return f"<div>{''.join(parts)}</div>"


def _table(verdicts: Sequence[Verdict]) -> str:
    # Notebooks align cells to the right, which suits numbers alone.
    head = "".join(f'<th style="text-align:left">{word}</th>' for word in _HEAD)
    body = "".join(f"<tr>{_row(verdict)}</tr>" for verdict in verdicts)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _row(verdict: Verdict) -> str:
    kind = f'<b style="color:{_COLOURS[verdict.kind]}">{verdict.kind}</b>'
    cells = (
        _name(verdict.name),
        kind,
        _number(verdict.score, 4),
        _number(verdict.p_value, 2),
        "" if verdict.masked_by is None else _name(verdict.masked_by),
        "" if verdict.step is None else str(verdict.step),
        _safe(verdict.reason, _REASON_WIDTH),
    )
    return "".join(f'<td style="text-align:left">{cell}</td>' for cell in cells)


def _number(value: float | None, digits: int) -> str:
    if value is None or value != value:
        return ""
    return f'<span style="white-space:nowrap">{value:.{digits}g}</span>'


def _name(name: str) -> str:
    """A name, kept from changing the direction of what surrounds it."""
    return f"<bdi>{_safe(name, _NAME_WIDTH) or '(empty name)'}</bdi>"


def _safe(text: str, width: int | None = None) -> str:
    return html.escape(printable(text, width))
