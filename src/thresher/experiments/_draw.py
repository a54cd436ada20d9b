"""Pictures of experiments with matplotlib, from the plain records of `Picture`."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from ._picture import Panel, Picture, Series

__all__ = ["draw"]

#: Of middle brightness: they can be read on white and on black.
_INK = "#787d87"
_COLOURS = (
    "#2a9d7c", "#d58a2b", "#4c8fd0", "#d1605e", "#9a6fc0", "#8a8f3c", "#c06a9a", "#5aa7b8",
)  # fmt: skip
_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "thresher",
    "svg.fonttype": "path",
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "font.size": 9,
    "text.color": _INK,
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "axes.titlesize": 9.5,
    "axes.titlecolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "legend.labelcolor": _INK,
    "lines.linewidth": 1.5,
}
_WIDTH, _HEIGHT = 4.2, 3.0
#: Names side by side in a legend below several panels, or below one; the height of a line of them.
_MOST_NAMES, _NAMES_OF_ONE, _LINE = 5, 2, 0.2
#: Words below the bars that are longer are written aslant; of more of them, or if they have lines,
#: the bars lie.
_LONG, _MANY = 8, 9


def draw(picture: Picture, path: Any) -> None:
    """Write a picture to a file; its ending says how (PNG, SVG, PDF).

    Parameters
    ----------
    picture : Picture
        What to draw.
    path : path
        Where to.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ValueError(
            "pictures need matplotlib, which is not installed: pip install 'thresher[plot]'"
        ) from error
    n_columns = min(picture.columns, len(picture.panels))
    n_rows = math.ceil(len(picture.panels) / n_columns)
    colours = _colours(picture)
    heights = [
        max(map(_height, picture.panels[row * n_columns : (row + 1) * n_columns]))
        for row in range(n_rows)
    ]
    with mpl.rc_context(_STYLE):
        figure = Figure(
            figsize=(_WIDTH * n_columns, sum(heights) + _below(picture)), layout="constrained"
        )
        every = figure.subplots(n_rows, n_columns, squeeze=False, height_ratios=heights).ravel()
        for axes, panel in zip(every, picture.panels, strict=False):
            _DRAWINGS[panel.kind](axes, panel, colours)
            _finish(axes, panel)
        for axes in every[len(picture.panels) :]:
            axes.axis("off")
        _legends(figure, every, picture)
        # without a date, the same figures give the same file
        metadata = {"Date": None} if str(path).lower().endswith(".svg") else None
        figure.savefig(path, dpi=150, metadata=metadata)


def _colours(picture: Picture) -> dict[str, str]:
    labels = dict.fromkeys(s.label for panel in picture.panels for s in panel.series)
    return {label: _COLOURS[k % len(_COLOURS)] for k, label in enumerate(labels)}


def _legends(figure: Any, every: Any, picture: Picture) -> None:
    """One legend below all panels where they show the same series; else one in each."""
    if _shares_legend(picture):
        handles, names = every[0].get_legend_handles_labels()
        if len(names) > 1:
            n_columns = _MOST_NAMES if len(picture.panels) > 1 else _NAMES_OF_ONE
            ncols = min(len(names), n_columns)
            figure.legend(handles, names, loc="outside lower center", ncols=ncols)
        return
    for axes, panel in zip(every, picture.panels, strict=False):
        if len(panel.series) > 1:
            axes.legend(fontsize=7.5)


def _shares_legend(picture: Picture) -> bool:
    """Whether the legend is below; that of one panel of curves finds room between them."""
    first, *others = ([s.label for s in panel.series] for panel in picture.panels)
    if not others:
        return picture.panels[0].kind == "bar"
    return all(each == first for each in others)


def _below(picture: Picture) -> float:
    """Height of the legend below a single panel, which would lose too much of its own."""
    n_names = len(picture.panels[0].series)
    if len(picture.panels) > 1 or n_names < 2 or not _shares_legend(picture):
        return 0.0
    return _LINE * math.ceil(n_names / _NAMES_OF_ONE)


def _curves(axes: Any, panel: Panel, colours: Mapping[str, str]) -> None:
    for series in panel.series:
        x, y, spread, spread_x = _without_gaps(series)
        if not x:
            continue
        look = {
            "color": colours[series.label],
            "label": series.label,
            "ls": "none" if panel.kind == "points" else "--" if series.paper else "-",
            "marker": "o" if panel.kind == "points" or len(x) <= 20 else "",
            "ms": 3.5,
            "drawstyle": "steps-post" if panel.kind == "step" else "default",
        }
        if spread is None and spread_x is None:
            axes.plot(x, y, **look)
        else:
            axes.errorbar(x, y, yerr=spread, xerr=spread_x, capsize=2, elinewidth=0.8, **look)


def _height(panel: Panel) -> float:
    return max(_HEIGHT, 0.8 + 0.22 * len(_places(panel))) if _lies(panel) else _HEIGHT


def _places(panel: Panel) -> list[float | str]:
    return list(dict.fromkeys(place for series in panel.series for place in series.x))


def _lies(panel: Panel) -> bool:
    """Whether bars lie, because so many words, or words of several lines, would collide."""
    names = [str(place) for place in _places(panel)]
    is_long = max(map(len, names), default=0) > _LONG
    return panel.kind == "bar" and is_long and (len(names) > _MANY or "\n" in "".join(names))


def _bars(axes: Any, panel: Panel, colours: Mapping[str, str]) -> None:
    places, lies = _places(panel), _lies(panel)
    width = 0.8 / len(panel.series)
    for k, series in enumerate(panel.series):
        at = [places.index(x) + (k - (len(panel.series) - 1) / 2) * width for x in series.x]
        height = [math.nan if value is None else value for value in series.y]
        error = None
        if series.spread is not None:
            error = [math.nan if value is None else value for value in series.spread]
        (axes.barh if lies else axes.bar)(
            at, height, width * 0.92, color=colours[series.label], label=series.label,
            hatch="///" if series.paper else None, edgecolor=_INK if series.paper else "none",
            error_kw={"elinewidth": 0.8, "ecolor": _INK, "capsize": 1.5},
            **{"xerr" if lies else "yerr": error},
        )  # fmt: skip
    names = [str(place) for place in places]
    if lies:
        axes.set_yticks(range(len(names)), [name.replace("\n", ", ") for name in names])
        axes.invert_yaxis()
    else:
        _name(axes, names)


def _boxes(axes: Any, panel: Panel, colours: Mapping[str, str]) -> None:
    names: list[str] = []
    for series in panel.series:
        for place, values in zip(series.x, series.y, strict=True):
            drawn = axes.boxplot(
                [list(values)], positions=[len(names)], widths=0.6, patch_artist=True,
                flierprops={"marker": ".", "ms": 3, "markeredgecolor": colours[series.label]},
                medianprops={"color": _INK},
            )  # fmt: skip
            for box in drawn["boxes"]:
                box.set(facecolor=colours[series.label], alpha=0.6, edgecolor=_INK)
            names.append(str(place))
    _name(axes, names)


def _name(axes: Any, names: list[str]) -> None:
    aslant = max(map(len, names), default=0) > _LONG
    axes.set_xticks(
        range(len(names)), names, rotation=30 if aslant else 0, ha="right" if aslant else "center"
    )


def _without_gaps(series: Series) -> tuple[list[Any], list[Any], Any, Any]:
    known = [k for k, value in enumerate(series.y) if value is not None]
    spreads = [
        None if spread is None else [spread[k] or 0.0 for k in known]
        for spread in (series.spread, series.spread_x)
    ]
    return [series.x[k] for k in known], [series.y[k] for k in known], *spreads  # type: ignore[return-value]


def _finish(axes: Any, panel: Panel) -> None:
    axes.set_title(panel.title)
    labels = (panel.x_label, panel.y_label)
    axes.set_xlabel(labels[_lies(panel)])
    axes.set_ylabel(labels[not _lies(panel)])
    if panel.log_x:
        axes.set_xscale("log")
    if panel.log_y:
        axes.set_yscale("log")
    if panel.y_range is not None:
        axes.set_ylim(*panel.y_range)


_DRAWINGS: dict[str, Callable[[Any, Panel, Mapping[str, str]], None]] = {
    "line": _curves,
    "step": _curves,
    "points": _curves,
    "bar": _bars,
    "boxes": _boxes,
}
