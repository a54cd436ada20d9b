"""What oblivious trees for classes and for numbers share: leaves, and the nearest ones."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from thresher.columns import Columns, as_table, is_frame, read_columns
from thresher.kernels._oblivious_distances import Coded
from thresher.kernels.oblivious import leaf_sums

from ._oblivious_coding import CodeArray, as_queries, learn_coding, steps_of

__all__ = ["BaseObliviousTree", "coded_rows"]

FloatArray = NDArray[np.float64]


class BaseObliviousTree(BaseEstimator):  # type: ignore[misc]
    """A leaf for each distinct row; a subclass says what leaves know and predict."""

    def _grow(self, columns: Columns, sums: FloatArray) -> None:
        """Make the leaves.

        Parameters
        ----------
        columns : Columns
            The training rows.
        sums : array of shape (n_rows, n_sums)
            What each of them adds to its leaf.
        """
        self._coding, codes = learn_coding(columns)
        rows, leaf = np.unique(codes.T, axis=0, return_inverse=True)
        self._sums = np.zeros((len(rows), sums.shape[1]))
        np.add.at(self._sums, leaf.reshape(-1), sums)
        self._leaves = np.ascontiguousarray(rows.T)
        self.n_leaves_ = len(rows)

    def _nearest(self, X: Any) -> FloatArray:
        """Sums over the leaves nearest to each row of a table."""
        check_is_fitted(self)
        columns = self._columns(X, reset=False)
        points = np.ascontiguousarray(as_queries(self._coding.codes(columns)).T)
        found: FloatArray = leaf_sums(
            coded_rows(self._leaves, self._coding.nominal), points, self._sums
        )
        return found

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


def coded_rows(codes: CodeArray, nominal: NDArray[np.bool_]) -> Coded:
    """Training rows as kernels take them, where none is to be left out."""
    none = np.full((2, len(codes)), -1, dtype=np.intp)
    nothing = np.empty((0, codes.shape[1]), dtype=np.int32)
    return Coded(codes, steps_of(nominal), none, none, nothing)
