"""What a file becomes, and the one error that reading may end in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Table", "TableError"]


class TableError(ValueError):
    """A file that cannot be read as a table; the message names the file and the place in it."""


@dataclass(frozen=True, eq=False)
class Table:
    """The features and the target read from one file.

    Parameters
    ----------
    X : polars.DataFrame or scipy.sparse.csr_array
        The features in the order of the file; sparse for LIBSVM files, a data frame for all others.
        Missing values of a data frame are null, never NaN.
    y : array of shape (n_rows,)
        The target, without missing values: numbers, bool, or str labels in an object array.
    feature_names : tuple of str
        One name per column of ``X``.
    target_name : str
        The name of the target column; ``"label"`` for LIBSVM files.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> Table(csr_array(np.eye(3)), np.array([0, 1, 1]), ("f1", "f2", "f3"), "label").n_rows
    3
    """

    X: pl.DataFrame | csr_array
    y: NDArray[Any]
    feature_names: tuple[str, ...]
    target_name: str

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(np.shape(self.y)[0])
