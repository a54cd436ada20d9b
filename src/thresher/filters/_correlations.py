"""Correlations of columns with the target, and with each other when somebody asks."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from thresher.columns import Columns
from thresher.evaluators import Target

from ._information import information_within
from ._target_information import ALPHA, TargetInformation

__all__ = ["Correlations", "Pearson", "SymmetricalUncertainty"]

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
        super().__init__(len(known.table.codes))
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


class Pearson(Correlations):
    """Absolute linear correlations; those of categories are means over their levels.

    A level counts as often as it occurs, a pair of levels as often as both occur together. Missing
    numbers are at the mean and missing categories are the most frequent one.

    Parameters
    ----------
    columns : Columns
        The table.
    target : Target
        Numbers, or classes, which are categories.
    standardize : bool, default=True
        Whether all columns weigh the same; else by their standard deviation, as in WEKA, where
        another unit changes what is selected.
    """

    def __init__(self, columns: Columns, target: Target, *, standardize: bool = True):
        super().__init__(columns.n_columns)
        parts = [_parts(columns, p) for p in range(columns.n_columns)]
        parts.append(_target_parts(target))
        sizes = [block.shape[1] for block, _ in parts]
        self._starts = np.concatenate([[0], np.cumsum(sizes)])
        self._shares = np.concatenate([shares for _, shares in parts])
        raw = np.hstack([block for block, _ in parts])
        centred = raw - raw.mean(axis=0)
        self._spread = np.sqrt((centred**2).mean(axis=0))
        flat = self._spread <= 1e-12
        length = np.where(flat, np.inf, self._spread * np.sqrt(len(raw)))  # of nothing, 0 is left
        self._unit = np.asfortranarray(centred / length)
        self.flat = np.maximum.reduceat(self._spread, self._starts[:-1])[:-1] <= 1e-12
        self.with_target = self._correlations(self.n_columns)
        chance = _chance(self.with_target, len(raw))
        self.doubtful = chance > ALPHA
        exact = len(parts[-1][1]) == 1 and ~columns.has_levels
        self.p_values = np.where(exact, chance, np.nan)
        self.weights = np.ones(self.n_columns)
        if not standardize:
            self.weights = self._deviations(columns)

    def _row(self, column: int) -> FloatArray:
        return self._correlations(column)

    def _correlations(self, column: int) -> FloatArray:
        """Correlations of a column, or of the target behind the last one, with all columns."""
        own = slice(self._starts[column], self._starts[column + 1])
        plain = self._unit.T @ self._unit[:, own]
        share = self._shares[:, None] * self._shares[None, own]
        both = np.isfinite(self._shares)[:, None] & np.isfinite(self._shares)[None, own]
        together = share + plain * self._spread[:, None] * self._spread[None, own]
        # only levels have a share: a number goes with each level as often as that occurs
        weight = np.where(both, together, _one_of(self._shares[:, None], self._shares[None, own]))
        summed = np.add.reduceat((weight * np.abs(plain)).sum(axis=1), self._starts[:-1])
        return np.asarray(np.clip(summed[: self.n_columns], 0.0, 1.0))

    def _deviations(self, columns: Columns) -> FloatArray:
        """Standard deviation of each column; of categories, a mean over the levels."""
        shares = np.where(np.isfinite(self._shares), self._shares, 1.0)
        squares = np.add.reduceat(shares * self._spread**2, self._starts[:-1])
        return np.asarray(np.sqrt(squares[: columns.n_columns]) * _scales(columns))


def _chance(correlations: FloatArray, n_rows: int) -> FloatArray:
    """Chance of linear correlations as high as these, in so many rows."""
    if n_rows < 3:
        return np.ones_like(correlations)
    left = np.maximum(1.0 - correlations**2, np.finfo(np.float64).tiny)
    return np.asarray(2.0 * student.sf(correlations * np.sqrt((n_rows - 2) / left), n_rows - 2))


def _one_of(one: FloatArray, other: FloatArray) -> FloatArray:
    """Return the share of the level, where a level meets a number; 1 where two numbers meet."""
    return np.asarray(
        np.where(np.isfinite(one), one, 1.0) * np.where(np.isfinite(other), other, 1.0)
    )


def _parts(columns: Columns, position: int) -> tuple[FloatArray, FloatArray]:
    """Return a column as numbers, or an indicator for each level; and how often that occurs."""
    if columns.has_levels[position]:
        codes, levels = columns.levels(position)
        return _indicators(codes.astype(np.intp), len(levels))
    values = next(columns.numeric_blocks([position]))[1][:, 0]
    known = ~np.isnan(values)
    values = values / _scale(values[known])
    mean = values[known].mean() if known.any() else 0.0
    return np.where(known, values, mean)[:, None], np.array([np.nan])


def _indicators(codes: IntArray, n_levels: int) -> tuple[FloatArray, FloatArray]:
    if not n_levels:
        return np.zeros((len(codes), 1)), np.array([np.nan])
    counts = np.bincount(codes[codes >= 0], minlength=n_levels)
    filled = np.where(codes < 0, counts.argmax(), codes)
    block = (filled[:, None] == np.arange(n_levels)).astype(np.float64)
    return block, block.mean(axis=0)


def _target_parts(target: Target) -> tuple[FloatArray, FloatArray]:
    if target.classes is not None:
        return _indicators(np.asarray(target.values, dtype=np.intp), target.n_classes)
    values = np.asarray(target.values, dtype=np.float64)
    return (values / _scale(values))[:, None], np.array([np.nan])


def _scale(values: FloatArray) -> float:
    """Return the largest size of a number, by which to divide so that squares stay finite."""
    largest = float(np.abs(values).max(initial=0.0))
    return largest if largest > 0.0 else 1.0


def _scales(columns: Columns) -> FloatArray:
    scales = np.ones(columns.n_columns)
    numbers = np.flatnonzero(~columns.has_levels).tolist()
    for positions, block in columns.numeric_blocks(numbers):
        largest = np.fmax.reduce(np.abs(block), axis=0, initial=0.0)
        scales[positions] = np.where(largest > 0.0, largest, 1.0)
    return scales
