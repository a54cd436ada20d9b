"""Stage 4: what the variables found so far explain of rows held out."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.trees import HeldOut, Response, Squared, held_out_boosting

from ._problem import Problem

__all__ = ["explain", "make_folds"]

FloatArray = NDArray[np.float64]

RIDGE = 1e-2
NEWTON_STEPS = 6


def make_folds(problem: Problem, seed: np.random.SeedSequence) -> NDArray[np.int64]:
    """Fold of each row; every class is spread over all of them."""
    n_rows = problem.n_rows
    n_folds = min(10 if n_rows < 300 else 5, n_rows)
    order = np.random.default_rng(seed).permutation(n_rows)
    if not isinstance(problem.response, Squared):
        label = problem.response.values @ np.arange(1, problem.response.values.shape[1] + 1)
        order = order[np.argsort(label[order], kind="stable")]
    fold_of_row = np.empty(n_rows, dtype=np.int64)
    fold_of_row[order] = np.arange(n_rows) % n_folds
    return fold_of_row


def explain(
    problem: Problem,
    variables: Sequence[int],
    fold_of_row: NDArray[np.int64],
    seed: np.random.SeedSequence,
    *,
    quick: bool = False,
    n_jobs: int | None = None,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> HeldOut:
    """Predict each row from the variables, by models that have not seen it.

    Boosted trees start from a linear model where that is better than none: trees need many rows to
    build a straight line.

    Parameters
    ----------
    problem : Problem
        Columns, response and weights.
    variables : sequence of int
        To predict from; without any, predictions are constant.
    fold_of_row : int array of shape (n_rows,)
        The fold that holds each row out.
    seed : SeedSequence
        Of the row samples; the same seed for all subsets makes their losses comparable.
    quick : bool, default=False
        Learn faster, at the price of a little accuracy: enough to compare subsets.
    n_jobs : int, optional
        Threads; the result does not depend on it.
    progress : callable
        Told from time to time how many trees of how many there are, in this thread; it may end the
        work by an exception.
    """
    response, weight = problem.response, problem.weight
    folds = range(int(fold_of_row.max()) + 1)
    training = [np.where(fold_of_row == fold, 0.0, weight) for fold in folds]
    starts = [np.tile(response.start(own), (problem.n_rows, 1)) for own in training]
    constant = _held_out(starts, fold_of_row, response)
    columns = problem.columns_of(variables)
    if not len(columns):
        return constant
    table = problem.column_scores(columns)
    table = table[np.any(table != 0, axis=1)]
    if len(table):
        linear = [_linear(table, response, own) for own in training]
        if weight @ _held_out(linear, fold_of_row, response).losses < weight @ constant.losses:
            starts = linear
    # a fixed number of children: spawn would count on, and give each call other seeds
    seeds = [
        np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, fold)) for fold in folds
    ]
    return held_out_boosting(
        [problem.cut_down(variables)] * len(folds),
        response,
        weight,
        fold_of_row,
        starts,
        seeds,
        quick=quick,
        n_jobs=n_jobs,
        progress=progress,
    )


def _held_out(
    predictions: Sequence[FloatArray], fold_of_row: NDArray[np.int64], response: Response
) -> HeldOut:
    prediction = np.empty_like(predictions[0])
    for fold, own in enumerate(predictions):
        rows = fold_of_row == fold
        prediction[rows] = own[rows]
    return HeldOut(prediction, response.losses(prediction), 0)


def _linear(table: FloatArray, response: Response, weight: FloatArray) -> FloatArray:
    """Ridge regression on the response's own scale: Newton steps, output by output."""
    design = np.vstack([np.ones(table.shape[1]), table])
    prediction = np.tile(response.start(weight), (table.shape[1], 1))
    penalty = RIDGE * weight.sum() * np.eye(len(design))
    penalty[0, 0] = 0.0
    coefficients = np.zeros((len(design), prediction.shape[1]))
    for _ in range(1 if isinstance(response, Squared) else NEWTON_STEPS):
        residual, curvature = (part * weight[:, None] for part in response.gradients(prediction))
        for k in range(prediction.shape[1]):
            hessian = (design * curvature[:, k]) @ design.T + penalty
            gradient = design @ residual[:, k] - penalty @ coefficients[:, k]
            step = np.linalg.solve(hessian, gradient)
            coefficients[:, k] += step
            prediction[:, k] += step @ design
    return prediction
