"""Races on small samples of the rows that grow as the race goes on (RACSAM)."""

from dataclasses import dataclass
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

__all__ = ["Samples", "Subsamples"]

IntArray = NDArray[np.intp]


@dataclass(frozen=True)
class Subsamples:
    """Which rows are predicted from which others in each heat of a race.

    Bad candidates show on a few rows; the dear large samples are for those that are hard to tell
    apart. Each heat tests other rows, and learns from a random sample of all the others.

    Parameters
    ----------
    first : int, default=50
        Rows to learn from in the first heat.
    growth : int, default=10
        How many more they are in each heat that follows.
    most : int, optional
        How many they are at most.
    n_tested : int, default=1
        Rows to predict in each heat.
    max_tested : int, optional
        Rows to predict in a race, at most; then whoever is still in has won.

    Examples
    --------
    >>> import numpy as np
    >>> heats = Subsamples(first=3, growth=2, most=6).over(np.arange(8), seed=0)
    >>> [len(heats.draw(heat)[1]) for heat in range(4)], len(heats)
    ([3, 5, 6, 6], 8)
    """

    first: int = 50
    growth: int = 10
    most: int | None = None
    n_tested: int = 1
    max_tested: int | None = None

    def __post_init__(self) -> None:
        least = {"first": 2, "growth": 0, "most": 2, "n_tested": 1, "max_tested": 1}
        for name, smallest in least.items():
            value = getattr(self, name)
            if value is None and name in ("most", "max_tested"):
                continue
            whole = isinstance(value, Integral) and not isinstance(value, bool)
            if not whole or int(value) < smallest:
                raise ValueError(
                    f"{name} must be a whole number of at least {smallest}; got {value!r}"
                )

    def over(self, rows: IntArray, seed: int) -> "Samples":
        """Heats over the given rows."""
        if len(rows) < 2:
            raise ValueError(f"a race on subsamples needs at least 2 rows; got {len(rows)}")
        return Samples(self, rows, seed)


class Samples:
    """The samples of one race, each drawn when its turn comes: all may not fit in memory.

    Parameters
    ----------
    plan : Subsamples
        How many rows they have.
    rows : array of int
        To draw from.
    seed : int
        The same seed gives the same samples.
    """

    def __init__(self, plan: Subsamples, rows: IntArray, seed: int):
        self._plan = plan
        self._rows = rows
        self._seed = seed
        self._order = np.random.default_rng(seed).permutation(len(rows))
        # at least one row must be left to learn from
        self._n_tested = min(plan.n_tested, len(rows) - 1)
        self._n_tests = len(rows) if plan.max_tested is None else min(plan.max_tested, len(rows))
        self._n_heats = -(-self._n_tests // self._n_tested)

    def __len__(self) -> int:
        return self._n_heats

    def tested(self, heat: int) -> IntArray:
        """Return the rows to test."""
        return self._rows[self._places(heat)]

    def _places(self, heat: int) -> IntArray:
        start = heat * self._n_tested
        return self._order[start : min(start + self._n_tested, self._n_tests)]

    def draw(self, heat: int) -> tuple[IntArray, IntArray]:
        """Return the rows to test and those to learn from."""
        plan, tested = self._plan, self._places(heat)
        others = np.delete(np.arange(len(self._rows)), tested)
        size = plan.first + plan.growth * heat
        if plan.most is not None:
            size = min(size, plan.most)
        if size < len(others):
            rng = np.random.default_rng((self._seed, heat))
            others = np.sort(rng.choice(others, size, replace=False))
        return self._rows[tested], self._rows[others]
