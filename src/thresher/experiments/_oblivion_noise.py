"""What Langley and Sage left for later: OBLIVION where classes are noisy."""

from typing import Any

import numpy as np

from thresher.datasets import make_boolean_concept
from thresher.selectors import Oblivion

from ._base import Conditions, Experiment
from ._cells import Cell, Spread
from ._picture import Panel, Picture, Series
from ._result import Result

__all__ = ["OBLIVION_NOISE"]

NOISE, N_TEST = 0.1, 1000
#: Training rows and irrelevant bits.
SIZES = ((100, 9), (200, 20), (400, 50))
QUICK_SIZES = ((60, 4),)
CONCEPTS = ("conjunction", "parity-like")
METHODS: dict[str, dict[str, Any]] = {
    "as published": {"strategy": "paper"},
    "as published, raced": {"strategy": "paper", "judge": "brace"},
    "to the end, lowest loss": {"rule": "best"},
    "to the end, one standard error": {},
}


def run(conditions: Conditions) -> Result:
    """Select among noisy bits with each way to stop."""
    sizes = QUICK_SIZES if conditions.quick else SIZES
    settings = [
        (concept, *size, noise) for concept in CONCEPTS for size in sizes for noise in (0.0, NOISE)
    ]
    rows: list[tuple[Cell, ...]] = []
    for concept, n_rows, n_irrelevant, noise in settings:
        tasks = [(concept, n_rows, n_irrelevant, noise, seed) for seed in range(conditions.runs)]
        what = f"{concept}, {n_rows} rows, noise {noise:.0%}"
        of_tables = np.array(conditions.map(_one_table, tasks, what), dtype=np.float64)
        for k, method in enumerate(METHODS):
            exact, has_all, size, accuracy = of_tables[:, k].T
            about = (concept, n_rows, n_irrelevant, 100 * noise, method)
            shares = (100 * float(exact.mean()), 100 * float(has_all.mean()))
            rows.append((*about, *shares, Spread.of(size), Spread.of(100 * accuracy)))
    return Result(
        f"OBLIVION on bits, {NOISE:.0%} of the classes inverted or none; {conditions.runs} tables "
        "each",
        (
            "concept",
            "rows",
            "irrelevant",
            "noise (%)",
            "method",
            "exactly the 3 relevant (%)",
            "all 3 among them (%)",
            "columns",
            "accuracy (%)",
        ),
        tuple(rows),
        (
            f"Accuracy on {N_TEST} rows without noise. Columns are in random order.",
            "As published: stop when every removal adds errors. To the end: go on, and choose "
            "among all subsets on the way. Raced: by BRACE, with the usual settings.",
        ),
        (
            "The paper has no noise, and leaves it for later; so sizes, noise and the two ways to "
            "go on to the end are ours.",
        ),
        _picture(rows),
    )


def _picture(rows: list[tuple[Cell, ...]]) -> Picture:
    """Accuracy of each method, a panel for each concept with and without noise."""
    panels = []
    for concept in CONCEPTS:
        for noise in (0.0, 100 * NOISE):
            series = []
            for method in METHODS:
                chosen = [r for r in rows if (r[0], r[3], r[4]) == (concept, noise, method)]
                spreads = [row[-1] for row in chosen if isinstance(row[-1], Spread)]
                series.append(
                    Series(
                        method,
                        tuple(f"{row[1]} x {row[2]}" for row in chosen),
                        tuple(spread.mean for spread in spreads),
                        tuple(spread.sd for spread in spreads),
                    )
                )
            title = f"{concept}, {noise:.0f} % of the classes inverted"
            labels = ("rows x irrelevant bits", "accuracy (%)")
            panels.append(Panel(title, *labels, tuple(series), "bar", y_range=(50, 102)))
    return Picture(tuple(panels))


def _one_table(
    concept: Any, n_rows: int, n_irrelevant: int, noise: float, seed: int
) -> list[tuple[bool, bool, int, float]]:
    rng = np.random.default_rng([seed, n_rows, n_irrelevant, CONCEPTS.index(concept)])
    data = make_boolean_concept(concept, n_irrelevant, n_rows=n_rows + N_TEST, random_state=rng)
    order = rng.permutation(data.X.shape[1])
    X, y = data.X[:, order], data.y
    relevant = set(np.flatnonzero(order < 3).tolist())
    noisy = np.where(rng.random(n_rows) < noise, 1 - y[:n_rows], y[:n_rows])
    outcomes = []
    for settings in METHODS.values():
        model = Oblivion(**settings, n_jobs=1, random_state=seed).fit(X[:n_rows], noisy)
        chosen = set(np.flatnonzero(model.support_).tolist())
        accuracy = model.score(X[n_rows:], y[n_rows:])
        outcomes.append((chosen == relevant, relevant <= chosen, len(chosen), accuracy))
    return outcomes


OBLIVION_NOISE = Experiment(
    "oblivion-noise", "OBLIVION where classes are noisy, by when it stops", run, 20, 1, minutes=9
)
