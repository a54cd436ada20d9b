"""Lazy learning: for each query the local model that leaving one out says is best."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from thresher.columns import Columns, as_table, is_frame, listed, read_columns
from thresher.kernels.lazy import Rule, predictions
from thresher.kernels.scales import column_factors
from thresher.parallel import effective_n_jobs, run_in_threads, slices

from ._lazy_table import HUGE, read_table, too_large
from ._memory_based import checked_number
from ._training import training_numbers

__all__ = ["LazyDetails", "LazyRegressor"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

_MODELS = ("constant", "linear", "quadratic")
_LEAST_RIDGE = 1e-6
_NO_LIMIT = 2**62


@dataclass(frozen=True, eq=False)
class LazyDetails:
    """What a `LazyRegressor` predicted, and by which local model.

    Attributes
    ----------
    prediction : array of shape (n_rows,)
        What ``predict`` returns.
    n_neighbors : array of int of shape (n_rows,)
        Neighbours of the best model.
    model : array of str of shape (n_rows,)
        Its kind.
    loo_error : array of shape (n_rows,)
        Its mean squared error on these neighbours, each predicted without itself. NaN if there was
        one training row only.
    """

    prediction: FloatArray
    n_neighbors: IntArray
    model: NDArray[np.str_]
    loo_error: FloatArray


class LazyRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Lazy learning: local models of several kinds and sizes, the best for each query.

    Nothing is learned until a prediction is wanted. Then local models are fitted to the nearest
    training rows, from few to many of them, row by row with recursive least squares, which gives
    the leave-one-out error of each size at almost no cost [1]_ [2]_. The model with the least error
    predicts, or the best few together [3]_.

    Parameters
    ----------
    models : sequence of {"constant", "linear", "quadratic"}
        The kinds of models to try: means, planes, and planes with squares of the columns.
    neighbors_per_coefficient : tuple of two floats, default=(1.5, 5.0)
        How many neighbours a model has, from the smallest to the largest, for each of its
        coefficients (the intercept is one). The smallest has at least 3, the largest at least 15.
        A kind of model whose smallest is larger than the table is left out; if none is left, the
        mean of all rows predicts.
    max_neighbors : int, optional
        No model has more neighbours than this; at least 2. No limit by default.
    n_combined : int, default=20
        How many of the best models, of all kinds and sizes, predict together. Their weights are the
        inverse of their errors.
    ridge : float, default=0.001
        What is added to the sum of squares of each column among the neighbours: it keeps slopes
        small where neighbours do not determine them. At least 1e-6. The intercept is not penalised.
    products : bool, default=False
        Whether quadratic models have products of different columns, too.
    n_jobs : int, optional
        Threads that predict. The result is the same for any number.

    Attributes
    ----------
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, if the table had any.

    See Also
    --------
    LocallyWeightedRegressor : One plane for each query; all rows count, near ones more.

    Notes
    -----
    Numbers are divided by their standard deviation in the training rows. Distances are Euclidean;
    of rows that are equally far, the first in the table are nearer. Two different categories are as
    far apart as makes two random training rows differ as much, on average, as in a column of
    numbers; in models, a categorical column says whether a row has the query's category. A missing
    cell, or a category that was not there in training, counts as the average difference in
    distances and says nothing in models. Columns without any known cell in training are left out.
    Differences of more than a million standard deviations count as a million in models. Where all
    rows are equally far, because they are equal or all cells of the query are missing, their mean
    predicts.

    Of models with the same error, the smaller one is better, and then the simpler kind. Quadratic
    models of categorical columns alone are linear, and are tried only if linear ones are not.

    References
    ----------
    .. [1] M. Birattari, G. Bontempi and H. Bersini, "Lazy learning meets the recursive least
       squares algorithm", Advances in Neural Information Processing Systems 11, 1999.
    .. [2] G. Bontempi, M. Birattari and P. E. Meyer, "Combining lazy learning, racing and
       subsampling for effective feature selection", Adaptive and Natural Computing Algorithms,
       2005.
    .. [3] G. Bontempi, M. Birattari and H. Bersini, "Lazy learning for local modelling and control
       design", International Journal of Control 72, 1999.

    Examples
    --------
    >>> import numpy as np
    >>> from thresher.learners import LazyRegressor
    >>> X = np.linspace(0, 1, 41)[:, None]
    >>> model = LazyRegressor().fit(X, (X[:, 0] - 0.5) ** 2)
    >>> model.predict([[0.2], [0.5]]).round(3).tolist()
    [0.09, 0.0]
    >>> model.predict_details([[0.2]]).model.tolist()
    ['quadratic']
    """

    def __init__(
        self,
        models: Sequence[str] = _MODELS,
        *,
        neighbors_per_coefficient: tuple[float, float] = (1.5, 5.0),
        max_neighbors: int | None = None,
        n_combined: int = 20,
        ridge: float = 0.001,
        products: bool = False,
        n_jobs: int | None = None,
    ):
        self.models = models
        self.neighbors_per_coefficient = neighbors_per_coefficient
        self.max_neighbors = max_neighbors
        self.n_combined = n_combined
        self.ridge = ridge
        self.products = products
        self.n_jobs = n_jobs

    def make_rule(self) -> Rule:
        """Return the parameters as kernels take them; a ValueError names a wrong one."""
        effective_n_jobs(self.n_jobs)
        chosen = _checked_models(self.models)
        fewest, most = _checked_range(self.neighbors_per_coefficient)
        limit: Any = _NO_LIMIT if self.max_neighbors is None else self.max_neighbors
        if not isinstance(self.products, (bool, np.bool_)):
            raise ValueError(f"products must be True or False; got {self.products!r}")
        ridge = checked_number("ridge", self.ridge, zero=False)
        if ridge < _LEAST_RIDGE:
            raise ValueError(f"ridge must be at least {_LEAST_RIDGE}; got {self.ridge!r}")
        return Rule(
            constant="constant" in chosen,
            linear="linear" in chosen,
            quadratic="quadratic" in chosen,
            products=bool(self.products),
            fewest=fewest,
            most=most,
            max_neighbours=_checked_count("max_neighbors", limit, least=2),
            n_combined=_checked_count("n_combined", self.n_combined, least=1),
            ridge=ridge,
        )

    def fit(self, X: Any, y: Any) -> Self:
        """Store the training rows.

        Parameters
        ----------
        X : array or data frame of shape (n_rows, n_columns)
            Numbers; in a data frame also booleans, categories and strings. Cells may be missing.
        y : array-like of shape (n_rows,)
            Their target.

        Returns
        -------
        self : estimator
            The regressor, ready to predict.
        """
        self.make_rule()
        columns = self._columns(X, reset=True)
        _, target, _ = training_numbers(self, columns, y, None)
        if np.abs(target).max() >= HUGE:
            raise ValueError(_too_large("y holds", target))
        self._table = read_table(columns)
        _refuse_huge(self._table.values, columns)
        self._target = target.copy()  # what the user has may be read-only, or change later
        everything = np.arange(columns.n_columns)
        values, n_levels = self._table.values, self._table.n_levels
        self._factors = column_factors(values, n_levels, everything, np.array([-1]))
        return self

    def predict(self, X: Any) -> FloatArray:
        """Predict the target of rows.

        Parameters
        ----------
        X : array or data frame of shape (n_rows, n_columns)
            Rows with the columns that were there in training.

        Returns
        -------
        prediction : array of shape (n_rows,)
            One number for each row.
        """
        return self.predict_details(X).prediction

    def predict_details(self, X: Any) -> LazyDetails:
        """Predict the target of rows, and tell by which models.

        Parameters
        ----------
        X : array or data frame of shape (n_rows, n_columns)
            Rows with the columns that were there in training.

        Returns
        -------
        details : LazyDetails
            Predictions; kind, size and leave-one-out error of the best model of each row.
        """
        check_is_fitted(self)
        rule = self.make_rule()
        columns = self._columns(X, reset=False)
        coded = self._table.coded(columns)
        _refuse_huge(coded, columns)
        queries = np.ascontiguousarray(coded.T)
        parts = slices(len(queries), effective_n_jobs(self.n_jobs))
        known = (self._table.values, self._table.n_levels > 0, self._target)
        tasks = [(*known, queries[part], self._factors, rule) for part in parts]
        found = zip(*run_in_threads(predictions, tasks, self.n_jobs), strict=True)
        prediction, sizes, kinds, errors = (np.concatenate(pieces) for pieces in found)
        return LazyDetails(prediction, sizes, np.array(_MODELS)[kinds], errors)

    def _columns(self, X: Any, *, reset: bool) -> Columns:
        X = as_table(X)
        if is_frame(X):
            validate_data(self, X, reset=reset, skip_check_array=True)
            return read_columns(X)
        return read_columns(validate_data(self, X, reset=reset, ensure_all_finite=False))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _checked_models(models: Any) -> frozenset[str]:
    chosen = [] if isinstance(models, str) or not np.iterable(models) else list(models)
    if not chosen or any(model not in _MODELS for model in chosen):
        raise ValueError(f"models must be some of {', '.join(map(repr, _MODELS))}; got {models!r}")
    return frozenset(chosen)


def _checked_range(bounds: Any) -> tuple[float, float]:
    pair = list(bounds) if np.iterable(bounds) and not isinstance(bounds, str) else []
    usable = all(isinstance(b, Real) and not isinstance(b, (bool, np.bool_)) for b in pair)
    numbers = [float(b) for b in pair] if usable else []
    if len(numbers) != 2 or not 0.0 < numbers[0] <= numbers[1] < np.inf:
        raise ValueError(
            "neighbors_per_coefficient must be two finite numbers above 0, the smaller one first; "
            f"got {bounds!r}"
        )
    return numbers[0], numbers[1]


def _checked_count(name: str, value: Any, *, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}; got {value!r}")
    return min(int(value), _NO_LIMIT)


def _refuse_huge(values: FloatArray, columns: Columns) -> None:
    found = too_large(values)
    if len(found):
        names = listed([columns.names[p] for p in found])
        raise ValueError(_too_large(f"column(s) {names} hold", values[found]))


def _too_large(start: str, values: FloatArray) -> str:
    largest = np.nanmax(np.abs(values))
    return (
        f"{start} numbers as large as {largest:.3g}, whose squares are not finite; values must be "
        f"below {HUGE:.0e}"
    )
