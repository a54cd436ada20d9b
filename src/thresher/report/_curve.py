"""Loss against the number of columns along the search, one curve for each stage."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ._words import as_number, loss_words, setting

__all__ = ["LossCurve", "Point", "summarise_curves"]


@dataclass(frozen=True)
class Point:
    """What was known about a subset of so many columns."""

    step: int
    n_columns: int
    loss: float
    standard_error: float | None
    accepted: bool
    chosen: bool


@dataclass(frozen=True)
class LossCurve:
    """The course of one stage.

    Parameters
    ----------
    stage : str
        Its name; empty if there is only one.
    measure : str
        What is on the vertical axis, in words.
    higher_is_better : bool
        A merit in place of a loss.
    points : tuple of Point
        In the order of the search.
    """

    stage: str
    measure: str
    higher_is_better: bool
    points: tuple[Point, ...]

    @property
    def path(self) -> tuple[Point, ...]:
        """One accepted point for each number of columns: the chosen one, or else the last."""
        latest: dict[int, Point] = {}
        for point in self.points:
            before = latest.get(point.n_columns)
            if point.accepted and (before is None or point.chosen or not before.chosen):
                latest[point.n_columns] = point
        return tuple(latest[n] for n in sorted(latest))

    @property
    def chosen(self) -> Point | None:
        """The point of the subset that was chosen, if it is on the curve."""
        return next((point for point in reversed(self.points) if point.chosen), None)


def summarise_curves(content: Mapping[str, Any]) -> tuple[LossCurve, ...]:
    """One curve for each stage whose records have losses."""
    stages: dict[str, list[Mapping[str, Any]]] = {}
    for record in content["trace"]:
        stages.setdefault(str(record.get("stage", "")), []).append(record)
    curves = (_curve(stage, records, content) for stage, records in stages.items())
    return tuple(curve for curve in curves if curve.points)


def _curve(
    stage: str, records: Sequence[Mapping[str, Any]], content: Mapping[str, Any]
) -> LossCurve:
    if any("contrast_maxima" in record for record in records):
        return LossCurve(stage, "loss on rows held out", False, _rounds(records, content))
    merit = any("merit" in record for record in records)
    points = [_point(record, "merit" if merit else "loss") for record in records]
    measure = "merit" if merit else loss_words(setting(content, "loss"))
    return LossCurve(stage, measure, merit, tuple(p for p in points if p is not None))


def _point(record: Mapping[str, Any], key: str) -> Point | None:
    loss, n_columns = as_number(record.get(key)), record.get("n_variables")
    if loss is None or not isinstance(n_columns, int):
        return None
    return Point(
        step=int(record.get("step", 0)),
        n_columns=n_columns,
        loss=loss,
        standard_error=as_number(record.get("standard_error")) or None,
        accepted=bool(record.get("accepted", True)),
        chosen=bool(record.get("chosen", False)),
    )


def _rounds(records: Sequence[Mapping[str, Any]], content: Mapping[str, Any]) -> tuple[Point, ...]:
    """Points of the rounds of ACE: each tells the loss of what was kept before it."""
    n_kept = sum(verdict.get("reason") == "kept, as asked" for verdict in content["verdicts"])
    points = []
    for record in records:
        point = _point({**record, "n_variables": n_kept, "accepted": True}, "loss")
        if point is not None:
            points.append(point)
        n_kept = record["n_variables"]
    if points and points[-1].n_columns == n_kept:
        points[-1] = replace(points[-1], chosen=True)
    return tuple(points)
