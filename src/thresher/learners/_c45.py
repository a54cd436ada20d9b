"""Quinlan's C4.5, release 8."""

from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import (
    check_is_fitted,
    validate_data,
)

from thresher.columns import Columns, is_frame, read_columns
from thresher.kernels._c45_predict import class_probabilities
from thresher.kernels.c45 import grow

from ._c45_coding import code_columns, training_on
from ._c45_pruning import pruned
from ._c45_text import depth_of, text_of
from ._training import training_rows

__all__ = ["C45Classifier"]

FloatArray = NDArray[np.float64]


class C45Classifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Decision tree as grown by Quinlan's C4.5, release 8.

    A node is split by the column with the highest gain ratio, among those whose information gain is
    at least average [1]_. Categories, strings and booleans get a branch for each level, numbers two
    branches at a threshold, which is always a value of the training rows. For having chosen the
    threshold, the logarithm of the number of possible ones, per row, is taken off the gain [2]_.

    A row whose value is missing goes down all branches, in fractions that follow the weights of the
    rows whose value is known; so it does in training and in prediction. A level that did not occur
    in training counts as missing.

    By default the tree grows until no split gains anything, without pruning.

    Parameters
    ----------
    min_samples_leaf : float, default=1
        The weight of rows that at least two branches of a split must have, above 0. A threshold
        must also leave a tenth of the average weight of a class on each side, up to 25.
    collapse : bool, default=False
        Whether to turn nodes into leaves if the subtree below makes no fewer errors on the training
        rows.
    prune : bool, default=False
        Whether to prune by an upper bound of the error of each node: a subtree is replaced by a
        leaf, or by its largest branch, where that does no harm.
    confidence : float, default=0.25
        Level of that bound, above 0 and at most 0.5: the smaller, the more is pruned.
    subtree_raising : bool, default=True
        Whether pruning may put the largest branch in place of its parent.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The classes.
    n_nodes_, n_leaves_ : int
        Nodes of the tree, and those that are leaves.
    depth_ : int
        Most splits between the root and a leaf.
    n_gain_ratios_ : int
        The cost of growing: at each node that might have been split, one for each column.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : array of str
        Their names, where the table has any.

    Notes
    -----
    The trees are those of WEKA's J48 with the options ``-U -O -M 1``; with ``collapse`` those of
    ``-U -M 1``; with ``min_samples_leaf=2, collapse=True, prune=True`` those without options. Other
    than there, values count as different however close they are, levels that do not occur in the
    training rows get no branch, and such levels are missing values when predicting.

    Between splits, differences of less than a millionth count as none; the first of equally good
    ones is taken. The first of equally probable classes is predicted.

    References
    ----------
    .. [1] J. R. Quinlan, *C4.5: Programs for Machine Learning*, Morgan Kaufmann 1993.
    .. [2] J. R. Quinlan, "Improved use of continuous attributes in C4.5", Journal of Artificial
       Intelligence Research 4, 1996.

    Examples
    --------
    >>> import pandas as pd
    >>> from thresher.learners import C45Classifier
    >>> weather = pd.DataFrame({
    ...     "sky": ["sun", "sun", "sun", "sun", "rain", "rain", "rain", None],
    ...     "wind": [2.5, 30.0, 4.0, 35.0, 4.0, 28.0, 3.0, 3.5],
    ... })
    >>> where = ["out", "in", "out", "in", "in", "in", "in", "out"]
    >>> tree = C45Classifier().fit(weather, where)
    >>> print(tree.to_text())
    sky = rain: in (3.43/0.43)
    sky = sun
    |   wind <= 4.0: out (2.57)
    |   wind > 4.0: in (2.0)
    >>> tree.predict_proba(weather[7:]).round(2).tolist()
    [[0.38, 0.62]]
    """

    def __init__(
        self,
        *,
        min_samples_leaf: float = 1,
        collapse: bool = False,
        prune: bool = False,
        confidence: float = 0.25,
        subtree_raising: bool = True,
    ):
        self.min_samples_leaf = min_samples_leaf
        self.collapse = collapse
        self.prune = prune
        self.confidence = confidence
        self.subtree_raising = subtree_raising

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow a tree.

        Parameters
        ----------
        X : array or data frame of shape (n_rows, n_columns)
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
        least, confidence = self.checked_parameters()
        columns = self._columns(X, reset=True)
        columns, self.classes_, classes, weights = training_rows(self, columns, y, sample_weight)
        self._coding, table = code_columns(columns)
        rows, every = np.arange(len(classes)), np.arange(columns.n_columns)
        training = training_on(table, rows, classes, weights, len(self.classes_))
        self._tree, n_judged = grow(table, training, every, least, bool(self.collapse))
        if self.prune:
            self._tree = pruned(
                self._tree, table, training, confidence, raising=bool(self.subtree_raising)
            )
        self._floor = training.floor
        self.n_gain_ratios_ = int(n_judged)
        self.n_nodes_ = len(self._tree.column)
        self.n_leaves_ = int((self._tree.column < 0).sum())
        self.depth_ = depth_of(self._tree)
        return self

    def checked_parameters(self) -> tuple[float, float]:
        """Return the least weight of a branch and the level for pruning, if parameters are right.

        Returns
        -------
        least, confidence : float
            A ValueError names a wrong parameter.
        """
        least, confidence = self.min_samples_leaf, self.confidence
        if not _is_number(least) or not 0.0 < float(least) < np.inf:
            raise ValueError(f"min_samples_leaf must be a finite number above 0; got {least!r}")
        if not _is_number(confidence) or not 0.0 < float(confidence) <= 0.5:
            raise ValueError(
                f"confidence must be a number above 0 and at most 0.5; got {confidence!r}"
            )
        for name in ("collapse", "prune", "subtree_raising"):
            value = getattr(self, name)
            if not isinstance(value, (bool, np.bool_)):
                raise ValueError(f"{name} must be True or False; got {value!r}")
        return float(least), float(confidence)

    def predict_proba(self, X: Any) -> FloatArray:
        """Class shares of the training rows in the leaf that a row comes to.

        Parameters
        ----------
        X : array or data frame of shape (n_rows, n_columns)
            Rows to be classified.

        Returns
        -------
        probability : array of shape (n_rows, n_classes)
            In the order of ``classes_``; a mean over leaves where values are missing.
        """
        check_is_fitted(self)
        columns = self._columns(X, reset=False)
        used = np.unique(self._tree.column)
        used = used[used >= 0]
        place = np.zeros(self.n_features_in_, dtype=np.int64)
        place[used] = np.arange(len(used))
        codes = self._coding.codes(columns, used)
        probability = np.empty((columns.n_rows, len(self.classes_)))
        class_probabilities(
            self._tree,
            codes,
            place,
            self._coding.levels,
            self._coding.starts,
            self._floor,
            np.arange(columns.n_rows),
            probability,
        )
        return probability

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the most probable class of each row.

        Parameters
        ----------
        X : array or data frame of shape (n_rows, n_columns)
            Rows to be classified.

        Returns
        -------
        prediction : array of shape (n_rows,)
            One of ``classes_`` for each row.
        """
        winner = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[winner])

    def to_text(self) -> str:
        """Draw the tree with text.

        Returns
        -------
        text : str
            A line for each branch. At leaves: the class, the weight of the training rows there, and
            that of those of other classes.
        """
        check_is_fitted(self)
        return text_of(self._tree, self._coding, self.classes_)

    def _columns(self, X: Any, *, reset: bool) -> Columns:
        if is_frame(X):
            validate_data(self, X, skip_check_array=True, reset=reset)
        else:
            X = validate_data(self, X, ensure_all_finite="allow-nan", reset=reset)
        return read_columns(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


def _is_number(value: Any) -> bool:
    return isinstance(value, (Real, Integral)) and not isinstance(value, (bool, np.bool_))
