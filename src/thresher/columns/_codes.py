"""A matrix of uint8 codes, in memory or in a file that is mapped when somebody looks at it."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Codes"]

IntArray = NDArray[np.intp]
CodeArray = NDArray[np.uint8]


class Codes:
    """Columns of codes, one after the other.

    What is sent to another process is the name of the file and which of its columns, never their
    content: workers on the same file system open it themselves.

    Parameters
    ----------
    n_columns, n_rows : int
        How many columns the whole matrix has, and how long they are.
    array : uint8 array of shape (n_columns, n_rows), optional
        The codes; or else
    path : str or path, optional
        a file with nothing but them, column after column.
    positions : sequence of int, optional
        Which columns, in this order; all of them by default.
    keeper : object, optional
        Kept alive as long as the codes are: whoever removes a temporary file.

    Examples
    --------
    >>> codes = Codes(2, 3, array=np.array([[0, 1, 2], [3, 3, 4]], dtype=np.uint8))
    >>> codes.column(1).tolist(), codes.gather(np.array([0, 2])).tolist()
    ([3, 3, 4], [[0, 2], [3, 4]])
    """

    def __init__(
        self,
        n_columns: int,
        n_rows: int,
        *,
        array: CodeArray | None = None,
        path: str | os.PathLike[str] | None = None,
        positions: Sequence[int] | IntArray | None = None,
        keeper: Any = None,
    ):
        self._whole = (int(n_columns), int(n_rows))
        self._array = array
        self.path = None if path is None else os.path.abspath(os.fspath(path))
        chosen = np.arange(n_columns) if positions is None else positions
        self.positions: IntArray = np.asarray(chosen, dtype=np.intp)
        self._keeper = keeper

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, as a table has them."""
        return self._whole[1], len(self.positions)

    def take(self, columns: IntArray) -> "Codes":
        """Some of the columns; nothing is copied."""
        return Codes(
            *self._whole, array=self._array, path=self.path,
            positions=self.positions[columns], keeper=self._keeper,
        )  # fmt: skip

    def column(self, j: int) -> CodeArray:
        """The codes of one column; not to be written to."""
        own: CodeArray = self._matrix[int(self.positions[j])]
        return own

    def neighbours(self) -> CodeArray | None:
        """The codes of all columns, (columns, rows), if they lie side by side: without a copy."""
        if not len(self.positions) or (np.diff(self.positions) != 1).any():
            return None
        first = int(self.positions[0])
        return self._matrix[first : first + len(self.positions)]

    def gather(self, rows: IntArray | None = None, columns: IntArray | None = None) -> CodeArray:
        """Copy some rows (of some columns) into memory: an array (columns, rows)."""
        chosen = self.positions if columns is None else self.positions[columns]
        n_rows = self._whole[1] if rows is None else len(rows)
        out = np.empty((len(chosen), n_rows), dtype=np.uint8)
        for own, p in zip(out, chosen.tolist(), strict=True):
            if rows is None:
                own[:] = self._matrix[p]
            else:
                np.take(self._matrix[p], rows, out=own)
        return out

    @property
    def _matrix(self) -> CodeArray:
        if self._array is None:
            assert self.path is not None
            mapped = np.memmap(self.path, dtype=np.uint8, mode="r", shape=self._whole)
            self._array = np.asarray(mapped)  # kernels want nothing but plain arrays
        return self._array

    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]:
        raise ValueError("codes are no table of numbers; X.plain(rows) makes one of some rows")

    def __getstate__(self) -> dict[str, Any]:
        state = {**self.__dict__, "_keeper": None}
        if self.path is not None:
            state["_array"] = None
        return state
