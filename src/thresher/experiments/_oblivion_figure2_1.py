"""Figure 2.1 of Langley and Sage: which of the eight combinations of three bits are positive."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from thresher.datasets import make_boolean_concept

from ._base import Conditions, Experiment
from ._cells import Cell
from ._picture import Panel, Picture, Series
from ._result import Result

__all__ = ["OBLIVION_FIGURE2_1"]

N_ROWS = 1000
#: The paper's formulas, as functions of A, B and C.
FORMULAS: dict[str, Callable[[int, int, int], bool]] = {
    "conjunction": lambda a, b, c: bool(a and b and c),
    "m-of-n": lambda a, b, c: bool((a and b) or (a and c) or (b and c)),
    "parity-like": lambda a, b, c: bool((a and b and c) or (not a and not b and not c)),
}
CORNERS = tuple(product((0, 1), repeat=3))


def run(conditions: Conditions) -> Result:
    """Compare the classes of generated rows with the paper's formulas."""
    tasks = [(seed,) for seed in range(conditions.runs)]
    found = np.array(conditions.map(seen_classes, tasks, "tables"))
    rows: list[tuple[Cell, ...]] = []
    for k, corner in enumerate(CORNERS):
        classes = [_agreed(found[:, c, k]) for c in range(len(FORMULAS))]
        printed = [int(formula(*corner)) for formula in FORMULAS.values()]
        rows.append((*corner, *classes, classes == printed))
    positive = [sum(row[3 + c] == 1 for row in rows) for c in range(len(FORMULAS))]
    rows.append(("", "", "positive of 8", *positive, all(row[-1] is True for row in rows)))
    return Result(
        "Figure 2.1: the extension of the three concepts",
        ("A", "B", "C", *FORMULAS, "as the paper's formulas"),
        tuple(rows),
        (
            f"Classes of {N_ROWS} rows of make_boolean_concept for each concept, with irrelevant "
            f"bits beside A, B and C ({conditions.runs} tables); a combination whose rows were not "
            "all of one class would have none.",
        ),
        picture=_picture(rows[:-1]),
    )


def seen_classes(seed: int) -> list[list[int]]:
    """Class of each combination in generated rows of each concept; -1 where rows disagree."""
    found = []
    for name in FORMULAS:
        concept: Any = name
        data = make_boolean_concept(concept, 1 + seed, n_rows=N_ROWS, random_state=seed)
        which = data.X[:, :3] @ [4, 2, 1]
        found.append([_agreed(data.y[which == k]) for k in range(len(CORNERS))])
    return [[-1 if cell is None else cell for cell in cells] for cells in found]


def _agreed(classes: np.ndarray[Any, Any]) -> int | None:
    return int(classes[0]) if len(classes) and (classes == classes[0]).all() else None


def _picture(rows: list[tuple[Cell, ...]]) -> Picture:
    """The cube that the paper draws, seen from the front and a little from above."""
    panels = []
    for k, name in enumerate(FORMULAS):
        series = []
        for label, value in (("positive", 1), ("negative", 0)):
            some = [c for c, row in zip(CORNERS, rows, strict=True) if row[3 + k] == value]
            x = tuple(a + 0.4 * c for a, _, c in some)
            y = tuple(b + 0.3 * c for _, b, c in some)
            series.append(Series(label, x, y))
        panels.append(Panel(name, "A, and C aslant", "B", tuple(series), "points"))
    return Picture(tuple(panels), columns=3)


OBLIVION_FIGURE2_1 = Experiment(
    "oblivion-figure2-1", "Which combinations of three bits are positive", run, 10, 1,
    shows=("OBLIVION Figure 2.1",), minutes=0.01,
)  # fmt: skip
