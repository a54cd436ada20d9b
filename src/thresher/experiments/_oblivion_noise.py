"""What Langley and Sage left for later: OBLIVION where classes are noisy."""

from typing import Any

import numpy as np

from thresher.datasets import make_boolean_concept
from thresher.selectors import Oblivion

from ._base import Cell, Conditions, Experiment, Result

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
    rows: list[tuple[Cell, ...]] = []
    for concept in CONCEPTS:
        for n_rows, n_irrelevant in QUICK_SIZES if conditions.quick else SIZES:
            for noise in (0.0, NOISE):
                tasks = [
                    (concept, n_rows, n_irrelevant, noise, seed) for seed in range(conditions.runs)
                ]
                what = f"{concept}, {n_rows} rows, noise {noise:.0%}"
                found = np.array(conditions.map(_one_table, tasks, what), dtype=np.float64)
                for method, (exact, has_all, size, accuracy) in zip(
                    METHODS, found.mean(axis=0).tolist(), strict=True
                ):
                    about = (concept, n_rows, n_irrelevant, 100 * noise, method)
                    rows.append((*about, 100 * exact, 100 * has_all, size, 100 * accuracy))
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
    )


def _one_table(
    concept: str, n_rows: int, n_irrelevant: int, noise: float, seed: int
) -> list[tuple[bool, bool, int, float]]:
    rng = np.random.default_rng([seed, n_rows, n_irrelevant, CONCEPTS.index(concept)])
    data = make_boolean_concept(
        concept,  # type: ignore[arg-type]
        n_irrelevant,
        n_rows=n_rows + N_TEST,
        random_state=rng,
    )
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
    "oblivion-noise", "OBLIVION where classes are noisy, by when it stops", run, 20, 1
)
