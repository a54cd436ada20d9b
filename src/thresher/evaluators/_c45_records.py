"""The latest C4.5 tree of each fold, with all that was judged on the way."""

import threading

import numpy as np
from numpy.typing import NDArray

from thresher.kernels._c45_types import Table, Training
from thresher.kernels.c45_variants import Record, record_of

from ._subsets import Subset

__all__ = ["Records"]

IntArray = NDArray[np.intp]

#: What the records of all folds may take together.
_MOST_BYTES = 2**28
#: What a column takes at a node: gain, gain ratio and cut.
_BYTES = 24


class Records:
    """Records of trees on one table, one for each fold: that of the subset asked about last.

    Parameters
    ----------
    table : Table
        The columns.
    training : list of Training
        The training rows of each fold.
    least : float
        The weight that at least two branches of a split must have.
    """

    def __init__(self, table: Table, training: list[Training], least: float):
        self._table = table
        self._training = training
        self._least = least
        self._bases: list[Subset | None] = [None] * len(training)
        self._records: list[Record | None] = [None] * len(training)
        self._locks = [threading.Lock() for _ in training]

    def get(self, fold: int, base: Subset, columns: IntArray, *, n_asked: int) -> Record | None:
        """Return the record of a subset of variables, the base; None if there is none worth having.

        Making one costs a little more than a tree. So a base whose removals come one by one gets it
        when it is asked about again: many a base of a search with luck is left after one removal.
        """
        with self._locks[fold]:  # threads that share the removals of a base wait for its record
            known = self._bases[fold] == base
            if known and self._records[fold] is not None:
                return self._records[fold]
            self._bases[fold], self._records[fold] = base, None
            if n_asked > 1 or known:
                self._records[fold] = self._made(fold, columns)
            return self._records[fold]

    def _made(self, fold: int, columns: IntArray) -> Record | None:
        most = _MOST_BYTES // (len(self._training) * _BYTES * len(columns))
        record: Record = record_of(self._table, self._training[fold], columns, self._least, most)
        return record if record.complete else None
