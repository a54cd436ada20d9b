"""The rows that a learner of messy tables learns from, checked."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, _check_y, check_consistent_length

from thresher.columns import Columns, read_columns

__all__ = ["training_numbers", "training_rows"]

FloatArray = NDArray[np.float64]


def training_rows(
    learner: Any, columns: Columns, y: Any, sample_weight: Any
) -> tuple[Columns, NDArray[Any], NDArray[np.intp], FloatArray]:
    """Return the rows that count, all classes, the class of each row, and what it counts.

    Parameters
    ----------
    learner : classifier
        Named in errors.
    columns : Columns
        The table.
    y : array-like of shape (n_rows,)
        The classes.
    sample_weight : array-like of shape (n_rows,), optional
        Not negative; rows of weight 0 are left out.
    """
    _refuse_no_target(learner, y)
    y = _check_y(y, estimator=learner)
    check_classification_targets(y)
    columns, y, weights = _present_rows(columns, y, sample_weight)
    classes, codes = np.unique(y, return_inverse=True)
    return columns, classes, codes, weights


def training_numbers(
    learner: Any, columns: Columns, y: Any, sample_weight: Any
) -> tuple[Columns, FloatArray, FloatArray]:
    """Return the rows that count, the target of each row, and what it counts.

    Parameters
    ----------
    learner : regressor
        Named in errors.
    columns : Columns
        The table.
    y : array-like of shape (n_rows,)
        Numbers.
    sample_weight : array-like of shape (n_rows,), optional
        Not negative; rows of weight 0 are left out.
    """
    _refuse_no_target(learner, y)
    y = _check_y(y, y_numeric=True, estimator=learner)
    columns, y, weights = _present_rows(columns, y, sample_weight)
    return columns, np.asarray(y, dtype=np.float64), weights


def _refuse_no_target(learner: Any, y: Any) -> None:
    if y is None:
        name = type(learner).__name__
        raise ValueError(f"{name} requires y to be passed, but the target y is None")


def _present_rows(
    columns: Columns, y: NDArray[Any], sample_weight: Any
) -> tuple[Columns, NDArray[Any], FloatArray]:
    check_consistent_length(columns.table, y)
    if sample_weight is None:
        return columns, y, np.ones(len(y))
    weights = _checked_weights(sample_weight, columns)
    present = np.flatnonzero(weights > 0.0)
    if len(present) < len(y):
        columns = read_columns(columns.take(range(columns.n_columns), present))
        y, weights = y[present], weights[present]
    return columns, y, weights


def _checked_weights(sample_weight: Any, columns: Columns) -> FloatArray:
    weights: FloatArray = _check_sample_weight(sample_weight, columns.table, dtype=np.float64)
    if (weights < 0).any():
        raise ValueError("Negative values in sample_weight: weights of rows must not be negative")
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not 0.0 < total < np.inf:
        raise ValueError(f"sample_weight must add up to a finite number above 0; got {total}")
    return weights
