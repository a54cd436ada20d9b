"""The loss of knowing nothing: predictions from the training target alone."""

import numpy as np
from numpy.typing import NDArray

from ._folds import Fold
from ._loss import Loss, classification_losses, regression_losses
from ._problem import Problem

__all__ = ["baseline_losses"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


def baseline_losses(problem: Problem, fold: Fold, test: IntArray) -> FloatArray:
    """Losses of rows under the empty subset.

    Classes are predicted by their frequencies, numbers by their mean (median under the absolute
    loss), both taken from the training rows of the fold.
    """
    loss = problem.row_loss
    y = problem.target.values
    weights = np.ones(len(y)) if problem.weights is None else problem.weights
    if problem.target.classes is not None:
        frequency = _class_frequencies(y, weights, problem.target.n_classes, fold, test)
        return classification_losses(loss, frequency, y[test])
    if loss is Loss.ABSOLUTE and problem.weights is not None:
        parts = _training_rows(len(y), fold, test)
        centre = np.array([_weighted_median(y, weights, rows) for rows in parts])
    elif loss is Loss.ABSOLUTE:
        centre = _medians(y, fold, test)
    elif fold.train is None:
        centre = ((weights * y).sum() - (weights * y)[test]) / (weights.sum() - weights[test])
    else:
        centre = np.full(len(test), np.average(y[fold.train], weights=weights[fold.train]))
    return regression_losses(loss, centre, y[test])


def _class_frequencies(
    y: IntArray, weights: FloatArray, n_classes: int, fold: Fold, test: IntArray
) -> FloatArray:
    train = slice(None) if fold.train is None else fold.train
    totals = np.bincount(y[train], weights=weights[train], minlength=n_classes)
    counts: FloatArray = np.tile(totals.astype(np.float64), (len(test), 1))
    if fold.train is None:
        counts[np.arange(len(test)), y[test]] -= weights[test]
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def _medians(y: FloatArray, fold: Fold, test: IntArray) -> FloatArray:
    if fold.train is not None:
        return np.full(len(test), np.median(y[fold.train]))
    # Without one row, the median is one of two values or their middle: no need to sort again.
    order = np.argsort(y, kind="stable")
    rank = np.empty(len(y), dtype=np.intp)
    rank[order] = np.arange(len(y))
    ordered, n_left = y[order], len(y) - 1
    low, high = (n_left - 1) // 2, n_left // 2
    r = rank[test]
    return np.asarray((ordered[low + (low >= r)] + ordered[high + (high >= r)]) / 2.0)


def _training_rows(n_rows: int, fold: Fold, test: IntArray) -> list[IntArray]:
    if fold.train is not None:
        return [fold.train] * len(test)
    return [np.delete(np.arange(n_rows), i) for i in test]


def _weighted_median(y: FloatArray, weights: FloatArray, rows: IntArray) -> float:
    """Middle of the values up to and from which half of the weight lies, as if rows repeated."""
    order = rows[np.argsort(y[rows], kind="stable")]
    share = np.cumsum(weights[order]) / weights[order].sum()
    low = int(np.searchsorted(share, 0.5))
    high = int(np.searchsorted(share, 0.5, side="right"))
    return float(0.5 * (y[order[low]] + y[order[min(high, len(order) - 1)]]))
