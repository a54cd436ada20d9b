"""Loss or merit against the number of columns, along one stage of the search."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ._curve import LossCurve, Point
from ._plot_style import COLOURS, LINE, background, ink, legend_share
from ._plot_text import as_is, row_label, with_glyphs
from ._scale import count_scale
from ._words import counted, figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_trace"]

#: More dots than this cannot be told apart and only make the file larger.
_MOST_DOTS = 2000


def plot_trace(curve: LossCurve, ax: "Axes") -> None:
    """Draw the accepted subsets as a line, the others as faint dots, and mark the chosen one."""
    low, high = _vertical_limits(curve)
    on_path = set(curve.path)
    rejected = [point for point in curve.points if not point.accepted]
    left = [point for point in curve.points if point.accepted and point not in on_path]
    for points, marker, told in ((rejected, "x", "not taken"), (left, "o", "accepted, left again")):
        inside = [point for point in points if low <= point.loss <= high]
        n_beyond = len(points) - len(inside)
        _scatter(inside, marker, f"{told}, {n_beyond} more beyond" if n_beyond else told, ax)
    _draw_path(curve.path, ax)
    _mark_chosen(curve.chosen, ax)
    _set_axes(curve, ax)
    ax.set_ylim(low, high)
    legend = ax.legend(loc="upper right", fontsize="small")
    _leave_room(legend_share(len(legend.get_texts()), ax), ax)
    as_is([*legend.get_texts(), ax.title, ax.yaxis.label])


def _scatter(points: Sequence[Point], marker: str, label: str, ax: "Axes") -> None:
    thinned = points[:: len(points) // _MOST_DOTS + 1]
    if thinned:
        ax.plot(
            [point.n_columns for point in thinned],
            [point.loss for point in thinned],
            linestyle="none",
            marker=marker,
            markersize=4,
            color=ink(ax),
            alpha=0.35,
            label=label,
        )


def _draw_path(path: Sequence[Point], ax: "Axes") -> None:
    sizes, losses = [p.n_columns for p in path], [p.loss for p in path]
    band = any(point.standard_error for point in path)
    if band:
        errors = [point.standard_error or 0.0 for point in path]
        low = [loss - error for loss, error in zip(losses, errors, strict=True)]
        high = [loss + error for loss, error in zip(losses, errors, strict=True)]
        ax.fill_between(sizes, low, high, color=LINE, alpha=0.25, linewidth=0)
    told = "accepted, \N{PLUS-MINUS SIGN} one standard error" if band else "accepted"
    ax.plot(
        sizes,
        losses,
        color=LINE,
        linestyle="-",
        marker="o" if len(path) <= 100 else "",
        markersize=4,
        label=with_glyphs(told),
    )


def _mark_chosen(chosen: Point | None, ax: "Axes") -> None:
    if chosen is None:
        return
    error = chosen.standard_error
    spread = f" \N{PLUS-MINUS SIGN} {figure(error, 2)}" if error else ""
    told = f"chosen: {counted(chosen.n_columns, 'column')}, {figure(chosen.loss)}{spread}"
    ax.plot(
        [chosen.n_columns],
        [chosen.loss],
        linestyle="none",
        marker="D",
        markersize=9,
        markerfacecolor=COLOURS["relevant"],
        markeredgecolor=background(ax),
        markeredgewidth=1.5,
        zorder=5,
        label=with_glyphs(told),
    )


def _set_axes(curve: LossCurve, ax: "Axes") -> None:
    from matplotlib.ticker import MaxNLocator, NullLocator

    columns = count_scale(point.n_columns for point in curve.points)
    if columns.log:
        ax.set_xscale("symlog", linthresh=1)  # like the logarithm of one more: there may be none
        ax.set_xticks(columns.marks, [figure(mark) for mark in columns.marks])
        ax.xaxis.set_minor_locator(NullLocator())
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel("number of columns")
    better = " (higher is better)" if curve.higher_is_better else ""
    ax.set_ylabel(f"{row_label(curve.measure)}{better}")
    stage = f": {row_label(curve.stage)}" if curve.stage else ""
    ax.set_title(f"Course of the search{stage}")


def _leave_room(share: float, ax: "Axes") -> None:
    """Keep the top of the axes free for the legend, which must not hide the curve."""
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + (high - low) * share / (1 - share))


def _vertical_limits(curve: LossCurve) -> tuple[float, float]:
    """Limits for the path and its band; steps not taken must not press them flat."""
    band = [p.loss + side * (p.standard_error or 0.0) for p in curve.path for side in (-1, 1)]
    low, high = min(band), max(band)
    room = (high - low) or abs(high) or 1.0
    inside = [p.loss for p in curve.points if low - room <= p.loss <= high + room]
    low, high = min(low, *inside), max(high, *inside)
    margin = 0.06 * ((high - low) or room)
    return low - margin, high + margin
