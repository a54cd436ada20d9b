"""Where the curve of the losses by number of columns lies, in a square of 100 by 100."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ._path import PathSummary, SizePoint
from ._scale import Scale, Tick, count_scale, linear_scale

__all__ = ["PathChart", "SizeDot", "draw_path", "path_scales", "thinned"]

#: More points than this cannot be told apart and only make the page larger.
_MOST_POINTS = 300
#: From this ratio of the largest to the smallest size on, the small ones need a logarithmic axis.
_WIDE = 12
#: Losses beyond so many times the best one are left out where they would press the others flat.
_WORTH_SEEING = 1.6
#: How far a band may reach beyond the losses that are drawn, as a share of their range.
_BAND_ROOM = 0.25

Place = tuple[float, float]


@dataclass(frozen=True)
class SizeDot:
    """A point: its place, its verdict as a style, and what is known about it in words."""

    x: float
    y: float
    style: str
    point: SizePoint


@dataclass(frozen=True)
class PathChart:
    """Paths and marks of the curve.

    ``limit`` is the height of the tolerance; ``n_beyond`` sets have losses beyond the axis.
    """

    line: str
    band: str
    dots: tuple[SizeDot, ...]
    chosen: SizeDot | None
    all: SizeDot | None
    limit: float | None
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    n_beyond: int


def draw_path(path: PathSummary) -> PathChart | None:
    """Draw the curve; None if there are fewer than two sizes to join."""
    points = thinned(path)
    if len(points) < 2:
        return None
    x, y = path_scales(path)
    dots = {
        point: SizeDot(x.at(point.n_columns), _height(point.loss, y), _style(point), point)
        for point in points
        if not _is_beyond(point, y)
    }
    is_inside = path.limit is not None and y.low <= path.limit <= y.high
    return PathChart(
        line=_line([(x.at(p.n_columns), _unbounded_height(p.loss, y)) for p in points]),
        band=_band(points, x, y),
        dots=tuple(dots.values()),
        chosen=dots.get(path.chosen),
        all=dots.get(points[-1]),
        limit=_height(path.limit, y) if is_inside else None,
        x_ticks=x.ticks(),
        y_ticks=tuple(Tick(round(100 - tick.at, 2), tick.label) for tick in y.ticks()),
        n_beyond=sum(_is_beyond(point, y) for point in path.drawable),
    )


def thinned(path: PathSummary) -> tuple[SizePoint, ...]:
    """The points to draw: all of them, or so many of them with those that are marked."""
    points = path.drawable
    step = len(points) // _MOST_POINTS + 1
    marked = (path.chosen, path.best)
    last = len(points) - 1
    return tuple(
        point
        for k, point in enumerate(points)
        if k % step == 0 or k == last or any(point is own for own in marked)
    )


def path_scales(path: PathSummary) -> tuple[Scale, Scale]:
    """The axes: neither a wide band nor sets that are far too small press the others flat."""
    points = path.drawable
    losses = [point.loss for point in points if point.loss is not None]
    low, high = min(losses), max(losses)
    needed = [own.loss for own in (path.chosen, points[-1]) if own.loss is not None]
    near = max(_WORTH_SEEING * low, median(losses), *needed)
    if low > 0 and high > 1.25 * near:
        high = near
    room = _BAND_ROOM * ((high - low) or abs(high))
    shown = [loss for loss in losses if loss <= high]
    bounds = [bound for p in points for bound in (p.low, p.high, path.limit) if bound is not None]
    inside = [min(max(bound, low - room), high + room) for bound in bounds]
    x = count_scale((point.n_columns for point in points), widest_ratio=_WIDE)
    return x, linear_scale([*shown, *inside])


def _is_beyond(point: SizePoint, y: Scale) -> bool:
    return point.loss is not None and point.loss > y.high


def _height(value: float | None, y: Scale) -> float:
    """Height of a value, at the end of the axis if it lies beyond."""
    return round(100 - y.at(y.low if value is None else value), 2)


def _unbounded_height(value: float | None, y: Scale) -> float:
    """Height of a loss; above the axis it is negative."""
    return 100 * (y.high - (y.low if value is None else value)) / (y.high - y.low)


def _style(point: SizePoint) -> str:
    return point.verdict.replace(" ", "-")


def _line(places: Sequence[Place]) -> str:
    """Segments from place to place, cut where they leave the axis at its top."""
    parts = []
    pen: Place | None = None
    for start, end in pairwise(places):
        if start[1] < 0 and end[1] < 0:
            continue
        first, last = _cut(start, end), _cut(end, start)
        parts.append(f"L{_xy(last)}" if pen == first else f"M{_xy(first)}L{_xy(last)}")
        pen = last
    return "".join(parts)


def _cut(place: Place, other: Place) -> Place:
    """The place itself, or where the line from the other one crosses the top of the axis."""
    if place[1] >= 0:
        return place
    share = other[1] / (other[1] - place[1])
    return other[0] + share * (place[0] - other[0]), 0.0


def _band(points: Sequence[SizePoint], x: Scale, y: Scale) -> str:
    """The outline of the bands; an infinite bound lies far beyond the axis."""
    far = 2 * y.high - y.low
    upper = [(p.n_columns, far if p.high is None else p.high) for p in points]
    lower = [(p.n_columns, y.low if p.low is None else max(p.low, y.low)) for p in points]
    edges = [
        _flattened([(x.at(size), _unbounded_height(bound, y)) for size, bound in edge])
        for edge in (upper, lower)
    ]
    return "M" + "L".join(_xy(place) for place in [*edges[0], *reversed(edges[1])]) + "Z"


def _flattened(places: Sequence[Place]) -> list[Place]:
    """An edge that runs along the top of the axis where it lies above."""
    flat = [_at_top(places[0])]
    for start, end in pairwise(places):
        if (start[1] < 0) != (end[1] < 0):
            flat.append(_cut(start, end) if start[1] < 0 else _cut(end, start))
        flat.append(_at_top(end))
    return flat


def _at_top(place: Place) -> Place:
    return place[0], max(place[1], 0.0)


def _xy(place: Place) -> str:
    return f"{round(place[0], 2):g} {round(place[1], 2):g}"
