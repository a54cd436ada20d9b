"""Text on pictures: column names are data, so nothing in them is markup, and nothing may warn."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ._words import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

__all__ = ["as_is", "label_inches", "label_rows", "row_label", "with_glyphs"]

#: Characters of a label.
_WIDTH = 30
#: Of them at the end of a name that is cut: names often differ there alone.
_TAIL = 10
#: More of a name cannot matter to its label.
_LONGEST = 100


def row_label(name: str) -> str:
    r"""A label for a column, whatever its name, with what the font can draw.

    Examples
    --------
    >>> print(row_label("two\nlines"))
    two\nlines
    >>> row_label("a very long name of a sensor, its mean")
    'a very long name of…, its mean'
    """
    if not name:
        return "(empty name)"
    if not name.strip():
        return f'"{row_label(name.replace(" ", "_"))}"'
    short = name if len(name) <= 2 * _LONGEST else name[:_LONGEST] + name[-_LONGEST:]
    text = with_glyphs(visible(short))
    if len(text) <= _WIDTH:
        return text
    ellipsis = with_glyphs("\N{HORIZONTAL ELLIPSIS}")
    return f"{text[: _WIDTH - _TAIL - 1]}{ellipsis}{text[-_TAIL:]}"


def label_inches(names: Iterable[str]) -> float:
    """How wide the labels of these columns are, roughly: the room that a figure needs for them."""
    from matplotlib import rcParams

    longest = max((len(row_label(name)) for name in names), default=0)
    return 0.6 * float(rcParams["font.size"]) / 72 * longest


def with_glyphs(text: str) -> str:
    """Replace the characters that the fonts in use cannot draw; matplotlib would warn of each."""
    if text.isascii():
        return text
    known = _drawable()
    stand_in = "\N{REPLACEMENT CHARACTER}" if 0xFFFD in known else "?"
    return "".join(c if c.isascii() or ord(c) in known else stand_in for c in text)


def _drawable() -> frozenset[int]:
    """Code points of the fonts that matplotlib would try, in the user's settings."""
    from matplotlib.font_manager import FontProperties, findfont

    own = FontProperties()
    paths = []
    for family in own.get_family():
        one = own.copy()
        one.set_family(family)
        try:
            paths.append(findfont(one, fallback_to_default=False))
        except ValueError:  # not installed: matplotlib goes on to the next as well
            continue
    if not paths:
        paths.append(findfont(own))
    return _code_points(tuple(paths))


@lru_cache(maxsize=4)
def _code_points(paths: tuple[str, ...]) -> frozenset[int]:
    from matplotlib.font_manager import get_font

    return frozenset(code for path in paths for code in get_font(path).get_charmap())


def as_is(texts: Iterable["Text"]) -> None:
    """Let neither mathtext nor TeX read these."""
    for text in texts:
        text.set_parse_math(False)
        text.set_usetex(False)


def label_rows(ax: "Axes", labels: Sequence[str], *, first: float = 0.0) -> None:
    """Write the labels beside the rows of a picture, the first at the top."""
    ax.set_yticks([first + k for k in range(len(labels))], labels)
    ax.tick_params(axis="y", which="both", length=0)
    ax.grid(visible=False, axis="y")
    as_is(ax.get_yticklabels())
