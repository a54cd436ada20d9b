"""How the verdicts look on a picture: by colour, and by shape for who cannot tell the colours."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["COLOURS", "LINE", "background", "bar_look", "ink", "legend_share", "marker_look"]

#: From Okabe and Ito's palette and a grey: all stand out from white and from black.
COLOURS = {
    "relevant": "#009E73",
    "supporting": "#0072B2",
    "redundant": "#D55E00",
    "irrelevant": "#888888",
}
#: For what is not about a verdict.
LINE = "#2F86C1"


def bar_look(kind: str) -> dict[str, Any]:
    """Full, dotted, hatched or empty."""
    colour = COLOURS[kind]
    if kind == "relevant":
        return {"facecolor": colour, "edgecolor": colour}
    if kind == "supporting":
        return {"facecolor": (colour, 0.45), "edgecolor": colour, "hatch": "...."}
    if kind == "redundant":
        return {"facecolor": (colour, 0.25), "edgecolor": colour, "hatch": "/////"}
    return {"facecolor": "none", "edgecolor": colour}


def marker_look(kind: str) -> dict[str, Any]:
    """Full, half full in one of two ways, or empty."""
    fill = {"relevant": "full", "supporting": "bottom", "redundant": "left"}.get(kind, "none")
    return {
        "marker": "s",
        "fillstyle": fill,
        "markerfacecoloralt": "none",
        "color": COLOURS[kind],
        "linestyle": "none",
        "markersize": 5.5,
    }


def ink(ax: "Axes") -> Any:
    """The colour of writing in these axes, light in dark styles."""
    return ax.xaxis.label.get_color()


def legend_share(n_entries: int, ax: "Axes") -> float:
    """How much of the height of the axes a legend of small print takes, roughly."""
    from matplotlib.font_manager import FontProperties

    line = 1.6 * FontProperties(size="small").get_size_in_points() / 72
    height = ax.get_window_extent().height / ax.figure.dpi
    return float(min((n_entries + 0.7) * line / max(height, 0.1), 0.5))


def background(ax: "Axes") -> tuple[float, float, float]:
    """The colour behind a picture; white where nothing is behind it."""
    from matplotlib.colors import to_rgba

    for colour in (ax.get_facecolor(), ax.figure.get_facecolor()):
        red, green, blue, opacity = to_rgba(colour)
        if opacity > 0:
            return red, green, blue
    return 1.0, 1.0, 1.0
