"""Bars of the columns that matter most, against the threshold that contrasts set."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._columns import KINDS
from ._importances import Bar, Importances
from ._plot_style import bar_look, ink, legend_share
from ._plot_text import label_rows, row_label, with_glyphs
from ._scale import ratio_scale
from ._words import figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_importances"]

#: Bars that end before this share of the width do not meet the legend.
_FREE = 0.45


def plot_importances(importances: Importances, ax: "Axes") -> None:
    """Draw horizontal bars, the highest score at the top."""
    base = 0.0
    if importances.threshold is None:
        ax.set_xlabel("score")
        ax.locator_params(axis="x", nbins=6)
    else:
        base = _ratio_axis(importances, ax)
    told = _draw_bars(importances.bars, base, ax)
    told += _draw_ranges(importances, base, ax)
    told += _draw_line(importances.threshold, ax)
    _draw_contrasts(importances, base, ax)
    n_bars = len(importances.bars)
    labels = [row_label(bar.name) for bar in importances.bars]
    rug = ["best contrasts"] if importances.contrasts else []
    label_rows(ax, rug + labels, first=-len(rug))
    ax.set_ylim(n_bars - 0.4, -0.6 - len(rug))
    shown = (
        f": {n_bars} of {n_bars + importances.n_left_out:,} columns"
        if importances.n_left_out
        else ""
    )
    ax.set_title(f"Importances{shown}" if importances.threshold else f"Scores{shown}")
    _leave_room(importances.bars, len(told), ax)
    ax.legend(handles=told, loc="lower right", fontsize="small")


def _ratio_axis(importances: Importances, ax: "Axes") -> float:
    """A logarithmic axis in units of the threshold; returns where its bars start."""
    from matplotlib.ticker import NullLocator

    reached = [max(bar.score, bar.high or bar.score) for bar in importances.bars]
    lowest = [bar.score for bar in importances.bars]
    scale = ratio_scale([*lowest, *reached, *importances.contrasts])
    ax.set_xscale("log")
    ax.set_xlim(scale.low, scale.high)
    ax.set_xticks(scale.marks, [with_glyphs(figure(mark)) for mark in scale.marks])
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xlabel("score / threshold of the contrasts")
    return scale.low


def _draw_bars(bars: Sequence[Bar], base: float, ax: "Axes") -> list[Any]:
    drawn = []
    for kind in KINDS:
        own = [(row, bar.score) for row, bar in enumerate(bars) if bar.kind == kind]
        if not own:
            continue
        rows, scores = zip(*own, strict=True)
        # A logarithmic axis has no place for scores below its low end: they get an empty bar.
        ends = [max(score, base) if base else score for score in scores]
        widths = [end - base for end in ends]
        drawn.append(
            ax.barh(rows, widths, height=0.7, left=base, label=kind, linewidth=1, **bar_look(kind))
        )
    return drawn


def _draw_ranges(importances: Importances, base: float, ax: "Axes") -> list[Any]:
    spread = [
        (row, max(bar.low, base), max(bar.high, base))
        for row, bar in enumerate(importances.bars)
        if bar.low is not None and bar.high is not None
    ]
    if not spread:
        return []
    rows, lows, highs = zip(*spread, strict=True)
    told = f"range over {importances.n_replicates} replicates"
    return [ax.hlines(rows, lows, highs, colors=ink(ax), linewidth=1.2, label=told)]


def _draw_line(threshold: float | None, ax: "Axes") -> list[Any]:
    """The threshold, or zero, which needs no word in the legend."""
    if threshold is None:
        ax.axvline(0.0, color=ink(ax), linewidth=1)
        return []
    return [ax.axvline(threshold, color=ink(ax), linewidth=1.2, linestyle="--", label="threshold")]


def _leave_room(bars: Sequence[Bar], n_entries: int, ax: "Axes") -> None:
    """Add empty rows for the legend, unless the lowest bars leave room beside them."""
    bottom, top = ax.get_ylim()
    share = legend_share(n_entries, ax)
    covered = [bar for row, bar in enumerate(bars) if row > bottom - share * (bottom - top) - 1]
    place = (ax.transData + ax.transAxes.inverted()).transform
    ends = [place((max(bar.score, bar.high or bar.score), 0))[0] for bar in covered]
    if max(ends) > _FREE:
        ax.set_ylim(bottom + (bottom - top) * share / (1 - share), top)


def _draw_contrasts(importances: Importances, base: float, ax: "Axes") -> None:
    inside = [max(contrast, base) for contrast in importances.contrasts]
    if inside:
        ax.plot(inside, [-1] * len(inside), "|", color=ink(ax), alpha=0.6)
