"""The interface of all search strategies."""

from abc import ABC, abstractmethod
from collections.abc import Generator

import numpy as np

from thresher.evaluators import Subset
from thresher.races import Contest, Outcome

from ._space import Space

__all__ = ["Search", "SearchStrategy"]

Search = Generator[Contest, Outcome, Subset]
"""A search under way: it yields contests, is sent their outcomes, and returns its subset."""


class SearchStrategy(ABC):
    """Decides which subsets to compare next, and nothing else.

    A strategy never computes a loss and keeps no state between runs; all randomness comes from
    ``rng``. Hence the same seed and the same outcomes give the same run.

    Examples
    --------
    A whole strategy, which compares a few random halves of the variables:

    >>> class RandomHalves(SearchStrategy):
    ...     def __init__(self, n_draws=10):
    ...         self.n_draws = n_draws
    ...
    ...     def run(self, space, rng):
    ...         n = space.n_variables
    ...         draws = [rng.choice(n, (n + 1) // 2, replace=False) for _ in range(self.n_draws)]
    ...         outcome = yield Contest([space.empty.union(draw.tolist()) for draw in draws])
    ...         return outcome.best
    """

    @abstractmethod
    def run(self, space: Space, rng: np.random.Generator) -> Search:
        """Search the space: yield contests, receive outcomes, return the chosen subset."""

    def n_steps(self, space: Space) -> int | None:
        """How many contests there will be at most; None if nobody knows."""
        return None

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({settings})"
