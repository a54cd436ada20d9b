"""What losses of random subsets say about each open variable of a schema."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from thresher.stats import grain_of, welch_p_values

from ._pairs import PairSource

__all__ = ["BoundedFields", "FieldStatistics", "PairedFields", "SplitFields"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
BoolArray = NDArray[np.bool_]

#: Pairs per open variable from which on least squares pays.
_ENOUGH = 4


class FieldStatistics(ABC):
    """Draws subsets for a contest, and does the sums."""

    @abstractmethod
    def batch(self, n_losses: int) -> tuple[BoolArray, IntArray]:
        """Choices for the open variables, and units to try them on; empty if all were seen."""

    @abstractmethod
    def add(self, choices: BoolArray, losses: FloatArray) -> None:
        """Enter what came of a batch."""

    @abstractmethod
    def effects(self) -> tuple[FloatArray, FloatArray]:
        """Loss with each variable minus loss without it, and its standard error."""

    @abstractmethod
    def p_values(self, gamma: float) -> FloatArray:
        """How credible it is that things are not as they seem.

        That is, that a variable which seems to help does not, or that one which seems to do harm
        helps by more than gamma.
        """


def _gap(effects: FloatArray, gamma: float) -> FloatArray:
    # where it makes no difference, a variable is better left out
    return np.asarray(np.abs(effects) + np.where(effects > 0, gamma, 0.0))


class PairedFields(FieldStatistics):
    """Differences between the two halves of pairs (BRACE).

    A difference is credited to all open variables, with the sign of the side they are on. When
    there are enough, it is shared out between them by least squares, so that what one variable
    does is no noise for the others.

    Parameters
    ----------
    source : PairSource
        Who draws.
    n_open : int
        Number of open variables.
    """

    def __init__(self, source: PairSource, n_open: int):
        self._source = source
        self._n = 0
        self._products = np.zeros((n_open, n_open))
        self._sums = np.zeros(n_open)
        self._squares = 0.0
        self._grain: float | None = None

    def batch(self, n_losses: int) -> tuple[BoolArray, IntArray]:
        """Pairs, all first halves before all second ones."""
        choices, units = self._source.take(max(1, n_losses // 2))
        return np.concatenate([choices, ~choices]), np.concatenate([units, units])

    def add(self, choices: BoolArray, losses: FloatArray) -> None:
        """Enter the differences."""
        n = len(losses) // 2
        difference = losses[:n] - losses[n:]
        signs = np.where(choices[:n], 1.0, -1.0)
        self._n += n
        self._sums += difference @ signs
        self._squares += float(difference @ difference)
        self._products += signs.T @ signs
        if self._grain is None:
            self._grain = grain_of(losses, losses)

    def effects(self) -> tuple[FloatArray, FloatArray]:
        """Least squares, or plain means of the signed differences while there are few."""
        effects, variances, _ = self._estimate()
        return effects, np.sqrt(variances)

    def p_values(self, gamma: float) -> FloatArray:
        """By Student's t."""
        effects, variances, freedom = self._estimate()
        with np.errstate(divide="ignore", invalid="ignore"):
            statistic = _gap(effects, gamma) / np.sqrt(variances)
        known = stdtr(freedom, -statistic)
        return np.where(variances > 0, known, 1.0 if self._squares == 0 else 0.0)

    def _estimate(self) -> tuple[FloatArray, FloatArray, int]:
        n, population = self._n, self._source.population
        left = 1.0 if population is None else 1.0 - n / population
        n_open = len(self._sums)
        step = (self._grain or 0.0) ** 2  # see `thresher.stats.blocked`
        # of two variables that are never in together, nothing but the difference can be told
        rivals = n_open == 2 and abs(self._products[0, 1]) == n
        if n_open == 1 or rivals or n < _ENOUGH * n_open:
            deviations = np.maximum(self._squares - self._sums**2 / n, 0.0) + step
            return self._sums / n, deviations / max(n - 1, 1) / n * left, max(n - 1, 1)
        inverse = np.linalg.inv(self._products + 1e-9 * n * np.eye(n_open))
        effects = inverse @ self._sums
        unexplained = max(self._squares - float(effects @ self._sums), 0.0) + step
        variances = unexplained / (n - n_open) * np.diag(inverse) * left
        return effects, variances, n - n_open


class SplitFields(FieldStatistics):
    """Means of the losses with and without each variable, as if nothing linked them (RACE).

    Parameters
    ----------
    units : int array
        Rows or parts to draw from, with replacement.
    n_open : int
        Number of open variables.
    no_empty : bool
        Whether a subset without any open variable would be empty.
    rng : Generator
        Draws.
    """

    def __init__(self, units: IntArray, n_open: int, rng: np.random.Generator, *, no_empty: bool):
        self._units, self._rng, self._no_empty = units, rng, no_empty
        self._n = np.zeros((2, n_open))
        self._sums = np.zeros((2, n_open))
        self._squares = np.zeros((2, n_open))

    def batch(self, n_losses: int) -> tuple[BoolArray, IntArray]:
        """Independent subsets and rows."""
        n_open = self._n.shape[1]
        choices = self._rng.random((n_losses, n_open)) < 0.5
        if self._no_empty:
            empty = np.flatnonzero(~choices.any(axis=1))
            choices[empty, self._rng.integers(n_open, size=len(empty))] = True
        return choices, self._rng.choice(self._units, n_losses)

    def add(self, choices: BoolArray, losses: FloatArray) -> None:
        """Credit each loss to the sides that its subset is on."""
        for side in (0, 1):
            on = (choices == side).astype(np.float64)
            self._n[side] += on.sum(axis=0)
            self._sums[side] += losses @ on
            self._squares[side] += losses**2 @ on

    def effects(self) -> tuple[FloatArray, FloatArray]:
        """Differences of the means."""
        means, errors = self._means()
        return means[1] - means[0], np.sqrt(errors.sum(axis=0))

    def p_values(self, gamma: float) -> FloatArray:
        """By Welch's approximation."""
        means, errors = self._means()
        gap = _gap(means[1] - means[0], gamma)
        p_values = welch_p_values(gap, errors[0], errors[1], self._n[0], self._n[1])
        return np.where((self._n > 1).all(axis=0) & (errors.sum(axis=0) > 0), p_values, 1.0)

    def _means(self) -> tuple[FloatArray, FloatArray]:
        n = np.maximum(self._n, 1.0)
        deviations = np.maximum(self._squares - self._sums**2 / n, 0.0)
        return self._sums / n, deviations / np.maximum(self._n - 1.0, 1.0) / n


class BoundedFields(SplitFields):
    """The same means, with Hoeffding's bound.

    Parameters
    ----------
    units, n_open, rng, no_empty
        See `SplitFields`.
    span : float
        Largest possible difference between two losses.
    """

    def __init__(
        self,
        units: IntArray,
        n_open: int,
        rng: np.random.Generator,
        *,
        no_empty: bool,
        span: float,
    ):
        super().__init__(units, n_open, rng, no_empty=no_empty)
        self._span = span

    def p_values(self, gamma: float) -> FloatArray:
        """From two intervals, each as wide as its number of losses allows."""
        gap = _gap(self.effects()[0], gamma)
        n = np.maximum(self._n, 1.0)
        # gap = span (1 / sqrt(2 n0) + 1 / sqrt(2 n1)) sqrt(log(2 / p)), solved for p
        width = self._span * (1.0 / np.sqrt(2.0 * n)).sum(axis=0)
        return np.asarray(np.minimum(1.0, 2.0 * np.exp(-((gap / width) ** 2))))
