"""What memory-based regressors share: all they learn is the table itself."""

import sys
from abc import abstractmethod
from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from thresher.kernels.local import Rule, predictions

__all__ = ["MemoryBasedRegressor", "checked_number", "scale_of"]

FloatArray = NDArray[np.float64]

#: Squares of smaller numbers, and sums of those, are finite.
_HUGE = 1e150


class MemoryBasedRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Keeps the training rows; a subclass says by which rule they predict."""

    @abstractmethod
    def make_rule(self) -> Rule:
        """Return the parameters as kernels take them; a ValueError names a wrong one."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Store the training rows.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_columns)
            Numbers, none missing.
        y : array-like of shape (n_rows,)
            Their target.
        sample_weight : array-like of shape (n_rows,), optional
            What the weights of rows are multiplied by, not negative. A weight of 2 is as if the row
            were there twice, a weight of 0 as if it were absent.

        Returns
        -------
        self : estimator
            The regressor, ready to predict.
        """
        self.make_rule()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        y = np.asarray(y, dtype=np.float64)
        _refuse_huge(X, "X")
        _refuse_huge(y, "y")
        weights = _relative_weights(_check_sample_weight(sample_weight, X, dtype=np.float64))
        present = weights > 0.0
        self._table = np.ascontiguousarray(X[present].T)
        self._target = y[present]
        self._weights = weights[present]
        return self

    def predict(self, X: Any) -> FloatArray:
        """Predict the target of rows.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_columns)
            Numbers, none missing.

        Returns
        -------
        prediction : array of shape (n_rows,)
            One number for each row.
        """
        check_is_fitted(self)
        rule = self.make_rule()
        X = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        _refuse_huge(X, "X")
        predicted: FloatArray = predictions(self._table, self._target, self._weights, X, rule)
        return predicted


def checked_number(name: str, value: Any, *, zero: bool) -> float:
    """Return a parameter that must be finite and not negative, and maybe not zero either."""
    usable = isinstance(value, Real) and not isinstance(value, (bool, np.bool_))
    number = float(value) if usable else np.nan
    if not (0.0 <= number < np.inf) or (number == 0.0 and not zero):
        least = "of at least 0" if zero else "above 0"
        raise ValueError(f"{name} must be a finite number {least}; got {value!r}")
    return number


def scale_of(width: Any) -> float:
    """Return what squared distances are multiplied by in a kernel of this width: 1 / (2 width^2).

    Squares of tiny widths would be zero. At the largest number there is, only ties with the nearest
    row have a weight, which is where tiny widths lead to.

    Examples
    --------
    >>> scale_of(0.5), scale_of(1e-200) < float("inf")
    (2.0, True)
    """
    checked = checked_number("width", width, zero=False)
    return min(0.5 / checked / checked, sys.float_info.max)


def _relative_weights(weights: FloatArray) -> FloatArray:
    if (weights < 0).any():
        raise ValueError("Negative values in sample_weight: weights of rows must not be negative")
    largest = weights.max()
    if not largest > 0:
        raise ValueError("sample_weight is 0 for all rows, so that none is left to predict from")
    return np.asarray(weights / largest)  # so that no sum overflows


def _refuse_huge(values: FloatArray, name: str) -> None:
    largest = np.abs(values).max()
    if largest >= _HUGE:
        raise ValueError(
            f"{name} holds numbers as large as {largest:.3g}, whose squares are not finite; values "
            f"must be below {_HUGE:.0e}"
        )
