"""A target of classes that has been coded already."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Labels"]


class Labels:
    """Classes as whole numbers, and what they stand for.

    Selectors take it in place of an array of labels, and look for no classes of their own, which in
    millions of rows takes a while. To all others it is an array of whole numbers.

    Parameters
    ----------
    codes : int array of shape (n_rows,)
        The class of each row: 0, 1, ...
    names : sequence
        The label of each class.

    Examples
    --------
    >>> labels = Labels(np.array([0, 1, 1]), ["no", "yes"])
    >>> len(labels), labels[1:].codes.tolist(), labels.labels().tolist()
    (3, [1, 1], ['no', 'yes', 'yes'])
    """

    def __init__(self, codes: NDArray[Any], names: Any):
        self.codes = np.asarray(codes, dtype=np.intp)
        self.names = tuple(names)

    def labels(self) -> NDArray[Any]:
        """The label of each row."""
        names = np.empty(len(self.names), dtype=object)
        names[:] = self.names
        return np.asarray(names[self.codes])

    @property
    def shape(self) -> tuple[int, ...]:
        """One number, that of the rows."""
        return self.codes.shape

    @property
    def ndim(self) -> int:
        """1, as of any target."""
        return 1

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Any) -> "Labels":
        return Labels(self.codes[rows], self.names)

    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]:
        if dtype is None or np.dtype(dtype) == self.codes.dtype:
            return self.codes.copy() if copy else self.codes
        return self.codes.astype(dtype)
