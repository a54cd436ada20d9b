"""What the evaluators of naive Bayes learners share."""

import numpy as np
from numpy.typing import NDArray

from ._folds import Fold, Folds
from ._problem import Problem

__all__ = ["class_counts", "is_plain", "rows_by_fold"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


def rows_by_fold(folds: Folds) -> tuple[IntArray, IntArray]:
    """Order the rows so that those tested together are neighbours; and where each one went."""
    when = np.full(folds.n_rows, len(folds))
    for fold in reversed(folds.folds):
        when[fold.test] = fold.index
    order = np.argsort(when, kind="stable")
    position = np.empty_like(order)
    position[order] = np.arange(folds.n_rows)
    return order, position


def class_counts(problem: Problem, fold: Fold) -> FloatArray:
    """Rows of each class (second axis) that a row of each class (first axis) is predicted from."""
    classes, n_classes = problem.target.values, problem.target.n_classes
    rows = slice(None) if fold.train is None else fold.train
    counts = np.tile(np.bincount(classes[rows], minlength=n_classes), (n_classes, 1))
    if fold.train is None:
        counts -= np.eye(n_classes, dtype=counts.dtype)
    return counts.astype(np.float64)


def is_plain(problem: Problem) -> bool:
    """Whether classes are predicted from numbers, none missing, under a per-row loss."""
    return (
        problem.loss is not None
        and problem.loss.for_classification
        and problem.target.classes is not None
        and problem.weights is None
        and problem.columns.is_plain
    )
