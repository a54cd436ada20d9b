"""The verdicts of a selection, read once and put in order."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._words import as_number

__all__ = ["KINDS", "Column", "read_columns"]

#: The verdicts; columns of the first two are selected.
KINDS = ("relevant", "supporting", "redundant", "irrelevant")


@dataclass(frozen=True)
class Column:
    """What was decided about one column.

    Parameters
    ----------
    name : str
        As in the table, whatever characters it holds.
    kind : {"relevant", "supporting", "redundant", "irrelevant"}
        The verdict.
    score, p_value : float or None
        How much it matters, and how surely.
    masked_by : str or None
        Which selected column says the same.
    step : int or None
        When it was decided.
    reason : str
        The decision in words.
    chosen_in : float or None
        Share of the repetitions that chose it, where stability was measured.
    """

    name: str
    kind: str
    score: float | None = None
    p_value: float | None = None
    masked_by: str | None = None
    step: int | None = None
    reason: str = ""
    chosen_in: float | None = None

    @property
    def is_selected(self) -> bool:
        """Whether the column is selected."""
        return self.kind in KINDS[:2]


def read_columns(content: Mapping[str, Any]) -> tuple[Column, ...]:
    """All columns: the selected ones in their order, then the others by score."""
    frequency = (content.get("stability") or {}).get("frequency", {})
    columns = [
        Column(
            name=verdict["name"],
            kind=verdict["kind"],
            score=as_number(verdict.get("score")),
            p_value=as_number(verdict.get("p_value")),
            masked_by=verdict.get("masked_by"),
            step=verdict.get("step"),
            reason=verdict.get("reason") or "",
            chosen_in=as_number(frequency.get(verdict["name"])),
        )
        for verdict in content["verdicts"]
    ]
    place = {name: k for k, name in enumerate(content["selected"])}
    last = len(place)
    columns.sort(
        key=lambda column: (
            place.get(column.name, last),
            float("inf") if column.score is None else -column.score,
        )
    )
    return tuple(columns)
