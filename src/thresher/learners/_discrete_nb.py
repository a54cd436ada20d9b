"""Naive Bayes on discrete tables, with m-estimates of probabilities."""

import math
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import (
    check_is_fitted,
    validate_data,
)

from thresher.columns import Columns, as_table, is_frame, read_columns
from thresher.kernels.discrete_nb import RULED_OUT
from thresher.kernels.levels import add_levels, count_levels, log_levels

from ._levels import learn_levels
from ._training import training_rows

__all__ = [
    "LARGEST_SUM",
    "SCALE",
    "DiscreteNB",
    "log_prior",
    "m_of",
    "n_bins_of",
    "table_height",
]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Log probabilities are whole numbers of 1 / SCALE. Their sums are exact as long as they are below
#: LARGEST_SUM, and so depend neither on the order of columns nor on how they were added up.
SCALE, LARGEST_SUM = 2.0**40, 2.0**60
_BINNINGS = ("frequency", "width")
_PRIORS = ("frequency", "laplace", "uniform")


class DiscreteNB(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Naive Bayes on discrete columns, with Mitchell's m-estimate.

    The probability of a level within a class is ``(count + m / n_levels) / (known + m)``, where
    ``known`` is the number of training rows of the class whose cell is not missing: as if ``m``
    more rows of the class had been seen, spread evenly over the levels.

    Parameters
    ----------
    m : float or "levels", default=1.0
        Equivalent sample size, the weight of the even spread. "levels" adds one row to each level,
        which is Laplace's estimate. At 0 probabilities are plain frequencies: a level never seen in
        a class rules it out, and where all classes are ruled out, the priors decide.
    n_bins : int, default=10
        Columns of numbers with more distinct values than this are cut into so many bins (fewer, if
        ties forbid it). In others every value is a level.
    binning : {"frequency", "width"}, default="frequency"
        Whether bins hold about equally many training rows or are equally wide.
    prior : {"frequency", "laplace", "uniform"}, default="frequency"
        How probable classes are beforehand: as frequent as in training, the same with one more row
        of each class, or all alike.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The classes.
    class_count_ : array of shape (n_classes,)
        Training rows of each class, or their weight.
    class_log_prior_ : array of shape (n_classes,)
        Log probability of each class beforehand.
    n_levels_ : array of int of shape (n_columns,)
        Levels, or bins, of each column; 0 if it has no known cell.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : array of str
        Their names, where the table has any.

    Notes
    -----
    Missing cells are skipped: they are not counted in training and say nothing in prediction. So
    are levels of a categorical or string column that were not there in training. A number that was
    not there takes the level nearest to it.

    Log probabilities are rounded to multiples of about 1e-12 and added up as whole numbers, so that
    classes that are equally probable tie exactly; then the first one is predicted. No probability
    of a level, unless it is zero, is taken to be smaller than about 5e-20.

    References
    ----------
    T. M. Mitchell, *Machine Learning*, McGraw-Hill 1997, section 6.9.

    Examples
    --------
    >>> import pandas as pd
    >>> from thresher.learners import DiscreteNB
    >>> weather = pd.DataFrame({
    ...     "sky": ["sun", "sun", "rain", "rain", None, "rain"],
    ...     "wind": [2.5, 30.0, 2.0, 35.0, 40.0, 3.0],
    ... })
    >>> model = DiscreteNB().fit(weather, ["out", "in", "in", "in", "in", "out"])
    >>> model.predict_proba(weather[:2]).round(3).tolist()
    [[0.114, 0.886], [0.863, 0.137]]
    """

    def __init__(
        self,
        *,
        m: float | str = 1.0,
        n_bins: int = 10,
        binning: str = "frequency",
        prior: str = "frequency",
    ):
        self.m = m
        self.n_bins = n_bins
        self.binning = binning
        self.prior = prior

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Count levels within classes.

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
        m, n_bins = m_of(self), n_bins_of(self)
        columns = self._columns(X, reset=True)
        columns, self.classes_, classes, weights = training_rows(self, columns, y, sample_weight)
        equal_width = self.binning == "width"
        self._levels, codes = learn_levels(columns, weights, n_bins=n_bins, equal_width=equal_width)
        self.n_levels_ = self._levels.n_levels
        self._offset = np.concatenate([[0], np.cumsum(self.n_levels_)]).astype(np.intp)
        counts = np.zeros((self._offset[-1], len(self.classes_)))
        count_levels(codes, np.arange(len(classes)), classes, weights, self._offset, counts)
        self._set_probabilities(counts, np.bincount(classes, weights).astype(np.float64), m)
        return self

    def _set_probabilities(self, counts: FloatArray, class_count: FloatArray, m: float) -> None:
        self.class_count_ = class_count
        self.class_log_prior_ = log_prior(self.prior, class_count)
        self._scale = SCALE
        height = table_height(m, len(class_count))
        self._table, none = np.empty((height, len(counts)), dtype=np.int64), np.empty(0)
        while True:
            log_levels(counts, self._offset, self.n_levels_, none, m, self._scale, self._table)
            largest = np.abs(self._table).max(initial=0.0)
            if largest * len(self.n_levels_) < LARGEST_SUM:
                return
            self._scale /= 2.0  # there are very many columns

    def predict_joint_log_proba(self, X: Any) -> FloatArray:
        """Log of the probability of each class times that of the row's levels within it.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            Rows to be classified.

        Returns
        -------
        score : array of shape (n_rows, n_classes)
            In the order of ``classes_``.
        """
        scores = self._scores(X).T
        return np.where(scores > -RULED_OUT // 2, scores / self._scale, -np.inf)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the most probable class of each row.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            Rows to be classified.

        Returns
        -------
        prediction : array of shape (n_rows,)
            One of ``classes_`` for each row.
        """
        winner = self._scores(X).argmax(axis=0)
        return np.asarray(self.classes_[winner])

    def predict_log_proba(self, X: Any) -> FloatArray:
        """Logarithms of what `predict_proba` returns.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            Rows to be classified.

        Returns
        -------
        log_probability : array of shape (n_rows, n_classes)
            In the order of ``classes_``.
        """
        scores = self._scores(X).T
        below = scores - scores.max(axis=1, keepdims=True)  # exact, as numbers are whole
        logs = np.where(below > -RULED_OUT // 2, below / self._scale, -np.inf)
        return np.asarray(logs - np.log(np.exp(logs).sum(axis=1, keepdims=True)))

    def predict_proba(self, X: Any) -> FloatArray:
        """Probabilities of the classes of each row.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            Rows to be classified.

        Returns
        -------
        probability : array of shape (n_rows, n_classes)
            In the order of ``classes_``; each row adds up to one.
        """
        return np.exp(self.predict_log_proba(X))

    def _scores(self, X: Any) -> NDArray[np.int64]:
        """Joint log probabilities, (classes, rows), as whole numbers."""
        check_is_fitted(self)
        columns = self._columns(X, reset=False)
        prior = np.rint(self.class_log_prior_ * self._scale).astype(np.int64)
        sums = np.zeros((len(self._table), columns.n_rows), dtype=np.int64)
        add_levels(self._levels.codes(columns), self._table, self._offset, sums)
        scores = prior[:, None] + sums[: len(prior)]
        if len(sums) > len(prior):
            scores = np.where(sums[len(prior) :] > 0, prior[:, None] - RULED_OUT, scores)
        return scores

    def _columns(self, X: Any, *, reset: bool) -> Columns:
        X = as_table(X)
        if is_frame(X):
            validate_data(self, X, reset=reset, skip_check_array=True)
            return read_columns(X)
        kinds = {"accept_sparse": ["csc", "csr"], "ensure_all_finite": False}
        return read_columns(validate_data(self, X, reset=reset, **kinds))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def m_of(learner: DiscreteNB) -> float:
    """Return the equivalent sample size, -1 for "levels"; a ValueError names a wrong parameter."""
    for name, choices in (("binning", _BINNINGS), ("prior", _PRIORS)):
        value = getattr(learner, name)
        if value not in choices:
            raise ValueError(
                f"{name} must be one of {', '.join(map(repr, choices))}; got {value!r}"
            )
    m: Any = learner.m
    if isinstance(m, str) and m == "levels":
        return -1.0
    usable = isinstance(m, Real) and not isinstance(m, (bool, np.bool_))
    if not (usable and 0.0 <= float(m) < np.inf):
        raise ValueError(f"m must be a finite number of at least 0, or 'levels'; got {m!r}")
    return float(m)


def n_bins_of(learner: DiscreteNB) -> int:
    """Return the number of bins, or raise a ValueError."""
    n_bins: Any = learner.n_bins
    if isinstance(n_bins, bool) or not isinstance(n_bins, Integral) or n_bins < 2:
        raise ValueError(f"n_bins must be a whole number of at least 2; got {n_bins!r}")
    return int(n_bins)


def table_height(m: float, n_classes: int) -> int:
    """Rows of a table of log probabilities: with m = 0, a second half marks those that are zero."""
    return 2 * n_classes if m == 0.0 else n_classes


def log_prior(prior: str, class_count: FloatArray) -> FloatArray:
    """Log probabilities of classes beforehand, from their rows (all above 0) in training.

    Examples
    --------
    >>> import numpy as np
    >>> np.exp(log_prior("laplace", np.array([1.0, 5.0]))).tolist()
    [0.25, 0.75]
    """
    count = {"laplace": class_count + 1.0, "uniform": np.ones_like(class_count)}
    shares = count.get(prior, class_count)
    return np.array([math.log(share / shares.sum()) for share in shares])
