"""A heat map of who can stand in for whom."""

from typing import TYPE_CHECKING, Any

from ._columns import KINDS
from ._masking import MaskingMatrix
from ._plot_style import COLOURS, background, ink, marker_look
from ._plot_text import as_is, label_rows, row_label, with_glyphs
from ._words import figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_masking"]

#: In a larger matrix the cells have no room for numbers.
_MOST_WITH_NUMBERS = 12
#: Points between the matrix and the names, for the marks of the verdicts.
_MARK_ROOM = 14


def plot_masking(masking: MaskingMatrix, ax: "Axes") -> None:
    """Draw how well each column could replace the column of a row, where that is beyond chance."""
    size = len(masking.names)
    cells = [[_cell(masking, i, j) for j in range(size)] for i in range(size)]
    image = ax.imshow(
        [[float("nan") if cell is None else cell for cell in row] for row in cells],
        cmap=_colours(ax),
        vmin=0,
        vmax=1,
        origin="upper",
        interpolation="nearest",
        aspect="equal",
    )
    _label(masking, ax)
    ax.plot(range(size), range(size), linestyle="none", marker=".", color=ink(ax), alpha=0.3)
    if size <= _MOST_WITH_NUMBERS:
        _write_numbers(cells, ax)
    _mark_verdicts(masking, ax)
    _draw_bar(masking, cells, image, ax)
    more = f": {size} of {size + masking.n_left_out:,} columns" if masking.n_left_out else ""
    ax.set_title(f"Who can stand in for whom{more}")


def _cell(masking: MaskingMatrix, row: int, column: int) -> float | None:
    """The share to show; None for a column itself, and where contrasts would do as well."""
    p_value = masking.p_value[row][column]
    if row == column or p_value is None or p_value >= masking.level:
        return None
    return masking.share[row][column]


def _colours(ax: "Axes") -> Any:
    """From next to the background to full colour, so that empty cells are the background."""
    from matplotlib.colors import LinearSegmentedColormap, to_rgb

    full, none = to_rgb(COLOURS["redundant"]), background(ax)
    first = tuple(0.8 * a + 0.2 * b for a, b in zip(none, full, strict=True))
    return LinearSegmentedColormap.from_list("masking", [first, full])


def _label(masking: MaskingMatrix, ax: "Axes") -> None:
    """Number the columns and name them at the rows: names on both sides would take the room."""
    size = len(masking.names)
    label_rows(ax, [row_label(name) for name in masking.names])
    ax.set_xticks(range(size), [str(k + 1) for k in range(size)])
    ax.tick_params(axis="x", length=0, top=False, labeltop=False, labelsize="small")
    digits = 0.8 * float(ax.xaxis.label.get_fontsize()) * len(str(size))
    ax.tick_params(axis="y", pad=_MARK_ROOM + digits)
    for k in range(size):
        # Not part of the label: in a name written from right to left it would change places.
        ax.annotate(
            str(k + 1),
            (0, k),
            xycoords=ax.get_yaxis_transform(),
            xytext=(-_MARK_ROOM, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize="small",
            color=ink(ax),
        )
    ax.grid(visible=False)
    ax.set_xlabel("stand-in")
    ax.set_anchor("N")


def _write_numbers(cells: list[list[float | None]], ax: "Axes") -> None:
    for i, row in enumerate(cells):
        for j, cell in enumerate(row):
            if cell is not None:
                ax.text(j, i, f"{100 * cell:.0f}", ha="center", va="center", fontsize="small",
                        color=ink(ax))  # fmt: skip


def _mark_verdicts(masking: MaskingMatrix, ax: "Axes") -> None:
    """Put the mark of its verdict between each name and its row."""
    from matplotlib.transforms import ScaledTranslation

    beside = ScaledTranslation(-_MARK_ROOM / 2 / 72, 0, ax.figure.dpi_scale_trans)
    for kind in KINDS:
        rows = [row for row, own in enumerate(masking.kinds) if own == kind]
        if rows:
            ax.plot(
                [0] * len(rows),
                rows,
                transform=ax.get_yaxis_transform() + beside,
                clip_on=False,
                label=kind,
                **marker_look(kind),
            )
    # Below the name of the axis, whatever the sizes of the fonts and of the picture.
    below = ScaledTranslation(
        0, -3 * float(ax.xaxis.label.get_fontsize()) / 72, ax.figure.dpi_scale_trans
    )
    ax.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, 0),
        bbox_transform=ax.transAxes + below,
        ncols=3,
        fontsize="small",
        frameon=False,
    )


def _draw_bar(
    masking: MaskingMatrix, cells: list[list[float | None]], image: Any, ax: "Axes"
) -> None:
    from matplotlib.ticker import PercentFormatter

    beyond = any(cell is not None and cell > 1 for row in cells for cell in row)
    own = ax.figure.colorbar(
        image,
        cax=ax.inset_axes((1.04, 0, 0.05, 1)),  # as high as the matrix, whatever its shape
        extend="max" if beyond else "neither",
        format=PercentFormatter(1.0),
    )
    of_what = "what the row's column contributed" if masking.of_own else "the row's best stand-in"
    chance = f"empty: p \N{GREATER-THAN OR EQUAL TO} {figure(masking.level)}"
    own.set_label(with_glyphs(f"share of {of_what}\n{chance}"))
    as_is([own.ax.yaxis.label])
