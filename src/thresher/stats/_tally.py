"""Losses of several candidates, row by row, and the running sums that rules of a race look at."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Tally", "grain_of", "tally_of"]

FloatArray = NDArray[np.float64]

_FIRST_CAPACITY = 64


class Tally:
    """What has been seen of some candidates, all on the same rows.

    Sums are kept up to date as rows come in. Differences are summed against the leader only, the
    candidate with the lowest mean: that is all a rule needs, and costs no more than one pass over
    the candidates per row. When another one takes the lead, they are summed anew from the history.

    Parameters
    ----------
    n_candidates : int
        At least one.
    n_rows : int, optional
        How many rows there are in all, if they are drawn without replacement.

    Examples
    --------
    >>> tally = Tally(2)
    >>> for row in ([0.5, 0.25], [0.75, 0.75], [1.0, 0.5]):
    ...     tally.add(row)
    >>> tally.n, tally.means.tolist(), tally.leader
    (3, [0.75, 0.5], 1)
    >>> tally.differences()[0].tolist()
    [0.25, 0.0]
    """

    def __init__(self, n_candidates: int, n_rows: int | None = None):
        if n_candidates < 1:
            raise ValueError(f"a tally needs at least one candidate; got {n_candidates}")
        self.n = 0
        self.n_rows = n_rows
        self._history: FloatArray = np.empty((_FIRST_CAPACITY, n_candidates))
        self._shift: FloatArray = np.zeros(n_candidates)
        self._total: FloatArray = np.zeros(n_candidates)
        self._squares: FloatArray = np.zeros(n_candidates)
        self._against: tuple[int, FloatArray, FloatArray] | None = None
        self._ranked = (0, np.zeros(n_candidates), 0.0)
        self._grain = (0, 0.0)

    @property
    def n_candidates(self) -> int:
        """How many are still in."""
        return len(self._total)

    @property
    def history(self) -> FloatArray:
        """All losses so far, of shape (n, n_candidates)."""
        return self._history[: self.n]

    @property
    def means(self) -> FloatArray:
        """Mean loss of each candidate; equal counts of errors have equal means."""
        return np.asarray((self._shift * self.n + self._total) / self.n)

    @property
    def leader(self) -> int:
        """The candidate with the lowest mean; the first of equals."""
        return int(np.argmin(self.means))

    @property
    def left(self) -> float:
        """Share of the rows not seen yet; 1 if there is no end to them.

        By this factor the squared error of a mean shrinks, if it is the mean of these rows only.
        """
        return 1.0 if self.n_rows is None else 1.0 - self.n / self.n_rows

    def add(self, losses: ArrayLike) -> None:
        """Enter the losses of one row, one for each candidate."""
        self.extend(np.asarray(losses, dtype=np.float64)[None, :])

    def extend(self, rows: FloatArray) -> None:
        """Enter several rows, an array of shape (n_new_rows, n_candidates)."""
        n = self.n + len(rows)
        while n > len(self._history):
            self._history = np.concatenate([self._history, np.empty_like(self._history)])
        self._history[self.n : n] = rows
        if self.n == 0 and n:
            self._shift = rows[0].copy()  # sums of squares keep more digits near zero
        self.n = n
        shifted = rows - self._shift
        self._total += shifted.sum(axis=0)
        self._squares += (shifted**2).sum(axis=0)
        if self._against is not None:
            leader, total, squares = self._against
            difference = rows - rows[:, [leader]]
            total += difference.sum(axis=0)
            squares += (difference**2).sum(axis=0)

    def keep(self, stays: NDArray[np.bool_]) -> None:
        """Forget the candidates that have left."""
        self._history = np.ascontiguousarray(self._history[:, stays])
        for name in ("_shift", "_total", "_squares"):
            setattr(self, name, getattr(self, name)[stays])
        self._against = None
        self._ranked = (0, np.zeros(self.n_candidates), 0.0)

    def squared_deviations(self) -> FloatArray:
        """Sum of squared deviations from the mean, for each candidate."""
        return np.maximum(self._squares - self._total**2 / self.n, 0.0)

    def differences(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Losses minus the leader's: mean, sum of squared deviations, sum of squares."""
        leader = self.leader
        if self._against is None or self._against[0] != leader:
            difference = self.history - self.history[:, [leader]]
            self._against = (leader, difference.sum(axis=0), (difference**2).sum(axis=0))
        _, total, squares = self._against
        deviations = np.maximum(squares - total**2 / self.n, 0.0)
        return total / self.n, deviations, squares

    def rank_sums(self) -> tuple[FloatArray, float]:
        """Sum of each candidate's ranks within rows, and the sum of all squared ranks."""
        n_ranked, sums, squares = self._ranked
        if n_ranked < self.n:
            ranks = _average_ranks(self.history[n_ranked:])
            sums = sums + ranks.sum(axis=0)
            squares = squares + float((ranks**2).sum())
            self._ranked = (self.n, sums, squares)
        return sums, squares

    @property
    def grain_until(self) -> int:
        """Number of rows from which on `grain` will look at the losses anew."""
        return 2 * self._grain[0]

    def grain(self) -> float:
        """Smallest step between losses that come in steps, as errors do; 0 if they do not.

        Losses come in steps if the leader's take fewer different values than half the rows.
        """
        counted, grain = self._grain
        if self.n >= 2 * counted:
            grain = grain_of(self.history[:, self.leader], self.history)
            self._grain = (self.n, grain)
        return grain


def tally_of(losses: Any) -> Tally:
    """Return a tally as it is, or make one of losses of shape (n_rows_seen, n_candidates)."""
    if isinstance(losses, Tally):
        return losses
    matrix = np.asarray(losses, dtype=np.float64)
    if matrix.ndim != 2 or not matrix.size:
        raise ValueError(
            f"losses must be of shape (n_rows, n_candidates) and not empty; got {matrix.shape}"
        )
    if not np.isfinite(matrix).all():
        raise ValueError("losses must be finite")
    tally = Tally(matrix.shape[1])
    for row in matrix:
        tally.add(row)
    return tally


def grain_of(some: FloatArray, all_of_them: FloatArray) -> float:
    """Smallest step between losses, if some of them repeat so often that they must come in steps.

    If all are equal, nobody knows the step; 1 is that of errors, and makes rules wait.

    Examples
    --------
    >>> errors = np.array([0.0, 1.0, 0.0, 0.0])
    >>> grain_of(errors, errors), grain_of(np.array([0.3, 0.1, 0.2]), errors)
    (1.0, 0.0)
    """
    if 2 * len(np.unique(some)) > len(some):
        return 0.0
    steps = np.diff(np.unique(all_of_them))
    return float(steps.min()) if len(steps) else 1.0


def _average_ranks(rows: FloatArray) -> FloatArray:
    """Rank within each row; equal values share the mean of their ranks."""
    order = np.argsort(rows, axis=1, kind="stable")
    ordered = np.take_along_axis(rows, order, axis=1)
    n_rows, n_columns = rows.shape
    place = np.broadcast_to(np.arange(1.0, n_columns + 1.0), rows.shape)
    new = np.ones(rows.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    run = np.cumsum(new.ravel()) - 1  # a run of equal values never reaches into the next row
    mean_place = (np.bincount(run, weights=place.ravel()) / np.bincount(run))[run]
    ranks = np.empty(rows.shape)
    np.put_along_axis(ranks, order, mean_place.reshape(n_rows, n_columns), axis=1)
    return ranks
