"""Figures 2.2, 2.3 and 2.5 of Langley and Sage: learning curves among irrelevant bits."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from ._base import Conditions, Experiment
from ._cells import Cell, Spread
from ._oblivion_learners import CHOICES, CONCEPTS, LEARNERS, N_TEST, accuracies
from ._picture import Panel, Picture, Series
from ._result import Result

__all__ = ["OBLIVION_CURVES"]

FloatArray = NDArray[np.float64]

N_IRRELEVANT = (0, 3, 6, 9)
#: Training rows that are drawn, and those of the table.
N_ROWS = (1, 3, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 125, 150, 175, 200)
TABLED = (10, 20, 50, 100, 200)
QUICK_N_ROWS = (10, 20, 50)
#: Rows after which the paper tells how wide its intervals of 95 % are.
OUTSET = 10
#: What the paper says of its curves.
PRINTED = {
    ("conjunction", "nearest neighbour"): "as C4.5 without irrelevant bits, far worse with them",
    ("conjunction", "C4.5"): "irrelevant bits are ignored",
    ("conjunction", "OBLIVION, as published"): "below C4.5, but high within 50 rows, even with 9",
    ("m-of-n", "nearest neighbour"): "virtually as on the conjunction",
    ("m-of-n", "C4.5"): "virtually as on the conjunction",
    ("parity-like", "nearest neighbour"): "worse with irrelevant bits",
    ("parity-like", "C4.5"): "almost as bad as nearest neighbour",
    ("parity-like", "OBLIVION, as published"): "high earlier than C4.5 with each number of bits",
}
PRINTED_WIDTHS = {
    "nearest neighbour": "0.022 to 0.061",
    "C4.5": "0.022 to 0.061",
    "OBLIVION, as published": "0.020 to 0.051",
}


def run(conditions: Conditions) -> Result:
    """Measure the accuracy of each learner after several numbers of rows."""
    numbers = QUICK_N_ROWS if conditions.quick else N_ROWS
    # by concept, irrelevant bits, run, learner and number of rows
    found = np.array(
        [[_runs(concept, n, numbers, conditions) for n in N_IRRELEVANT] for concept in CONCEPTS]
    )
    tabled = [k for k, n in enumerate(numbers) if n in TABLED]
    return Result(
        f"Learning curves: accuracy after a number of training rows; {conditions.runs} runs",
        (
            "concept",
            "learner",
            "irrelevant",
            *(f"{numbers[k]} rows" for k in tabled),
            f"± 95 % after {OUTSET}",
            "paper's ± 95 %",
            "paper on the curves",
        ),
        tuple(
            _row(concept, learner, n_irrelevant, found[c, i, :, m], tabled, numbers.index(OUTSET))
            for c, concept in enumerate(CONCEPTS)
            for m, learner in enumerate(LEARNERS)
            for i, n_irrelevant in enumerate(N_IRRELEVANT)
        ),
        (
            f"Accuracy on {N_TEST} test rows, one set for each concept and number of irrelevant "
            "bits; all learners see the same rows, with the columns in random order.",
            f"± 95 % is half the width of the interval of the mean over runs, after {OUTSET} rows, "
            "by Student's t. The paper gives the range over all its curves after ten instances "
            "(OBLIVION: at the outset of learning), and does not say whether of widths or of half "
            "widths.",
            "The paper prints curves and no numbers; what its text says of them stands under paper "
            "on the curves.",
        ),
        (
            *CHOICES,
            "The m-of-n concept is shown too, which the paper leaves out, and OBLIVION on it.",
        ),
        _picture(found, numbers),
    )


def _runs(
    concept: str, n_irrelevant: int, numbers: tuple[int, ...], conditions: Conditions
) -> list[list[list[float]]]:
    tasks = [(concept, n_irrelevant, seed, numbers) for seed in range(conditions.runs)]
    return conditions.map(_one_run, tasks, f"{concept}, {n_irrelevant} irrelevant")


def _one_run(
    concept: str, n_irrelevant: int, seed: int, numbers: tuple[int, ...]
) -> list[list[float]]:
    """Accuracy of each learner after each number of rows of one training set."""
    learners = accuracies(concept, n_irrelevant, seed, max(numbers))
    return [[accuracy(n) for n in numbers] for accuracy in learners]


def _row(
    concept: str,
    learner: str,
    n_irrelevant: int,
    found: FloatArray,
    tabled: list[int],
    outset: int,
) -> tuple[Cell, ...]:
    cells = [Spread.of(found[:, k]) for k in tabled]
    width = half_width(Spread.of(found[:, outset]))
    printed: tuple[str | None, str | None] = (None, None)
    # it is said once of all four curves
    if n_irrelevant == N_IRRELEVANT[0] and (concept, learner) in PRINTED:
        printed = PRINTED_WIDTHS[learner], PRINTED[concept, learner]
    return (concept, learner, n_irrelevant, *cells, width, *printed)


def half_width(spread: Spread) -> float | None:
    """Half the width of the interval in which the mean lies with 95 %; None for a single run."""
    if spread.sd is None:
        return None
    return round(float(stdtrit(spread.n - 1, 0.975) * spread.sd / np.sqrt(spread.n)), 4)


def _picture(found: FloatArray, numbers: tuple[int, ...]) -> Picture:
    panels = []
    for c, concept in enumerate(CONCEPTS):
        for m, learner in enumerate(LEARNERS):
            series = tuple(
                Series(
                    f"{n_irrelevant} irrelevant",
                    numbers,
                    tuple(found[c, i, :, m].mean(axis=0).round(4).tolist()),
                )
                for i, n_irrelevant in enumerate(N_IRRELEVANT)
            )
            title = f"{concept}: {learner}"
            panels.append(Panel(title, "training rows", "accuracy", series, y_range=(0.4, 1.02)))
    return Picture(tuple(panels), columns=len(LEARNERS))


OBLIVION_CURVES = Experiment(
    "oblivion-curves", "Learning curves with irrelevant bits, by three learners", run, 20, 1,
    shows=("OBLIVION Figure 2.2", "OBLIVION Figure 2.3", "OBLIVION Figure 2.5"),
    minutes=0.2,
)  # fmt: skip
