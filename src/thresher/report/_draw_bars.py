"""Where the bars and whiskers of a chart lie, in percent of its width."""

from collections.abc import Sequence
from dataclasses import dataclass

from ._importances import Bar, Importances
from ._scale import Scale, Tick, linear_scale, ratio_scale
from ._validation import Difference, Measured
from ._words import figure

__all__ = ["BarChart", "Whiskers", "draw_differences", "draw_importances", "draw_losses"]


@dataclass(frozen=True)
class DrawnBar:
    """A bar from ``left``, ``width`` wide, with a line from ``low`` to ``high`` over it."""

    name: str
    kind: str
    left: float
    width: float
    low: float | None
    high: float | None
    value: str


@dataclass(frozen=True)
class BarChart:
    """Bars on a common axis; ``mark`` is the threshold, or zero where there is none.

    ``clipped`` is the low end of the axis, if scores lie beyond it.
    """

    rows: tuple[DrawnBar, ...]
    ticks: tuple[Tick, ...]
    mark: float
    contrasts: tuple[float, ...]
    clipped: float | None


@dataclass(frozen=True)
class Whisker:
    """A dot at the mean and a line between the bounds."""

    key: str
    label: str
    low: float
    mean: float
    high: float
    value: str
    interval: str


@dataclass(frozen=True)
class Whiskers:
    """Dots and lines on a common axis; ``zero`` is where 0 lies, if it is on the axis."""

    rows: tuple[Whisker, ...]
    ticks: tuple[Tick, ...]
    zero: float | None


def draw_importances(importances: Importances) -> BarChart:
    """Bars on a logarithmic axis in units of the threshold, or on a linear one from zero.

    Multiples of a threshold range from a tenth to hundreds; a logarithmic axis has no zero, so its
    bars start at its low end.
    """
    scores = [bar.score for bar in importances.bars]
    if importances.threshold is None:
        scale = linear_scale(scores, zero=True)
        mark = base = 0.0
    else:
        reached = [bar.high for bar in importances.bars if bar.high is not None]
        scale = ratio_scale([*scores, *reached, *importances.contrasts])
        mark, base = importances.threshold, scale.low
    return BarChart(
        rows=tuple(_drawn(bar, scale, base) for bar in importances.bars),
        ticks=scale.ticks(),
        mark=scale.at(mark),
        contrasts=tuple(scale.at(contrast) for contrast in importances.contrasts),
        clipped=scale.low if min(scores) < scale.low else None,
    )


def _drawn(bar: Bar, scale: Scale, base: float) -> DrawnBar:
    start, end = sorted((scale.at(base), scale.at(bar.score)))
    return DrawnBar(
        name=bar.name,
        kind=bar.kind,
        left=start,
        width=round(end - start, 2),
        low=None if bar.low is None else scale.at(bar.low),
        high=None if bar.high is None else scale.at(bar.high),
        value=figure(bar.score),
    )


def draw_losses(losses: Sequence[Measured]) -> Whiskers:
    """Losses with their intervals, from zero unless they are all far from it."""
    bounds = [bound for own in losses for bound in (own.low, own.high, own.mean)]
    near = 0 <= min(bounds) < 0.5 * max(bounds)
    return _whiskers(losses, linear_scale(bounds, zero=near))


def draw_differences(differences: Sequence[Difference]) -> Whiskers:
    """Differences with their intervals around zero."""
    bounds = [bound for own in differences for bound in (own.low, own.high, own.mean)]
    return _whiskers(differences, linear_scale(bounds, zero=True))


def _whiskers(rows: Sequence[Measured | Difference], scale: Scale) -> Whiskers:
    return Whiskers(
        rows=tuple(
            Whisker(
                key=row.key,
                label=row.label,
                low=scale.at(row.low),
                mean=scale.at(row.mean),
                high=scale.at(row.high),
                value=figure(row.mean),
                interval=f"{figure(row.low)} to {figure(row.high)}",
            )
            for row in rows
        ),
        ticks=scale.ticks(),
        zero=scale.at(0.0) if scale.low <= 0 <= scale.high else None,
    )
