"""Loss with its band against the number of columns: how many are enough."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ._draw_path import path_scales, thinned
from ._path import PathSummary, SizePoint
from ._plot_style import COLOURS, LINE, background, ink
from ._plot_text import as_is, row_label, with_glyphs
from ._words import counted, figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_path"]

#: Markers by verdict: full, half full and empty.
_FILLS = {"enough": "full", "cannot tell": "bottom", "not enough": "none"}


def plot_path(path: PathSummary, ax: "Axes") -> None:
    """Draw the losses of the sets, and mark the chosen set, all columns and the tolerance."""
    points = thinned(path)
    sizes = [point.n_columns for point in points]
    _, y = path_scales(path)
    far = 2 * y.high - y.low  # an infinite bound lies beyond the axis
    low = [y.low if point.low is None else point.low for point in points]
    high = [far if point.high is None else point.high for point in points]
    ax.fill_between(sizes, low, high, color=LINE, alpha=0.2, linewidth=0,
                    label=f"rise over the best set, {path.sure} bounds")  # fmt: skip
    ax.plot(sizes, _losses(points), color=LINE, linestyle="-")
    for verdict, fill in _FILLS.items():
        own = [point for point in points if point.verdict == verdict]
        if own:
            n_beyond = sum(loss > y.high for loss in _losses(own))
            ax.plot(
                [point.n_columns for point in own],
                _losses(own),
                linestyle="none",
                marker="o",
                markersize=5,
                color=LINE,
                fillstyle=fill,
                markerfacecoloralt=background(ax),
                label=f"{verdict}, {n_beyond} beyond" if n_beyond else verdict,
            )
    _draw_limit(path, ax)
    _mark(points[-1], "s", ink(ax), "all", ax)
    if path.chosen.loss is not None:
        _mark(path.chosen, "D", COLOURS["relevant"], "chosen", ax)
    _set_axes(path, ax)
    margin = 0.03 * (y.high - y.low)
    ax.set_ylim(y.low - margin, y.high + margin)
    legend = ax.legend(loc="best", fontsize="small")
    as_is([*legend.get_texts(), ax.yaxis.label])


def _losses(points: Sequence[SizePoint]) -> list[float]:
    return [point.loss for point in points if point.loss is not None]


def _draw_limit(path: PathSummary, ax: "Axes") -> None:
    if path.limit is None:
        return
    told = f"best + {path.margin}" if path.margin else "best"
    ax.axhline(path.limit, color=ink(ax), linewidth=1, linestyle="--", label=told)


def _mark(point: SizePoint, marker: str, colour: object, word: str, ax: "Axes") -> None:
    told = f"{word}: {counted(point.n_columns, 'column')}, {figure(point.loss)}"
    ax.plot(
        [point.n_columns],
        _losses([point]),
        linestyle="none",
        marker=marker,
        markersize=9,
        markerfacecolor=colour,
        markeredgecolor=background(ax),
        markeredgewidth=1.5,
        zorder=5,
        label=with_glyphs(told),
    )


def _set_axes(path: PathSummary, ax: "Axes") -> None:
    from matplotlib.ticker import MaxNLocator, NullLocator

    columns, _ = path_scales(path)
    if columns.log:
        ax.set_xscale("symlog", linthresh=1)  # like the logarithm of one more: there may be none
        ax.set_xticks(columns.marks, [figure(mark) for mark in columns.marks])
        ax.xaxis.set_minor_locator(NullLocator())
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel("number of columns")
    ax.set_ylabel(row_label(path.measure))
    ax.set_title("How many columns are enough")
