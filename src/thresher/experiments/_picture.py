"""What is to be drawn, as plain records: a picture of panels, a panel of series."""

from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

__all__ = ["Panel", "Picture", "Series"]

Kind: TypeAlias = Literal["line", "step", "points", "bar", "boxes"]


@dataclass(frozen=True)
class Series:
    """Points under one label.

    Parameters
    ----------
    label : str
        For the legend; series of the same label have the same colour in all panels.
    x : tuple of float or str
        Places; words in a panel of bars or boxes.
    y : tuple of float, or of tuples of float in a panel of boxes
        Values; None where there is a gap.
    spread : tuple of float, optional
        Half the length of a bar of error, such as the standard deviation over runs.
    spread_x : tuple of float, optional
        The same along the horizontal axis.
    paper : bool, default=False
        Whether the values are printed in the paper: then they are drawn dashed, or hatched.
    """

    label: str
    x: tuple[float | str, ...]
    y: tuple[Any, ...]
    spread: tuple[float | None, ...] | None = None
    paper: bool = False
    spread_x: tuple[float | None, ...] | None = None

    def __post_init__(self) -> None:
        parts = [part for part in (self.y, self.spread, self.spread_x) if part is not None]
        if any(len(part) != len(self.x) for part in parts):
            raise ValueError(f"series {self.label!r}: x, y and spread must have one length")


@dataclass(frozen=True)
class Panel:
    """One pair of axes.

    Parameters
    ----------
    title, x_label, y_label : str
        What is shown.
    series : tuple of Series
        In the order of the legend.
    kind : {"line", "step", "points", "bar", "boxes"}, default="line"
        How it is shown; boxes show the distribution of many values at each place.
    log_x, log_y : bool, default=False
        Whether an axis is logarithmic.
    y_range : pair of float, optional
        Where the vertical axis ends.
    """

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    kind: Kind = "line"
    log_x: bool = False
    log_y: bool = False
    y_range: tuple[float, float] | None = None


@dataclass(frozen=True)
class Picture:
    """Panels side by side, at most ``columns`` in a row.

    Examples
    --------
    >>> curve = Series("ours", (1, 2), (3.0, 4.0))
    >>> picture = Picture((Panel("", "rows", "errors", (curve,)),))
    >>> picture.to_dict()["panels"][0]["series"][0]["label"]
    'ours'
    """

    panels: tuple[Panel, ...]
    columns: int = 2

    def to_dict(self) -> dict[str, Any]:
        """Return the picture as plain lists and dictionaries."""
        return asdict(self)
