"""What perceptrons share: a plane between classes, learned row by row from scaled columns."""

from abc import abstractmethod
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from thresher.kernels.perceptron import (
    Rule,
    chosen_classes,
    column_scales,
    decisions,
    scaled_rows,
    train,
)

__all__ = ["PerceptronClassifier", "checked_count", "checked_switch"]

FloatArray = NDArray[np.float64]

#: Squares of smaller numbers, and sums of those, are finite.
_HUGE = 1e150


class PerceptronClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A plane between two classes, or one around each of several; a subclass says how to learn."""

    random_state: Any

    @abstractmethod
    def make_rule(self) -> Rule:
        """Return the parameters as kernels take them; a ValueError names a wrong one."""

    def make_seed(self) -> np.uint64:
        """Draw the seed of one fit from ``random_state``."""
        try:
            generator = check_random_state(self.random_state)
        except ValueError as error:
            raise ValueError(f"random_state: {error}") from error
        return np.uint64(generator.randint(0, 2**32, dtype=np.uint64))

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the weights.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_columns)
            Numbers, none missing.
        y : array-like of shape (n_rows,)
            Labels of at least two classes.

        Returns
        -------
        self : estimator
            The classifier, ready to predict.
        """
        rule = self.make_rule()
        seed = self.make_seed()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, classes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"y has only 1 class, {self.classes_.tolist()[0]!r}; expected at least 2"
            )
        X = _plain(X)
        self._centre, self._scale = column_scales(X, np.arange(len(X)))
        rows = self._rows(X)
        self._weights = train(rows, classes, len(self.classes_), rule, seed)
        self._publish()
        self.n_iter_ = rule.n_epochs
        self.n_updates_ = rule.n_epochs * len(X) * (X.shape[1] + 1) * len(self._weights)
        return self

    def decision_function(self, X: Any) -> FloatArray:
        """Return how far rows are on the positive side of the plane, in scaled units.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_columns)
            Numbers, none missing.

        Returns
        -------
        distance : array of shape (n_rows,) or (n_rows, n_classes)
            The former for two classes, where the second one is on the positive side.
        """
        sums = self._sums(X)
        return sums[:, 0] if len(self.classes_) == 2 else sums

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of rows.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_columns)
            Numbers, none missing.

        Returns
        -------
        label : array of shape (n_rows,)
            That of the plane on whose positive side a row is farthest.
        """
        sums = self._sums(X)
        return np.asarray(self.classes_[chosen_classes(sums)])

    def _sums(self, X: Any) -> FloatArray:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        sums: FloatArray = decisions(self._rows(_plain(X)), self._weights)
        return sums

    def _rows(self, X: FloatArray) -> FloatArray:
        every = np.arange(X.shape[1])
        rows: FloatArray = scaled_rows(X, np.arange(len(X)), every, self._centre, self._scale)
        return rows

    def _publish(self) -> None:
        """Express the weights in units of the columns."""
        flat = self._weights.reshape(len(self._weights), -1)
        n_columns = len(self._scale)
        scale = np.where(self._scale > 0.0, self._scale, 1.0)
        self.coef_ = flat[:, :n_columns] / scale
        self.intercept_ = flat[:, n_columns] - self.coef_ @ self._centre


def checked_count(name: str, value: Any) -> int:
    """Return a parameter that must be a whole number of at least 1."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise ValueError(f"{name} must be a whole number of at least 1; got {value!r}")
    return int(value)


def checked_switch(name: str, value: Any) -> bool:
    """Return a parameter that must be True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False; got {value!r}")
    return bool(value)


def _plain(X: FloatArray) -> FloatArray:
    """Return the table as kernels take it, or refuse it."""
    largest = np.abs(X).max()
    if largest >= _HUGE:
        raise ValueError(
            f"X holds numbers as large as {largest:.3g}, whose squares are not finite; values must "
            f"be below {_HUGE:.0e}"
        )
    return np.require(X, requirements=["C", "W"])
