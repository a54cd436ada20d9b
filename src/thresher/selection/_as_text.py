"""A selection as a terminal shows it: what it has shown, and the first verdicts."""

from typing import TYPE_CHECKING

from ._text import printable

if TYPE_CHECKING:
    from ._selection import Selection

__all__ = ["as_text"]

_ROWS = 10
_WIDTH = 60


def as_text(selection: "Selection") -> str:
    """Write the headline, the claim if it says more than that, and the first verdicts."""
    by = f" by {printable(selection.method, _WIDTH)}" if selection.method else ""
    ranked = selection.ranked()
    head = [f"Selection: {len(selection.selected)} of {len(ranked)} columns{by}"]
    if claim := selection.claim:
        head.append(claim[0].upper() + claim[1:])
    cells = [("column", "verdict", "score", "reason")]
    cells += [
        (printable(v.name, _WIDTH), v.kind, _number(v.score), printable(v.reason))
        for v in ranked[:_ROWS]
    ]
    widths = [max(len(row[c]) for row in cells) for c in range(4)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in cells
    ]
    if len(ranked) > _ROWS:
        lines.append(f"... and {len(ranked) - _ROWS} more columns")
    return "\n".join([*head, *("  " + line.rstrip() for line in lines)])


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"
