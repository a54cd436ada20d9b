"""Linear correlations, of categories as well."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from thresher.columns import Columns
from thresher.evaluators import Target

from ._correlations import Correlations
from ._target_information import ALPHA

__all__ = ["Pearson"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: More levels than this, with fewer than four rows for each, are those of an identifier: it would
#: take a number for each pair of rows to compare it.
_MOST_LEVELS = 500


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
        parts = [part for _, part in sorted(_parts(columns), key=lambda found: found[0])]
        parts.append(_target_part(target))
        self._n_left_out = [part.n_left_out for part in parts]
        sizes = [part.block.shape[1] for part in parts]
        self._starts = np.concatenate([[0], np.cumsum(sizes)])
        self._shares = np.concatenate([part.shares for part in parts])
        raw = np.hstack([part.block for part in parts])
        centred = raw - raw.mean(axis=0)
        self._spread = np.sqrt((centred**2).mean(axis=0))
        flat = self._spread <= 1e-12
        length = np.where(flat, np.inf, self._spread * np.sqrt(len(raw)))  # of nothing, 0 is left
        self._unit = np.asfortranarray(centred / length)
        self.flat = np.maximum.reduceat(self._spread, self._starts[:-1])[:-1] <= 1e-12
        self.with_target = self._correlations(self.n_columns)
        chance = _chance(self.with_target, len(raw))
        self.doubtful = chance > ALPHA
        exact = len(parts[-1].shares) == 1 and ~columns.has_levels
        self.p_values = np.where(exact, chance, np.nan)
        self.weights = np.ones(self.n_columns)
        if not standardize:
            self.weights = self._deviations(parts[:-1])

    def silence(self, column: int) -> str:
        """Say why a column tells nothing."""
        if self._n_left_out[column]:
            return (
                f"{self._n_left_out[column]} levels in {len(self._unit)} rows: too many to compare"
            )
        return super().silence(column)

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

    def _deviations(self, parts: list["_Part"]) -> FloatArray:
        """Standard deviation of each column, or mean over its levels, as a share of the highest."""
        shares = np.where(np.isfinite(self._shares), self._shares, 1.0)
        squares = np.add.reduceat(shares * self._spread**2, self._starts[:-1])
        sizes, ranges = (np.array([getattr(p, name) for p in parts]) for name in ("size", "range"))
        found = np.sqrt(squares[: self.n_columns]) * ranges * (sizes / sizes.max())
        return np.asarray(found / max(found.max(), np.finfo(np.float64).tiny))


def _chance(correlations: FloatArray, n_rows: int) -> FloatArray:
    """Chance of linear correlations as high as these, in so many rows."""
    if n_rows < 3:
        return np.ones_like(correlations)
    left = np.maximum(1.0 - correlations**2, np.finfo(np.float64).eps)
    return np.asarray(2.0 * student.sf(correlations * np.sqrt((n_rows - 2) / left), n_rows - 2))


def _one_of(one: FloatArray, other: FloatArray) -> FloatArray:
    """Return the share of the level, where a level meets a number; 1 where two numbers meet."""
    return np.asarray(
        np.where(np.isfinite(one), one, 1.0) * np.where(np.isfinite(other), other, 1.0)
    )


@dataclass(frozen=True, eq=False)
class _Part:
    """A column of numbers, or an indicator for each of its levels.

    ``shares`` says how often each level occurs. Numbers were divided by their ``size`` and, from
    the first one on, by their ``range``, so that squares stay finite, and not all the same. Levels
    that are too many were left out.
    """

    block: FloatArray
    shares: FloatArray
    size: float = 1.0
    range: float = 1.0
    n_left_out: int = 0


def _parts(columns: Columns) -> Iterator[tuple[int, _Part]]:
    """Yield the position of each column, and what it becomes."""
    text = columns.has_levels
    for positions, block in columns.numeric_blocks(np.flatnonzero(~text).tolist()):
        for p, values in zip(positions.tolist(), block.T, strict=True):
            yield p, _number_part(values)
    for p in np.flatnonzero(text).tolist():
        own, levels = columns.levels(p)
        codes = own.astype(np.intp)
        if len(levels) > max(_MOST_LEVELS, len(codes) // 4):
            yield p, replace(_indicators(codes, 0), n_left_out=len(levels))
        else:
            yield p, _indicators(codes, len(levels))


def _number_part(values: FloatArray) -> _Part:
    known = ~np.isnan(values)
    if not known.any():
        return _Part(np.zeros((len(values), 1)), np.array([np.nan]))
    size = _scale(values[known])
    values = values / size
    values = values - values[np.argmax(known)]
    distance = _scale(values[known])
    values = values / distance
    filled = np.where(known, values, values[known].mean())
    return _Part(filled[:, None], np.array([np.nan]), size, distance)


def _indicators(codes: IntArray, n_levels: int) -> _Part:
    if not n_levels:
        return _Part(np.zeros((len(codes), 1)), np.array([np.nan]))
    counts = np.bincount(codes[codes >= 0], minlength=n_levels)
    filled = np.where(codes < 0, counts.argmax(), codes)
    block = (filled[:, None] == np.arange(n_levels)).astype(np.float64)
    return _Part(block, block.mean(axis=0))


def _target_part(target: Target) -> _Part:
    if target.classes is not None:
        return _indicators(np.asarray(target.values, dtype=np.intp), target.n_classes)
    return _number_part(np.asarray(target.values, dtype=np.float64))


def _scale(values: FloatArray) -> float:
    """Return the largest size of a number, by which to divide so that squares stay finite."""
    largest = float(np.abs(values).max(initial=0.0))
    return largest if largest > 0.0 else 1.0
