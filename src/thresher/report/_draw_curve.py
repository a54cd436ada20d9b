"""Where the line, band and dots of a loss curve lie, as SVG paths in a square of 100 by 100."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ._curve import LossCurve, Point
from ._scale import Scale, Tick, count_scale, linear_scale
from ._words import counted, figure

__all__ = ["CurveChart", "Dot", "draw_curve"]

#: More dots than this cannot be told apart and only make the page larger.
_MOST_DOTS = 2000


@dataclass(frozen=True)
class Dot:
    """A point with what is known about it in words."""

    x: float
    y: float
    words: str


@dataclass(frozen=True)
class CurveChart:
    """Paths and marks of one curve.

    ``line`` joins the accepted points of ``band``, its standard errors; ``others`` are accepted
    points that a later one of the same size replaced; ``rejected`` are steps not taken.
    """

    line: str
    band: str
    others: str
    rejected: str
    dots: tuple[Dot, ...]
    chosen: Dot | None
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    n_rejected: int
    n_beyond: int


def draw_curve(curve: LossCurve) -> CurveChart | None:
    """Draw a curve; None if there are fewer than two numbers of columns to join."""
    path = curve.path
    if len(path) < 2:
        return None
    x = count_scale(point.n_columns for point in curve.points)
    y, n_beyond = _vertical(curve)
    on_path = set(path)
    rejected = [point for point in curve.points if not point.accepted]
    others = [p for p in curve.points if p.accepted and p not in on_path]
    dots = {point: Dot(x.at(point.n_columns), _height(point.loss, y), _words(point, curve))
            for point in path}  # fmt: skip
    return CurveChart(
        line=_joined((dot.x, dot.y) for dot in dots.values()),
        band=_band(path, x, y),
        others=_scattered(others, x, y),
        rejected=_scattered(rejected, x, y),
        dots=tuple(dots.values()),
        chosen=dots.get(curve.chosen) if curve.chosen is not None else None,
        x_ticks=x.ticks(),
        y_ticks=tuple(Tick(round(100 - tick.at, 2), tick.label) for tick in y.ticks()),
        n_rejected=len(rejected),
        n_beyond=n_beyond,
    )


def _vertical(curve: LossCurve) -> tuple[Scale, int]:
    """An axis for the path and its band; a step not taken must not press them flat."""
    values = [
        point.loss + side * (point.standard_error or 0.0)
        for point in curve.path
        for side in (-1, 0, 1)
    ]
    low, high = min(values), max(values)
    room = (high - low) or abs(high)
    all_losses = [point.loss for point in curve.points]
    inside = [loss for loss in all_losses if low - room <= loss <= high + room]
    scale = linear_scale([*values, *inside])
    return scale, sum(not scale.low <= loss <= scale.high for loss in all_losses)


def _height(loss: float, y: Scale) -> float:
    return round(100 - y.at(loss), 2)


def _words(point: Point, curve: LossCurve) -> str:
    error = point.standard_error
    spread = f" \N{PLUS-MINUS SIGN} {figure(error, 2)}" if error else ""
    told = f"{counted(point.n_columns, 'column')}: {figure(point.loss)}{spread}"
    return f"{told}, step {point.step}"


def _joined(places: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in places)


def _band(path: Sequence[Point], x: Scale, y: Scale) -> str:
    if not any(point.standard_error for point in path):
        return ""
    edges = [
        (x.at(point.n_columns), _height(point.loss + side * (point.standard_error or 0.0), y))
        for side, points in ((1, path), (-1, path[::-1]))
        for point in points
    ]
    return _joined(edges) + "Z"


def _scattered(points: Sequence[Point], x: Scale, y: Scale) -> str:
    """Dots as lines of no length, whose round caps keep their shape when the chart is stretched."""
    thinned = points[:: len(points) // _MOST_DOTS + 1]
    places = {(x.at(point.n_columns), _height(point.loss, y)) for point in thinned}
    return "".join(f"M{a:g} {b:g}h0" for a, b in sorted(places))
