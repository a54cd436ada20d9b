"""How often a method finds something where there is nothing, beside its nominal level."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._cells import Cell
from ._picture import Panel, Picture, Series

__all__ = ["COLUMNS", "LEVEL", "NOTE", "null_picture", "null_row"]

LEVEL = 0.05
COLUMNS = ("table", "method", "percent", "standard error", "bound", "holds")
NOTE = "The bound is the nominal 5 percent plus two standard errors of that share."


def null_row(label: str, method: str, found: ArrayLike) -> tuple[Cell, ...]:
    """Return the share of tables in which anything was found, and whether it is low enough."""
    selected = np.asarray(found, dtype=bool)
    share, n = float(selected.mean()), len(selected)
    bound = LEVEL + 2 * np.sqrt(LEVEL * (1 - LEVEL) / n)
    error = np.sqrt(share * (1 - share) / n)
    return (
        label,
        method,
        100 * share,
        100 * float(error),
        100 * float(bound),
        bool(share <= bound),
    )


def null_picture(rows: Sequence[tuple[Any, ...]]) -> Picture:
    """Return bars with standard errors, a colour for each method."""
    series = []
    for name in dict.fromkeys(row[1] for row in rows):
        label, _, share, error, *_ = zip(*(row for row in rows if row[1] == name), strict=True)
        series.append(Series(name, tuple(each.replace(", ", "\n") for each in label), share, error))
    panel = Panel("nominal level: 5 %", "", "data sets with a selection (%)", tuple(series), "bar")
    return Picture((panel,), columns=1)
