"""The selection for another goal, from the same evidence."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ._verdict import Verdict

__all__ = ["GOALS", "View", "allowed_goals", "check_views", "with_view"]

#: What a selection can be for.
GOALS = ("predict", "explain", "all-relevant")


@dataclass(frozen=True)
class View:
    """The selection for one goal, where it differs from those for the other goals.

    Parameters
    ----------
    selected : tuple of str
        Names of the selected columns, best first.
    verdicts : mapping of str to mapping
        ``kind``, ``masked_by`` and ``reason`` of each column whose verdict is not the same for all
        goals, and its ``p_value`` if that differs, too. All views of a selection list the same
        columns, so that each can replace any other.
    """

    selected: tuple[str, ...]
    verdicts: Mapping[str, Mapping[str, Any]]

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "View":
        """Rebuild it from plain dicts."""
        return cls(tuple(content["selected"]), content["verdicts"])


def with_view(verdicts: Iterable[Verdict], view: View) -> tuple[Verdict, ...]:
    """Replace the verdicts that differ for the goal of a view."""
    return tuple(
        _replaced(verdict, view.verdicts[verdict.name])
        if verdict.name in view.verdicts
        else verdict
        for verdict in verdicts
    )


def _replaced(verdict: Verdict, entry: Mapping[str, Any]) -> Verdict:
    return replace(
        verdict,
        kind=entry["kind"],
        masked_by=entry.get("masked_by"),
        reason=entry.get("reason", ""),
        p_value=entry.get("p_value", verdict.p_value),
    )


def check_views(views: Mapping[str, View], verdicts: Sequence[Verdict]) -> None:
    """Raise a ValueError that names the goal if views cannot replace one another."""
    names = {verdict.name for verdict in verdicts}
    columns: set[str] | None = None
    for goal, view in views.items():
        if goal not in GOALS:
            raise ValueError(f"views: goal must be one of {allowed_goals()}; got {goal!r}")
        if columns is not None and set(view.verdicts) != columns:
            raise ValueError(f"views: the verdicts of {goal!r} are on other columns than the first")
        columns = set(view.verdicts)
        unknown = next((name for name in view.verdicts if name not in names), None)
        if unknown is not None:
            raise ValueError(f"views: {goal!r} has a verdict on an unknown column {unknown!r:.60}")
        chosen = {verdict.name for verdict in with_view(verdicts, view) if verdict.is_selected}
        if chosen != set(view.selected) or len(chosen) != len(view.selected):
            raise ValueError(
                f"views: selected of {goal!r} must name exactly the columns whose verdict there "
                "is 'relevant' or 'supporting'"
            )


def allowed_goals() -> str:
    """List the goals for a message."""
    return ", ".join(map(repr, GOALS))
