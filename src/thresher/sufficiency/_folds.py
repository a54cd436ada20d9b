"""Folds that hold each row out: several times, where rows are few."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.ace import Problem, make_folds

__all__ = ["RepeatedFolds", "repeated_folds"]

IntArray = NDArray[np.int64]

#: Losses of few rows depend on how the folds happen to fall; their mean over several draws depends
#: on it less. Folds are drawn anew until so many rows were held out, but not for more models than
#: this, and less often where many columns make each draw slow.
ROWS_HELD_OUT = 1500
MOST_MODELS = 20
MOST_CELLS = 200_000


@dataclass(frozen=True, eq=False)
class RepeatedFolds:
    """Divisions of the rows into folds.

    Parameters
    ----------
    of_row : tuple of int arrays of shape (n_rows,)
        For each repeat, the fold that holds each row out.
    """

    of_row: tuple[IntArray, ...]

    @property
    def n_folds(self) -> int:
        """Number of folds of each repeat."""
        return int(self.of_row[0].max()) + 1

    @property
    def n_models(self) -> int:
        """Number of folds of all repeats; each has a model of its own."""
        return self.n_folds * len(self.of_row)

    @property
    def n_train(self) -> float:
        """Rows that each model learns from, on average."""
        return len(self.of_row[0]) * (self.n_folds - 1) / self.n_folds


def repeated_folds(problem: Problem, seed: np.random.SeedSequence) -> RepeatedFolds:
    """Draw folds, and draw them again if rows are few."""
    n_cells = problem.n_rows * problem.binned.codes.shape[0]
    n_folds = int(make_folds(problem, seed).max()) + 1
    n_repeats = min(ROWS_HELD_OUT // problem.n_rows, MOST_CELLS // n_cells, MOST_MODELS // n_folds)
    seeds = (
        # not spawn, which would give others at the next call
        np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, k))
        for k in range(max(n_repeats, 1))
    )
    return RepeatedFolds(tuple(make_folds(problem, own) for own in seeds))
