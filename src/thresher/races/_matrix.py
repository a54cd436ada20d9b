"""Races over losses that are known beforehand."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["LossMatrix"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


class LossMatrix:
    """A source of losses for races whose candidates are the columns of a matrix.

    Parameters
    ----------
    losses : array of shape (n_rows, n_candidates)
        Finite numbers.
    span : float, optional
        Largest possible difference between two losses, for `Hoeffding`.

    Attributes
    ----------
    n_losses : int
        How many have been looked at.

    Examples
    --------
    >>> import numpy as np
    >>> from thresher.races import Brace
    >>> rng = np.random.default_rng(0)
    >>> losses = rng.exponential(1.0, (500, 1)) + rng.normal([0.0, 0.2, 0.5], 0.1, (500, 3))
    >>> source = LossMatrix(losses)
    >>> finish = Brace().run(source, range(3), rng)
    >>> finish.winner, source.n_losses < 60
    (0, True)
    """

    unit = "row"
    growth = 1 / 16
    weights: FloatArray | None = None
    parts: Sequence[IntArray] | None = None

    def __init__(self, losses: ArrayLike, span: float | None = None):
        matrix = np.asarray(losses, dtype=np.float64)
        if matrix.ndim != 2 or not matrix.size:
            raise ValueError(
                f"losses must be of shape (n_rows, n_candidates) and not empty; got {matrix.shape}"
            )
        if not np.isfinite(matrix).all():
            raise ValueError("losses must be finite")
        self._losses = matrix
        self.loss_span = span
        self.n_losses = 0

    @property
    def n_blocks(self) -> int:
        """Number of rows."""
        return len(self._losses)

    @property
    def held_out(self) -> IntArray:
        """All rows."""
        return np.arange(self.n_blocks)

    def losses(self, candidates: Sequence[int], rows: IntArray | None = None) -> FloatArray:
        """Losses of shape (n_candidates, n_rows)."""
        chosen = self._losses if rows is None else self._losses[rows]
        found = chosen[:, list(candidates)].T
        self.n_losses += found.size
        return found

    def part_losses(self, candidates: Sequence[int], part: int) -> FloatArray:
        """Refuse: there are no parts."""
        raise TypeError("a LossMatrix has no parts: ask for rows")

    def sample_losses(
        self, candidates: Sequence[int], rows: IntArray, train: IntArray
    ) -> FloatArray:
        """Refuse: nothing is learnt here."""
        raise TypeError("a LossMatrix does not learn: ask for rows")

    def draw_losses(self, masks: NDArray[np.bool_], units: IntArray) -> FloatArray:
        """Refuse: columns are candidates, not variables."""
        raise TypeError("a LossMatrix knows candidates, not subsets")
