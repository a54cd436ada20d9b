"""Boosted shallow trees: who can stand in for whom, and predictions of rows held out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Binned
from thresher.kernels.boosting import boosted_trees
from thresher.kernels.held_out import boosted_predictions
from thresher.parallel import run_in_threads

from ._response import Response

__all__ = ["BoostedMasking", "HeldOut", "boosted_masking", "held_out_boosting"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

LEARNING_RATE = 0.1
MASKING_DEPTH = 4
MASKING_SHARE_IN_BAG = 0.5
#: Of longer tables each tree draws so many rows, in the bag and out of it.
MASKING_ROWS = 4000
PREDICTION_DEPTH = 5
#: Of the training rows, drawn anew for each tree.
PREDICTION_SHARE = 0.6
QUICK_RATE = 0.15
#: Trees that may fail to help before the end: a product of three columns needs some to begin with.
PATIENCE = 40
QUICK_PATIENCE = 8
QUICK_ROWS = 1200
MAX_TREES = 200
#: Trees that each fold grows before the folds look whether to go on.
CHUNK = 10


@dataclass(frozen=True, eq=False)
class BoostedMasking:
    """What one boosted ensemble says of its columns (first half) and contrasts (second half).

    Parameters
    ----------
    earned : array of shape (2 m,)
        Out-of-bag importance of each.
    masking : array of shape (2 m, 2 m)
        ``masking[i, j]``: how much of what i earned j could have earned in its place.
    """

    earned: FloatArray
    masking: FloatArray


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Predictions for rows that took no part in fitting, and their losses.

    ``earned`` is, for each fold, what each column took from the squares of the trees' targets in
    the rows that the fold learned from.
    """

    prediction: FloatArray
    losses: FloatArray
    n_trees: int
    earned: tuple[FloatArray, ...] = ()


def boosted_masking(
    binned: Binned,
    response: Response,
    weight: FloatArray,
    permutation: IntArray,
    seed: np.random.SeedSequence,
    *,
    n_trees: int,
) -> BoostedMasking:
    """Boost trees on columns and contrasts, with all of them and all surrogates at each node."""
    n_columns, n_rows = binned.codes.shape
    earned = np.zeros(2 * n_columns)
    masking = np.zeros((2 * n_columns, 2 * n_columns))
    prediction = np.tile(response.start(weight), (n_rows, 1))
    n_used = min(n_rows, MASKING_ROWS)
    n_in = int(MASKING_SHARE_IN_BAG * n_used)
    leaf = float(min(10, max(2, n_rows // 20)))
    boosted_trees(
        binned.codes, binned.n_bins, binned.categorical, response.link, response.values, weight,
        permutation, n_trees, n_in, n_used - n_in, MASKING_DEPTH, leaf, LEARNING_RATE, _state(seed),
        prediction, earned, masking,
    )  # fmt: skip
    return BoostedMasking(earned / n_trees, masking / n_trees)


def held_out_boosting(
    tables: Sequence[Binned],
    response: Response,
    weight: FloatArray,
    fold_of_row: IntArray,
    starts: Sequence[FloatArray],
    seeds: Sequence[np.random.SeedSequence],
    *,
    quick: bool = False,
    n_jobs: int | None = None,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> HeldOut:
    """Boost one ensemble for each fold, in step, until the rows held out are predicted no better.

    Parameters
    ----------
    tables : sequence of Binned
        The columns to predict from, for each fold; the rows are the same.
    response : Response
        What to predict.
    weight : array of shape (n_rows,)
        Of the rows.
    fold_of_row : int array of shape (n_rows,)
        The fold that holds each row out.
    starts : sequence of arrays of shape (n_rows, K)
        Predictions to begin with, for each fold made without the rows it holds out.
    seeds : sequence of SeedSequence
        One for each fold.
    quick : bool, default=False
        Fewer trees that learn faster.
    n_jobs : int, optional
        Threads.
    progress : callable
        Told from time to time how many trees of how many there are; it may end the work by an
        exception. There may be fewer in the end.
    """
    rate, patience = (QUICK_RATE, QUICK_PATIENCE) if quick else (LEARNING_RATE, PATIENCE)
    n_rows = len(fold_of_row)
    leaf = float(min(5, max(2, n_rows // 40)))
    folds = [
        _Fold(binned, fold_of_row == fold, start.copy(), _state(seed))
        for fold, (binned, start, seed) in enumerate(zip(tables, starts, seeds, strict=True))
    ]

    def add_trees(fold: _Fold) -> None:
        n_in = int(PREDICTION_SHARE * fold.n_training)
        if quick:
            n_in = min(n_in, QUICK_ROWS)
        boosted_predictions(
            fold.codes, fold.n_bins, fold.categorical, response.link, response.values, weight,
            fold.rows, CHUNK, fold.n_training, n_in, PREDICTION_DEPTH, leaf, rate, fold.state,
            fold.prediction, fold.history, fold.earned,
        )  # fmt: skip

    earned = [np.zeros(len(binned.codes)) for binned in tables]
    prediction = np.empty_like(response.values)
    for fold in folds:
        prediction[fold.held] = fold.prediction[fold.held]
    best = HeldOut(prediction.copy(), response.losses(prediction), 0, _copies(earned))
    total = weight.sum()
    lowest = weight @ best.losses / total
    for n_trees in range(1, MAX_TREES + 1):
        tree = (n_trees - 1) % CHUNK
        if tree == 0:
            progress(n_trees - 1, MAX_TREES)
            run_in_threads(add_trees, [(fold,) for fold in folds], n_jobs)
        for fold, of_fold in zip(folds, earned, strict=True):
            prediction[fold.held] = fold.history[tree]
            of_fold += fold.earned[tree]  # noqa: PLW2901 - in place
        losses = response.losses(prediction)
        if (loss := weight @ losses / total) < lowest:
            best, lowest = HeldOut(prediction.copy(), losses, n_trees, _copies(earned)), loss
        elif n_trees - best.n_trees >= patience:
            break
    progress(MAX_TREES, MAX_TREES)
    return best


class _Fold:
    """An ensemble that has not seen some of the rows, as far as it has grown."""

    def __init__(
        self,
        binned: Binned,
        is_held: NDArray[np.bool_],
        start: FloatArray,
        state: NDArray[np.uint64],
    ) -> None:
        self.codes, self.n_bins, self.categorical = binned.codes, binned.n_bins, binned.categorical
        self.held = np.flatnonzero(is_held)
        self.n_training = len(is_held) - len(self.held)
        self.rows = np.concatenate([np.flatnonzero(~is_held), self.held]).astype(np.uint32)
        self.prediction = start
        self.history = np.empty((CHUNK, len(self.held), start.shape[1]))
        self.earned = np.empty((CHUNK, len(binned.codes)))
        self.state = state


def _copies(arrays: Sequence[FloatArray]) -> tuple[FloatArray, ...]:
    return tuple(array.copy() for array in arrays)


def _state(seed: np.random.SeedSequence) -> NDArray[np.uint64]:
    return seed.generate_state(1, np.uint64).astype(np.uint64)
