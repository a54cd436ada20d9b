"""What columns of levels tell about each other, in bits."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.entropy import entropies
from thresher.kernels.level_bits import bit_entropies
from thresher.parallel import run_on_slices

from ._levels import Leveled, logarithms
from ._stored_levels import StoredLevels

__all__ = ["Information", "information_with", "information_within"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Information:
    """Entropies of one column and many others, in bits.

    Parameters
    ----------
    one : array of shape (n_columns,)
        Entropy of the one; it depends on the other where cells are missing.
    other : array of shape (n_columns,)
        Entropy of each of the others.
    both : array of shape (n_columns,)
        Of the one and the other together.

    Examples
    --------
    >>> table = Leveled(np.array([[0, 0, 1, 1], [0, 1, 0, 1]]), np.array([2, 2]), np.zeros(2, bool))
    >>> found = information_with(np.array([0, 0, 1, 1]), 2, table)
    >>> found.gain.tolist(), found.symmetrical_uncertainty.tolist()
    ([1.0, 0.0], [1.0, 0.0])
    """

    one: FloatArray
    other: FloatArray
    both: FloatArray

    @property
    def gain(self) -> FloatArray:
        """What the other tells about the one: mutual information."""
        # below zero, or next to it, there is nothing but rounding
        found = self.one + self.other - self.both
        return np.asarray(np.where(found > 1e-13 * (self.one + self.other), found, 0.0))

    def without(self, some: NDArray[np.bool_]) -> "Information":
        """Return the same with nothing in common where ``some`` says so."""
        return Information(self.one, self.other, np.where(some, self.one + self.other, self.both))

    @property
    def gain_ratio(self) -> FloatArray:
        """The gain as a share of the entropy of the other: many levels must pay their way."""
        return _share(self.gain, self.other)

    @property
    def symmetrical_uncertainty(self) -> FloatArray:
        """The gain as a share of the mean entropy of the two: 0 to 1."""
        return _share(2.0 * self.gain, self.one + self.other)


def information_with(
    codes: NDArray[Any], n_levels: int, table: Leveled | StoredLevels, n_jobs: int | None = None
) -> Information:
    """Compare a column of levels with all columns of a table.

    Missing cells (negative codes) are spread over the levels in proportion.

    Parameters
    ----------
    codes : int array of shape (n_rows,)
        The one.
    n_levels : int
        Its number of levels.
    table : Leveled or StoredLevels
        The others.
    n_jobs : int, optional
        Threads.
    """
    if isinstance(table, StoredLevels):
        return Information(*table.entropies_with(codes, n_levels, n_jobs).T)
    out = np.zeros((len(table.codes), 3))
    _row_by_row(codes, n_levels, table, np.arange(len(table.codes)), out, n_jobs)
    return Information(out[:, 0], out[:, 1], out[:, 2])


def information_within(
    one: int, table: Leveled | StoredLevels, columns: IntArray, n_jobs: int | None = None
) -> Information:
    """Compare a column of a table with some of its columns.

    Parameters
    ----------
    one : int
        The column.
    table : Leveled or StoredLevels
        Where it is from.
    columns : int array
        The others.
    n_jobs : int, optional
        Threads.
    """
    if isinstance(table, StoredLevels):
        return Information(*table.entropies_within(one, columns, n_jobs).T)
    out = np.zeros((len(columns), 3))
    rest = np.arange(len(columns))
    starts = table.bits.starts
    if starts[one] >= 0:
        few = starts[columns] >= 0
        rest = np.flatnonzero(~few)
        _bit_by_bit(one, table, columns, np.flatnonzero(few), out, n_jobs)
    if len(rest):
        found = np.zeros((len(rest), 3))
        codes, n_levels = table.codes[one], int(table.n_levels[one])
        _row_by_row(codes, n_levels, table, columns[rest], found, n_jobs)
        out[rest] = found
    return Information(out[:, 0], out[:, 1], out[:, 2])


def _bit_by_bit(
    one: int, table: Leveled, columns: IntArray, few: IntArray, out: FloatArray, n_jobs: int | None
) -> None:
    bits, x_log_x = table.bits, logarithms(table.codes.shape[1])

    def compare(part: slice) -> None:
        places = few[part]
        found = np.zeros((len(places), 3))
        bit_entropies(
            one, columns[places], bits.bits, bits.starts, table.n_levels, bits.sizes, x_log_x, found
        )
        out[places] = found

    run_on_slices(compare, len(few), n_jobs)


def _row_by_row(
    codes: NDArray[Any],
    n_levels: int,
    table: Leveled,
    columns: IntArray,
    out: FloatArray,
    n_jobs: int | None,
) -> None:
    level = np.where(codes < 0, n_levels, codes).astype(np.intp)
    order = np.argsort(level, kind="stable")
    starts = np.zeros(n_levels + 1, dtype=np.intp)
    np.cumsum(np.bincount(level, minlength=n_levels + 1)[:n_levels], out=starts[1:])
    x_log_x = logarithms(len(codes))

    def compare(part: slice) -> None:
        some = columns[part]
        entropies(
            order, starts, table.codes, some, table.n_levels, table.has_missing, x_log_x, out[part]
        )

    run_on_slices(compare, len(columns), n_jobs)


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    possible = whole > 1e-12
    return np.asarray(np.where(possible, part / np.where(possible, whole, 1.0), 0.0))
