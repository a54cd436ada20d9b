"""Pictures of a selection with matplotlib: what `summarise` gives, drawn."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._damage import damage_is_told
from ._plot_importances import plot_importances
from ._plot_masking import plot_masking
from ._plot_path import plot_path
from ._plot_text import label_inches
from ._plot_trace import plot_trace
from ._summarise import Page, summarise
from ._words import listed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot"]

_PICTURES = ("path", "importances", "trace", "masking")
#: Inches for a row of a picture, and around its rows.
_ROW, _AROUND = 0.24, 1.3
_LOWEST, _HIGHEST = 3.6, 100.0


@dataclass(frozen=True)
class _Picture:
    """A column of the figure: drawings above one another, and the inches that they want.

    Where others need a higher figure, they are stretched to ``most`` inches.
    """

    drawings: tuple[Callable[[Axes], None], ...]
    width: float
    height: float
    most: float = _HIGHEST


def plot(
    content: Mapping[str, Any], which: str = "all", *, n_columns: int = 20, ax: Any = None
) -> Figure:
    """Draw a selection with matplotlib.

    Parameters
    ----------
    content : mapping
        What ``Selection.to_dict`` gives, with None in place of NaN.
    which : {"all", "path", "importances", "trace", "masking"}, default="all"
        What to draw; "all" is what there is of the four, side by side.
    n_columns : int, default=20
        At most so many columns in a picture.
    ax : matplotlib.axes.Axes, optional
        Where to draw a single picture; by default a new figure of pyplot. Of a search in stages,
        it takes the course of the last.

    Returns
    -------
    matplotlib.figure.Figure
        Not shown yet: notebooks do that, elsewhere ``matplotlib.pyplot.show()``.

    Raises
    ------
    ImportError
        If matplotlib is missing.
    ValueError
        If there is nothing to draw, or not what was asked for.
    """
    if which not in ("all", *_PICTURES):
        choices = ", ".join(map(repr, ("all", *_PICTURES)))
        raise ValueError(f"which must be one of {choices}, not {which!r}")
    if which == "all" and ax is not None:
        raise ValueError("ax takes a single picture: name it with which, or leave ax out")
    if operator.index(n_columns) < 1:
        raise ValueError(f"n_columns must be at least 1, not {n_columns!r}")
    _check_matplotlib(ax)
    with damage_is_told():
        page = summarise(content, n_columns=n_columns)
    pictures = _chosen(_available(page), which)
    if ax is None:
        return _new_figure(pictures)
    pictures[0].drawings[-1](ax)
    root: Figure = ax.figure.canvas.figure  # the axes may be those of a part of a figure
    return root


def _check_matplotlib(ax: Any) -> None:
    try:
        from matplotlib.axes import Axes
    except ImportError as error:
        raise ImportError("plot needs matplotlib: pip install 'thresher[plot]'") from error
    if ax is not None and not isinstance(ax, Axes):
        raise TypeError(f"ax must be matplotlib axes, not {type(ax).__name__}")


def _available(page: Page) -> dict[str, _Picture]:
    """What this selection has, in the order of the figure."""
    found = {}
    if page.path is not None and len(page.path.drawable) > 1:
        found["path"] = _Picture((_bound(plot_path, page.path),), 5.0, _LOWEST, 7.5)
    if page.importances is not None:
        own = page.importances
        n_rows = len(own.bars) + bool(own.contrasts)
        labels = label_inches(bar.name for bar in own.bars)
        drawing = _bound(plot_importances, own)
        found["importances"] = _Picture((drawing,), 4.0 + labels, _AROUND + _ROW * n_rows)
    curves = [curve for curve in page.curves if len(curve.path) > 1]
    if curves:
        drawings = tuple(_bound(plot_trace, curve) for curve in curves)
        found["trace"] = _Picture(drawings, 4.6, _LOWEST * len(curves), 7.5 * len(curves))
    if page.masking is not None and len(page.masking.names) > 1:
        # The matrix is square: as wide as the height leaves, and a tenth more for the colour bar.
        height = max(_LOWEST, _AROUND + _ROW * len(page.masking.names))
        width = label_inches(page.masking.names) + 1.4 + 1.1 * (height - 0.9)
        found["masking"] = _Picture((_bound(plot_masking, page.masking),), width, height, height)
    return found


def _bound(draw: Callable[[Any, Axes], None], record: Any) -> Callable[[Axes], None]:
    return lambda ax: draw(record, ax)


def _chosen(found: Mapping[str, _Picture], which: str) -> Sequence[_Picture]:
    if not found:
        raise ValueError(
            "nothing can be drawn: fewer than two columns have a score, and the trace has neither "
            "losses for two numbers of columns nor masking"
        )
    if which == "all":
        return list(found.values())
    if which not in found:
        raise ValueError(f"this selection has no {which} to draw; it has {listed(list(found))}")
    return [found[which]]


def _heights(picture: _Picture, height: float) -> list[float]:
    """Inches for each drawing, and for nothing below them where the figure is higher."""
    used = min(height, picture.most)
    parts = [used / len(picture.drawings)] * len(picture.drawings)
    return parts if used == height else [*parts, height - used]


def _new_figure(pictures: Sequence[_Picture]) -> Figure:
    # Of pyplot, so that notebooks and pyplot.show() show it.
    from matplotlib import pyplot

    height = min(max(_LOWEST, *(picture.height for picture in pictures)), _HIGHEST)
    widths = [min(picture.width, _HIGHEST) for picture in pictures]
    figure = pyplot.figure(figsize=(sum(widths), height), layout="constrained")
    try:
        grid = figure.add_gridspec(1, len(pictures), width_ratios=widths)
        for place, picture in enumerate(pictures):
            parts = _heights(picture, height)
            rows = grid[place].subgridspec(len(parts), 1, height_ratios=parts)
            for row, draw in enumerate(picture.drawings):
                draw(figure.add_subplot(rows[row]))
    except BaseException:
        pyplot.close(figure)
        raise
    if "inline" in pyplot.get_backend():
        # a notebook shows the figure that a cell returns, and would show this one once more
        pyplot.close(figure)
    return figure
