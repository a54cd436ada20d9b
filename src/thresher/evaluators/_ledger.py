"""Losses of rows as folds come in: held out once, several times, or never."""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from ._folds import Fold

__all__ = ["Ledger"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


class Ledger:
    """Collects the losses of ``rows`` (all ``n_rows`` if None) under ``n_subsets`` subsets."""

    def __init__(self, n_subsets: int, n_rows: int, rows: IntArray | None):
        self._order: IntArray | None = None
        self._place = np.arange(n_rows)
        n_places = n_rows
        if rows is not None:
            wanted, self._order = np.unique(rows, return_inverse=True)
            n_places = len(wanted)
            self._place = np.full(n_rows, -1)
            self._place[wanted] = np.arange(n_places)
        self._total = np.empty((n_subsets, n_places))
        self._times = np.zeros(n_places, dtype=np.intp)

    def tests(self, folds: Iterable[Fold]) -> Iterator[tuple[Fold, IntArray]]:
        """Yield the folds that hold out rows that are wanted, and these rows."""
        for fold in folds:
            test = fold.test if self._order is None else fold.test[self._place[fold.test] >= 0]
            if len(test):
                yield fold, test

    def add(self, test: IntArray, losses: FloatArray) -> None:
        """Enter the losses of rows, of shape (n_subsets, len(test))."""
        places = self._place[test]
        again = self._times[places] > 0
        if again.any():
            losses = losses + np.where(again, self._total[:, places], 0.0)
        self._total[:, places] = losses
        self._times[places] += 1

    def means(self) -> FloatArray:
        """Mean loss of each row, in the order asked for; NaN for rows that were never held out."""
        self._total[:, self._times == 0] = np.nan
        if (self._times > 1).any():
            self._total /= np.maximum(self._times, 1)
        return self._total if self._order is None else self._total[:, self._order]
