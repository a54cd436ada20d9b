"""Correlations of columns with the target, and with each other when somebody asks."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from ._information import information_within
from ._target_information import ALPHA, TargetInformation

__all__ = ["Correlations", "SymmetricalUncertainty"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


class Correlations(ABC):
    """Correlations between 0 and 1, of pairs of columns only where they are asked for.

    Attributes
    ----------
    with_target : array of shape (n_columns,)
        Of each column with the target.
    weights : array of shape (n_columns,)
        How much each column counts in a sum of columns.
    flat : bool array of shape (n_columns,)
        Columns of one level, or without variance.
    p_values : array of shape (n_columns,)
        Chance of such a correlation with the target without any influence; NaN where that is not
        known.
    doubtful : bool array of shape (n_columns,)
        Columns whose correlation with the target may well be chance.
    n_computed : int
        Correlations computed so far.
    """

    with_target: FloatArray
    weights: FloatArray
    flat: NDArray[np.bool_]
    p_values: FloatArray
    doubtful: NDArray[np.bool_]

    def __init__(self, n_columns: int):
        self.n_columns = n_columns
        self.n_computed = n_columns
        self._rows: dict[int, FloatArray] = {}

    def with_column(self, column: int) -> FloatArray:
        """Correlations of a column with all columns, itself included."""
        if column not in self._rows:
            row = self._row(column)
            # what is the same in all rows adds nothing to any column: no better than a copy
            row[self.flat] = 1.0
            if self.flat[column]:
                row[:] = 1.0
            row[column] = 1.0
            self._rows[column] = row
            self.n_computed += self.n_columns - 1
        return self._rows[column]

    def silence(self, column: int) -> str:
        """Say why a column tells nothing."""
        return "tells nothing about the target on its own"

    @abstractmethod
    def _row(self, column: int) -> FloatArray:
        """Do what `with_column` says."""


class SymmetricalUncertainty(Correlations):
    """Correlations of levels: the information two columns share, as a part of what they have.

    Parameters
    ----------
    known : TargetInformation
        The columns, and what they tell about the target.
    n_jobs : int, optional
        Threads.
    """

    def __init__(self, known: TargetInformation, n_jobs: int | None = None):
        super().__init__(known.table.n_columns)
        self._known, self._n_jobs = known, n_jobs
        self.with_target = known.found.symmetrical_uncertainty
        self.weights = np.ones(self.n_columns)
        self.flat = known.table.n_levels < 2
        self.p_values = known.p_values
        self.doubtful = self.p_values > ALPHA

    def silence(self, column: int) -> str:
        """Say why a column tells nothing."""
        return self._known.silence(column)

    def _row(self, column: int) -> FloatArray:
        everyone = np.arange(self.n_columns)
        found = information_within(column, self._known.table, everyone, self._n_jobs)
        return found.symmetrical_uncertainty
