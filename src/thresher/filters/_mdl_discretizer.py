"""Numbers cut into levels by Fayyad and Irani's minimum description length."""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from thresher.columns import Columns, as_table, is_frame, read_columns
from thresher.learners._levels import Cuts, refuse_other_kinds
from thresher.parallel import run_on_slices
from thresher.selectors._base import array_columns
from thresher.selectors._parameters import check_parameters
from thresher.selectors._target import target_of

from ._base import tag_any_table
from ._levels import class_codes, cut_by_mdl

__all__ = ["MDLDiscretizer"]

FloatArray = NDArray[np.float64]


class MDLDiscretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Cut numbers into levels where that tells most about the target.

    A column is cut where the classes on either side are purest, and both sides again, as long as
    the information gained is worth the description of the cut and the classes (Fayyad and Irani,
    1993). A column without any cut that is worth it becomes a single level: the discretizer is a
    filter, too.

    Parameters
    ----------
    n_target_bins : int, default=5
        Into how many equally filled bins a numeric target is cut.
    task : {"auto", "classification", "regression"}, default="auto"
        What the target is. "auto" takes labels and few whole numbers for classes.
    n_jobs : int, optional
        Threads. The result does not depend on it.

    Attributes
    ----------
    cut_points_ : list of arrays
        Of each column, in ascending order; a value equal to one is below it. None for columns of
        categories.
    n_levels_ : int array of shape (n_columns,)
        Levels of each column of numbers, one more than its cut points; 0 for other columns, and
        where all cells were missing.
    n_features_in_ : int
        Number of columns.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from thresher.filters import MDLDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> discretizer = MDLDiscretizer().fit(X, y)
    >>> [cuts.round(2).tolist() for cuts in discretizer.cut_points_]
    [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    >>> discretizer.transform(X[:2])
    array([[0., 2., 0., 0.],
           [0., 1., 0., 0.]])
    """

    def __init__(self, *, n_target_bins: int = 5, task: str = "auto", n_jobs: int | None = None):
        self.n_target_bins = n_target_bins
        self.task = task
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> "MDLDiscretizer":
        """Find the cut points.

        Parameters
        ----------
        X : array or data frame of shape (n_rows, n_columns)
            Numbers, with missing cells; columns of categories are left as they are.
        y : array-like of shape (n_rows,)
            The target: classes or numbers.

        Returns
        -------
        self
        """
        check_parameters(self.get_params(deep=False))
        columns = self._columns(X, reset=True)
        target = target_of(y, columns.n_rows, self.task)
        classes = class_codes(target, self.n_target_bins)
        self.cut_points_: list[FloatArray | None] = [None] * columns.n_columns
        self.n_levels_ = np.zeros(columns.n_columns, dtype=np.intp)
        self._labels = frozenset(np.flatnonzero(columns.has_levels).tolist())
        numbers = self._numbers

        def cut(part: slice) -> None:
            for positions, block in columns.numeric_blocks(numbers[part]):
                cuts = cut_by_mdl(np.ascontiguousarray(block.T), classes)
                self.n_levels_[positions] = cuts.n_levels
                for k, p in enumerate(positions.tolist()):
                    self.cut_points_[p] = cuts.edges[k, : max(0, cuts.n_levels[k] - 1)].copy()

        run_on_slices(cut, len(numbers), self.n_jobs)
        return self

    def transform(self, X: Any) -> Any:
        """Replace numbers by the number of their level, 0, 1, ...; missing cells stay missing.

        Parameters
        ----------
        X : array or data frame
            With the columns seen in ``fit``.

        Returns
        -------
        array or data frame
            As the table was; in a data frame, columns of categories are as they were.
        """
        check_is_fitted(self)
        columns = self._columns(X, reset=False)
        known = np.ones(columns.n_columns, dtype=np.bool_)
        refuse_other_kinds(self._labels, known, columns)
        levels = np.full((columns.n_rows, columns.n_columns), np.nan)
        for positions, block in columns.numeric_blocks(self._numbers):
            for k, p in enumerate(positions.tolist()):
                levels[:, p] = self._levels(p, block[:, k])
        if not is_frame(columns.table):
            return levels
        frame = nw.from_native(columns.table, eager_only=True)
        names = frame.columns  # listing them takes a while
        made = [
            nw.new_series(names[p], levels[:, p], backend=frame.implementation)
            for p in self._numbers
        ]
        return frame.with_columns(*made).to_native() if made else frame.to_native()

    @property
    def _numbers(self) -> list[int]:
        return [p for p in range(len(self.n_levels_)) if p not in self._labels]

    def _levels(self, position: int, values: FloatArray) -> FloatArray:
        points = self.cut_points_[position]
        assert points is not None  # only columns of categories have none
        cuts = Cuts(points[None, :], np.array([len(points) + 1]))
        codes = cuts.codes(np.ascontiguousarray(values)[None, :])[0].astype(np.float64)
        return np.where(np.isnan(values), np.nan, codes)

    def _columns(self, X: Any, *, reset: bool) -> Columns:
        X = as_table(X)
        if is_frame(X):
            columns = read_columns(X)
            validate_data(self, X, skip_check_array=True, reset=reset)
            return columns
        return array_columns(self, X, reset=reset)

    def __sklearn_tags__(self) -> Any:
        tags = tag_any_table(super().__sklearn_tags__())
        tags.target_tags.required = True
        return tags
