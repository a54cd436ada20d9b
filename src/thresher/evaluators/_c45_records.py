"""The latest C4.5 tree of each fold, with all that was judged on the way."""

import threading

import numpy as np
from numpy.typing import NDArray

from thresher.kernels._c45_types import Table, Training
from thresher.kernels.c45_variants import Record, record_of

from ._subsets import Subset

__all__ = ["Records"]

IntArray = NDArray[np.intp]

#: What the records of all folds may take together, in bytes.
_ROOM = 2**28


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
            record = self._records[fold]
            known = self._bases[fold] == base
            if record is None or not known:
                self._bases[fold], record = base, None
                if n_asked > 1 or known:
                    record = self._made(fold, columns)
                self._records[fold] = record
            return record if record is not None and record.complete else None

    def _made(self, fold: int, columns: IntArray) -> Record:
        """Make a record; one that is too large is kept without its notes, so as to be known."""
        room = _ROOM // len(self._training)
        record: Record = record_of(self._table, self._training[fold], columns, self._least, room)
        if record.complete:
            return record
        return record._replace(judged=None)
