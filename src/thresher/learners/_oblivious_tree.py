"""Oblivious decision trees: all nodes of a level test the same column."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from ._oblivious import BaseObliviousTree
from ._training import training_rows

__all__ = ["ObliviousTree"]

FloatArray = NDArray[np.float64]


class ObliviousTree(ClassifierMixin, BaseObliviousTree):  # type: ignore[misc]
    """Oblivious decision tree over all columns: one leaf for each distinct row.

    A row is predicted by the classes of the training rows in its leaf. If its leaf is empty, all
    the nearest leaves are put together [1]_. So the tree is a nearest-neighbour classifier in which
    all rows at the smallest distance vote; what makes it a tree is that a column can be sliced out
    (see `thresher.Oblivion`).

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The classes.
    class_count_ : array of shape (n_classes,)
        Training rows of each class, or their weight.
    n_leaves_ : int
        Distinct training rows.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : array of str
        Their names, where the table has any.

    See Also
    --------
    ObliviousTreeRegressor : The same for numbers.
    thresher.Oblivion : Selects columns for it.

    Notes
    -----
    The distance between two rows is a sum over columns, each of which counts 0 to 1. Categories,
    strings and booleans differ or do not. Numbers differ by their distance as a share of the range
    in training, so that columns of 0 and 1 count as booleans; a number beyond the range counts as
    its end. A missing value differs from everything, also from another one, by 1, as does a level
    that was not there in training. A column that is constant in training adds nothing, unless
    something is missing.

    Shares are rounded to multiples of about a millionth and added up as whole numbers. Equal
    distances are therefore exactly equal, whatever the order of columns.

    Of classes with equally many votes, the one with more training rows is predicted, then the
    first.

    References
    ----------
    .. [1] P. Langley and S. Sage, "Scaling to domains with irrelevant features", in *Computational
       Learning Theory and Natural Learning Systems* IV, MIT Press 1997.

    Examples
    --------
    >>> import pandas as pd
    >>> from thresher.learners import ObliviousTree
    >>> weather = pd.DataFrame({
    ...     "sky": ["sun", "sun", "rain", "rain", "rain"],
    ...     "wind": ["calm", "storm", "calm", "storm", "calm"],
    ... })
    >>> tree = ObliviousTree().fit(weather, ["out", "in", "in", "in", "out"])
    >>> tree.n_leaves_
    4
    >>> new = pd.DataFrame({"sky": ["rain", "snow"], "wind": ["calm", "storm"]})
    >>> tree.predict_proba(new).tolist()  # in, out; the second row is as near to two leaves
    [[0.5, 0.5], [1.0, 0.0]]
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Count the classes of each distinct row.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            Numbers; in a data frame also booleans, categories and strings. Cells may be missing.
        y : array-like of shape (n_rows,)
            Their classes.
        sample_weight : array-like of shape (n_rows,), optional
            What each row counts, not negative. A weight of 2 is as if the row were there twice, a
            weight of 0 as if it were absent.

        Returns
        -------
        self : estimator
            The classifier, ready to predict.
        """
        columns = self._columns(X, reset=True)
        columns, self.classes_, classes, weights = training_rows(self, columns, y, sample_weight)
        votes = np.zeros((len(classes), len(self.classes_)))
        votes[np.arange(len(classes)), classes] = weights
        self.class_count_ = np.bincount(classes, weights).astype(np.float64)
        self._grow(columns, votes)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class with the most votes.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            Rows to be classified.

        Returns
        -------
        prediction : array of shape (n_rows,)
            One of ``classes_`` for each row.
        """
        votes = self._nearest(X)
        most = votes == votes.max(axis=1, keepdims=True)
        winner = np.where(most, self.class_count_, -1.0).argmax(axis=1)
        return np.asarray(self.classes_[winner])

    def predict_proba(self, X: Any) -> FloatArray:
        """Shares of the classes in the nearest leaves.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            Rows to be classified.

        Returns
        -------
        probability : array of shape (n_rows, n_classes)
            In the order of ``classes_``; each row adds up to one.
        """
        votes = self._nearest(X)
        return np.asarray(votes / votes.sum(axis=1, keepdims=True))
