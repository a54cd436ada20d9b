"""What all selectors share: intake of tables, ``transform`` that keeps their type, tags."""

import warnings
from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.dependencies import is_polars_dataframe, is_pyarrow_table
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import get_tags
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted, validate_data

from thresher.columns import Columns, as_array, as_table, is_frame, read_columns, with_groups

__all__ = ["BaseSelector", "array_columns", "holds_objects"]


class BaseSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """A selector over typed columns; subclasses set ``support_`` and the rest in ``fit``."""

    feature_groups: Any
    keep: Any
    support_: NDArray[np.bool_]
    _saw_missing: bool = False

    def _columns(self, X: Any) -> Columns:
        """Check a table as scikit-learn does, and type its columns."""
        X = as_table(X)
        if isinstance(X, Columns):
            columns = X
            self.n_features_in_ = X.n_columns
            self.feature_names_in_ = np.array(X.names, dtype=object)
        elif is_frame(X):
            columns = read_columns(X)
            validate_data(self, X, skip_check_array=True)
        else:
            columns = array_columns(self, X)
        _refuse_all_constant(columns)
        self._saw_missing = bool(columns.n_missing.any())
        return with_groups(columns, self.feature_groups, self.keep)

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def transform(self, X: Any) -> Any:
        """Reduce a table to the selected columns; a data frame stays a data frame.

        Parameters
        ----------
        X : array, sparse matrix or data frame
            With the columns seen in ``fit``.
        """
        check_is_fitted(self)
        X = as_table(X)
        # a column that is missing altogether is dropped, so that any estimator takes the rest
        if not is_frame(X) and not self._saw_missing:
            return super().transform(X)
        if not self.support_.any():  # in scikit-learn's own words
            warnings.warn(
                "No features were selected: either the data is too noisy or the selection test too "
                "strict.",
                UserWarning,
                stacklevel=3,  # past scikit-learn's wrapper of transform
            )
        found = self._some_columns(X, [np.flatnonzero(self.support_)])[0]
        if _get_output_config("transform", self)["dense"] == "pandas" and is_pyarrow_table(found):
            return found.to_pandas()  # scikit-learn knows nothing of pyarrow
        return found

    def _some_columns(
        self, X: Any, subsets: Sequence[NDArray[np.intp]], *, to_predict: bool = False
    ) -> list[Any]:
        """Take parts of a table with the columns seen in ``fit``, each of the table's own type.

        What is there ``to_predict`` has dates as numbers, as estimators got them in ``fit``.
        """
        X = as_table(X)
        if isinstance(X, Columns):
            X = X.table
        if is_frame(X):
            validate_data(self, X, reset=False, skip_check_array=True)
            if to_predict:
                X = read_columns(X).table
            return [_part_of_frame(X, subset) for subset in subsets]
        finite: Any = False
        if to_predict:
            gaps = self._saw_missing or get_tags(self).input_tags.allow_nan
            finite = "allow-nan" if gaps else True
        X = validate_data(
            self, X, accept_sparse="csc", ensure_all_finite=finite, dtype=None, reset=False
        )
        return [X[:, subset] for subset in subsets]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _part_of_frame(frame: Any, subset: NDArray[np.intp]) -> Any:
    """Cut a data frame down to some columns; without any, it keeps its rows where it can."""
    if hasattr(frame, "iloc"):
        return frame.iloc[:, subset]
    if not len(subset) and is_pyarrow_table(frame):
        return frame.select([])
    if not len(subset) and is_polars_dataframe(frame):
        return frame.drop(frame.columns)
    return nw.from_native(frame, eager_only=True)[:, subset.tolist()].to_native()


def array_columns(estimator: Any, X: Any, *, reset: bool = True) -> Columns:
    """Check an array or sparse matrix as scikit-learn does, and type its columns."""
    # objects stay as they are: whoever turns them into numbers column by column can name one
    dtype = None if holds_objects(X) else "numeric"
    return read_columns(
        validate_data(
            estimator, X, accept_sparse=["csc", "csr"], ensure_all_finite=False, dtype=dtype,
            reset=reset,
        )
    )  # fmt: skip


def holds_objects(X: Any) -> bool:
    """Whether an array holds Python objects, or a list would become such an array."""
    if not isinstance(X, (list, tuple)):
        return getattr(getattr(X, "dtype", None), "kind", "") == "O"
    return as_array(X).dtype.kind == "O"


def _refuse_all_constant(columns: Columns) -> None:
    if columns.n_rows > 1 and columns.constant.all():
        raise ValueError(
            f"all {columns.n_columns} column(s) of X are constant (n_samples = {columns.n_rows}): "
            "there is nothing to select from"
        )
