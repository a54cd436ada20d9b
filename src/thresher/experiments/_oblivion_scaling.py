"""Figures 2.4 and 2.6 of Langley and Sage: rows needed as irrelevant bits are added."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ._base import Conditions, Experiment
from ._cells import Cell, Spread
from ._oblivion_learners import CHOICES, CONCEPTS, N_TEST, Accuracy, accuracies
from ._picture import Panel, Picture, Series
from ._result import Result

__all__ = ["OBLIVION_SCALING"]

FloatArray = NDArray[np.float64]

LEVEL, HOLD = 0.95, 50
#: Training rows after which we give up: the more, the less a learner costs.
CAPS = {
    "nearest neighbour": 5000,
    "C4.5": 2000,
    "OBLIVION": 400,
    "OBLIVION, as published": 400,
}
QUICK_CAP = 200
#: The paper's, the 16 of which it only tells for C4.5, and more.
N_IRRELEVANT = (*range(10), 16, 20, 30, 40, 50)
QUICK_N_IRRELEVANT = (0, 2, 4)
#: Where the paper's curves end.
_LAST = 9
#: Beyond this number of irrelevant bits, the algorithm as published is left out: it gets nowhere.
_MOST_PUBLISHED = 16
#: What the paper says of its curves, from 0 to 9 irrelevant bits.
PRINTED = {
    ("conjunction", "nearest neighbour"): "exponential",
    ("conjunction", "C4.5"): "constant or at most logarithmic; at 16 as at 9",
    ("conjunction", "OBLIVION, as published"): "nearly linear, a little above C4.5",
    ("m-of-n", "nearest neighbour"): "as on the conjunction",
    ("m-of-n", "C4.5"): "as on the conjunction",
    ("parity-like", "nearest neighbour"): "exponential",
    ("parity-like", "C4.5"): "exponential, below nearest neighbour",
    ("parity-like", "OBLIVION, as published"): "scales better than C4.5",
}
_DEVIATIONS = (
    *CHOICES,
    f"Up to {max(N_IRRELEVANT)} irrelevant bits, where the paper's curves end at {_LAST}, and "
    "OBLIVION also on the m-of-n concept, which the paper leaves out. OBLIVION as published is "
    f"left out beyond {_MOST_PUBLISHED}.",
)
#: A curve that grows by less than this factor from 0 to 9 is flat.
_FLAT = 1.5


def run(conditions: Conditions) -> Result:
    """Find the rows that each method needs, for each concept and number of irrelevant bits."""
    numbers = QUICK_N_IRRELEVANT if conditions.quick else N_IRRELEVANT
    caps = [QUICK_CAP if conditions.quick else cap for cap in CAPS.values()]
    curves = {concept: _curves(concept, numbers, caps, conditions) for concept in CONCEPTS}
    rows: list[tuple[Cell, ...]] = []
    for concept, found in curves.items():
        for k, (method, cap) in enumerate(zip(CAPS, caps, strict=True)):
            cells = [_mean(rows_of_runs, cap) for rows_of_runs in found[:, :, k]]
            growth, shape = _growth(numbers, found[:, :, k], cap)
            printed = PRINTED.get((concept, method))
            rows.append((concept, method, *cells, growth, shape, printed))
    return Result(
        f"Training rows needed for {LEVEL:.0%} accuracy, by the number of irrelevant bits; "
        f"{conditions.runs} runs",
        ("concept", "method", *map(str, numbers), "growth to 9", "shape to 9", "paper"),
        tuple(rows),
        _notes(caps),
        _DEVIATIONS,
        _picture(numbers, curves, caps),
    )


def _curves(
    concept: str, numbers: Sequence[int], caps: Sequence[int], conditions: Conditions
) -> FloatArray:
    """Rows needed, by number of irrelevant bits, run and method."""
    found = [
        conditions.map(
            _one_run,
            [(concept, number, seed, caps) for seed in range(conditions.runs)],
            f"{concept}, {number} irrelevant",
        )
        for number in numbers
    ]
    return np.array(found, dtype=np.float64)


def _notes(caps: Sequence[int]) -> tuple[str, ...]:
    limits = ", ".join(f"{cap} ({method})" for method, cap in zip(CAPS, caps, strict=True))
    return (
        f"The first number of rows from which the accuracy on {N_TEST} test rows is at least "
        f"{LEVEL:.0%}, and stays so for {HOLD} more rows. All methods see the same rows, with the "
        "columns in random order.",
        f"We give up after so many rows: {limits}. A mean that such runs are part of is a lower "
        "bound, marked by >; curves are drawn up to there.",
        "The paper prints curves and no numbers; what its text says of them stands under paper.",
        f"Growth: rows at {_LAST} irrelevant bits (or the most up to there) by rows at 0. Shape: "
        f"flat if that is below {_FLAT}; else whichever of a logarithmic, a linear and an "
        "exponential curve fits the means with the smallest squares; none where runs were given "
        "up.",
    )


def _picture(numbers: Sequence[int], curves: dict[str, FloatArray], caps: Sequence[int]) -> Picture:
    """As far as the paper goes, and below it the whole."""
    panels = []
    for last, ending in ((_LAST, ""), (max(numbers), ", and more bits")):
        places = [k for k, number in enumerate(numbers) if number <= last]
        for concept, found in curves.items():
            series = tuple(
                _series(method, [numbers[k] for k in places], found[places, :, m], cap)
                for m, (method, cap) in enumerate(zip(CAPS, caps, strict=True))
            )
            panels.append(
                Panel(concept + ending, "irrelevant bits", "rows needed", series, log_y=True)
            )
    n_panels = len(curves) if max(numbers) <= _LAST else len(panels)
    return Picture(tuple(panels[:n_panels]), columns=len(curves))


def _series(method: str, numbers: list[int], found: FloatArray, cap: int) -> Series:
    cells = [_mean(rows_of_runs, cap) for rows_of_runs in found]
    spreads = []
    for cell in cells:
        if not isinstance(cell, Spread):
            break
        spreads.append(cell)
    return Series(
        method,
        tuple(numbers[: len(spreads)]),
        tuple(spread.mean for spread in spreads),
        tuple(spread.sd for spread in spreads),
    )


def _mean(found: FloatArray, cap: int) -> Cell:
    if not found.all():  # left out
        return None
    if (found > cap).any():
        return f"> {np.minimum(found, cap).mean():.0f}"
    return Spread.of(found)


def _growth(numbers: Sequence[int], curve: FloatArray, cap: int) -> tuple[Cell, Cell]:
    """Growth from 0 to 9 irrelevant bits, and the shape in words."""
    few = np.array([k for k, number in enumerate(numbers) if number <= _LAST])
    if (curve[few] > cap).any():
        return None, None
    x, y = np.array(numbers, dtype=np.float64)[few], curve[few].mean(axis=1)
    growth = float(y[-1] / y[0])
    if growth < _FLAT:
        return round(growth, 2), "flat"
    fits = {
        "logarithmic": _line(np.log1p(x), y),
        "linear": _line(x, y),
        "exponential": np.exp(_line(x, np.log(y))),
    }
    return round(growth, 2), min(fits, key=lambda shape: float(((fits[shape] - y) ** 2).sum()))


def _line(x: FloatArray, y: FloatArray) -> FloatArray:
    return np.asarray(np.polyval(np.polyfit(x, y, 1), x))


def _one_run(concept: str, n_irrelevant: int, seed: int, caps: Sequence[int]) -> list[int]:
    """Rows needed by each method on one training set; one more than the cap if that is not met.

    Zero stands for what was left out.
    """
    learners = accuracies(concept, n_irrelevant, seed, max(caps) + HOLD)
    n_learners = len(learners) - (n_irrelevant > _MOST_PUBLISHED)
    found = [
        rows_needed(accuracy, cap)
        for accuracy, cap in zip(learners[:n_learners], caps, strict=False)
    ]
    return [*found, 0][: len(caps)]


def rows_needed(accuracy: Accuracy, cap: int) -> int:
    """Return the first number of rows from which the accuracy is high and stays so for a while.

    A stretch is looked at from its end: where the accuracy is low, no stretch can begin before. So
    few numbers are tried until the end is near.

    Parameters
    ----------
    accuracy : callable
        From a number of rows, at least 1, to the accuracy.
    cap : int
        The largest number that may be returned; one more means that there is none.

    Examples
    --------
    >>> rows_needed(lambda n: 0.9 if n < 70 or n == 75 else 1.0, 1000)
    76
    """
    start, high_from = 1, 0  # all that was tried from high_from on is high
    while start <= cap:
        end = start + HOLD
        low = next((n for n in range(end, max(start, high_from) - 1, -1) if accuracy(n) < LEVEL), 0)
        if not low:
            return start
        start, high_from = low + 1, end + 1
    return cap + 1


OBLIVION_SCALING = Experiment(
    "oblivion-scaling", "Rows needed as irrelevant bits are added, by three learners", run, 20, 1,
    shows=("OBLIVION Figure 2.4", "OBLIVION Figure 2.6"),
    minutes=16,
)  # fmt: skip
