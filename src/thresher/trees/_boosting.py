"""Boosted shallow trees: who can stand in for whom, and predictions of rows held out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Binned
from thresher.kernels.boosting import boosted_tree
from thresher.parallel import run_in_threads

from ._response import Response

__all__ = ["BoostedMasking", "HeldOut", "boosted_masking", "held_out_boosting"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

LEARNING_RATE = 0.1
MASKING_DEPTH = 4
MASKING_SHARE_IN_BAG = 0.5
PREDICTION_DEPTH = 5
#: Of the training rows, drawn anew for each tree.
PREDICTION_SHARE = 0.6
QUICK_RATE = 0.15
PATIENCE = 15
QUICK_PATIENCE = 8
QUICK_ROWS = 1200
MAX_TREES = 200

_NO_MASKING = np.zeros((0, 0))


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
    """Predictions for rows that took no part in fitting, and their losses."""

    prediction: FloatArray
    losses: FloatArray
    n_trees: int


def boosted_masking(
    binned: Binned,
    response: Response,
    weight: FloatArray,
    permutation: IntArray,
    rng: np.random.Generator,
    *,
    n_trees: int,
) -> BoostedMasking:
    """Boost trees on columns and contrasts, with all of them and all surrogates at each node."""
    n_columns, n_rows = binned.codes.shape
    earned = np.zeros(2 * n_columns)
    masking = np.zeros((2 * n_columns, 2 * n_columns))
    prediction = np.tile(response.start(weight), (n_rows, 1))
    order = np.arange(n_rows)
    n_in = int(MASKING_SHARE_IN_BAG * n_rows)
    leaf = float(min(10, max(2, n_rows // 20)))
    for _ in range(n_trees):
        rng.shuffle(order)
        boosted_tree(
            binned.codes, binned.n_bins, binned.categorical, response.residual(prediction),
            response.curvature(prediction), weight, permutation, True, order, n_in, n_rows - n_in,
            MASKING_DEPTH, leaf, LEARNING_RATE, prediction, earned, masking,
        )  # fmt: skip
    return BoostedMasking(earned / n_trees, masking / n_trees)


def held_out_boosting(
    binned: Binned,
    response: Response,
    weight: FloatArray,
    fold_of_row: IntArray,
    starts: Sequence[FloatArray],
    seeds: Sequence[np.random.SeedSequence],
    *,
    quick: bool = False,
    n_jobs: int | None = None,
) -> HeldOut:
    """Boost one ensemble for each fold, in step, until the rows held out are predicted no better.

    Parameters
    ----------
    binned : Binned
        The columns to predict from.
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
    """
    rate, patience = (QUICK_RATE, QUICK_PATIENCE) if quick else (LEARNING_RATE, PATIENCE)
    n_rows = len(fold_of_row)
    predictions = [start.copy() for start in starts]
    rngs = [np.random.default_rng(seed) for seed in seeds]
    held = [np.flatnonzero(fold_of_row == fold) for fold in range(len(starts))]
    trained = [np.flatnonzero(fold_of_row != fold) for fold in range(len(starts))]
    leaf = float(min(5, max(2, n_rows // 40)))
    identity = np.arange(n_rows)
    earned = np.zeros(binned.codes.shape[0])

    def add_tree(fold: int) -> None:
        prediction = predictions[fold]
        order = np.concatenate([rngs[fold].permutation(trained[fold]), held[fold]])
        n_in = int(PREDICTION_SHARE * len(trained[fold]))
        if quick:
            n_in = min(n_in, QUICK_ROWS)
        boosted_tree(
            binned.codes, binned.n_bins, binned.categorical, response.residual(prediction),
            response.curvature(prediction), weight, identity, False, order, n_in, 0,
            PREDICTION_DEPTH, leaf, rate, prediction, earned.copy(), _NO_MASKING,
        )  # fmt: skip

    best = _assembled(response, predictions, held, 0)
    total = weight.sum()
    lowest = weight @ best.losses / total
    for n_trees in range(1, MAX_TREES + 1):
        run_in_threads(add_tree, [(fold,) for fold in range(len(starts))], n_jobs)
        now = _assembled(response, predictions, held, n_trees)
        if (loss := weight @ now.losses / total) < lowest:
            best, lowest = now, loss
        elif n_trees - best.n_trees >= patience:
            break
    return best


def _assembled(
    response: Response, predictions: list[FloatArray], held: list[NDArray[np.intp]], n_trees: int
) -> HeldOut:
    prediction = np.empty_like(predictions[0])
    for own, rows in zip(predictions, held, strict=True):
        prediction[rows] = own[rows]
    return HeldOut(prediction, response.losses(prediction), n_trees)
