"""Hill climbing over all subsets that are one variable away."""

from typing import Literal

import numpy as np

from thresher.evaluators import Flips, Subset
from thresher.races import Contest

from ._base import Search, SearchStrategy
from ._path import check_tolerance
from ._space import Space

__all__ = ["HillClimbing", "start_of"]

Start = Literal["empty", "full"]


def start_of(start: Start, space: Space) -> Subset:
    """Return the end of the space that a search starts from."""
    if start not in ("empty", "full"):
        raise ValueError(f"start must be 'empty' or 'full'; got {start!r}")
    return space.empty if start == "empty" else space.full


class HillClimbing(SearchStrategy):
    """Flip, again and again, the variable whose flip lowers the loss the most.

    Unlike `Forward` and `Backward` it may take back at any time what it has done, as in Moore and
    Lee's forward selection and backward elimination.

    Parameters
    ----------
    start : {"empty", "full"}, default="empty"
        Where to begin.
    tolerance : float, default=0.0
        A step must lower the loss by more than this.
    """

    def __init__(self, start: Start = "empty", tolerance: float = 0.0):
        self.start = start
        self.tolerance = tolerance

    def run(self, space: Space, rng: np.random.Generator) -> Search:
        """Climb until no flip helps."""
        check_tolerance(self.tolerance)
        current, loss = start_of(self.start, space), None
        left: set[Subset] = set()
        while True:
            flips = [v for v in space.neighbours(current).variables if current ^ {v} not in left]
            if len(current) == 1:
                flips = [v for v in flips if v not in current]
            if not flips:
                return current
            outcome = yield Contest(
                Flips(current, flips),
                incumbent=current,
                challenge=bool(current),
                incumbent_loss=loss,
            )
            known = outcome.incumbent_loss
            if current and known is not None and not outcome.loss < known - self.tolerance:
                return current
            # a race may be wrong, but must not go in circles
            left.add(current)
            current, loss = outcome.best, outcome.loss
