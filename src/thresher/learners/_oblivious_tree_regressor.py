"""Oblivious trees that predict numbers."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin

from ._oblivious import BaseObliviousTree
from ._training import training_numbers

__all__ = ["ObliviousTreeRegressor"]

FloatArray = NDArray[np.float64]


class ObliviousTreeRegressor(RegressorMixin, BaseObliviousTree):  # type: ignore[misc]
    """Oblivious tree over all columns that predicts the mean target of the nearest leaf.

    Training rows that are equal share a leaf. If several leaves are nearest to a row, or are its
    own, all their training rows make up the mean.

    Attributes
    ----------
    n_leaves_ : int
        Distinct training rows.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : array of str
        Their names, where the table has any.

    See Also
    --------
    ObliviousTree : The same for classes; its notes tell what distances are.

    Examples
    --------
    >>> from thresher.learners import ObliviousTreeRegressor
    >>> X, y = [[0.0], [1.0], [1.0], [3.0]], [5.0, 10.0, 20.0, 30.0]
    >>> ObliviousTreeRegressor().fit(X, y).predict([[0.0], [1.0], [2.0], [99.0]]).tolist()
    [5.0, 15.0, 20.0, 30.0]
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Sum up the targets of each distinct row.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            Numbers; in a data frame also booleans, categories and strings. Cells may be missing.
        y : array-like of shape (n_rows,)
            Their target.
        sample_weight : array-like of shape (n_rows,), optional
            What each row counts, not negative. A weight of 2 is as if the row were there twice, a
            weight of 0 as if it were absent.

        Returns
        -------
        self : estimator
            The regressor, ready to predict.
        """
        columns = self._columns(X, reset=True)
        columns, values, weights = training_numbers(self, columns, y, sample_weight)
        # sums of huge targets would be infinite
        self._scale = max(1.0, float(np.abs(values).max()) / 1e150)
        self._grow(columns, np.column_stack([weights, weights * (values / self._scale)]))
        return self

    def predict(self, X: Any) -> FloatArray:
        """Predict the mean of the nearest training rows.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            Rows to be predicted.

        Returns
        -------
        prediction : array of shape (n_rows,)
            One number for each row.
        """
        sums = self._nearest(X)
        return np.asarray(sums[:, 1] / sums[:, 0] * self._scale)
