"""Hill climbing that does not wait to see which step is the best."""

from collections import Counter

import numpy as np

from thresher.evaluators import Flips, Subset
from thresher.races import Contest

from ._base import Search, SearchStrategy
from ._hill_climbing import Start, start_of
from ._path import check_tolerance
from ._space import Space

__all__ = ["GaussSeidel", "pass_over"]

#: Among subsets that are nearly equal, races could go on for long.
_MAX_FLIPS = 4


class GaussSeidel(SearchStrategy):
    """Compare the current subset with each one-variable flip in turn, and move at once if it wins.

    Named so by Moore and Lee, after the solver that uses each new value as soon as it has it.

    Parameters
    ----------
    start : {"empty", "full"}, default="empty"
        Where to begin.
    tolerance : float, default=0.0
        A flip must lower the loss by more than this.
    """

    def __init__(self, start: Start = "empty", tolerance: float = 0.0):
        self.start = start
        self.tolerance = tolerance

    def run(self, space: Space, rng: np.random.Generator) -> Search:
        """Pass over the variables until none of them has to be flipped."""
        check_tolerance(self.tolerance)
        return (yield from pass_over(start_of(self.start, space), space, self.tolerance))


def pass_over(
    current: Subset, space: Space, tolerance: float = 0.0, give_up: float | None = None
) -> Search:
    """Flip variables in turn until a whole pass brings nothing.

    Parameters
    ----------
    current : subset
        Where to begin.
    space : Space
        Where to stay.
    tolerance : float, default=0.0
        What a flip must gain.
    give_up : float, optional
        See `Contest`.
    """
    variables = [v for v in range(space.n_variables) if v not in space.required]
    loss: float | None = None
    left: set[Subset] = set()
    n_flips = Counter[int]()
    n_vain, k = 0, 0
    while n_vain < len(variables):
        v, k = variables[k], (k + 1) % len(variables)
        flipped = current ^ {v}
        if not flipped or flipped in left or n_flips[v] == _MAX_FLIPS:
            n_vain += 1
            continue
        outcome = yield Contest(
            Flips(current, [v]),
            incumbent=current,
            challenge=bool(current),
            incumbent_loss=loss,
            give_up=give_up,
        )
        known = outcome.incumbent_loss
        if not current or known is None or outcome.loss < known - tolerance:
            left.add(current)  # a race may be wrong, but must not go in circles
            n_flips[v] += 1
            current, loss, n_vain = flipped, outcome.loss, 0
        else:
            loss, n_vain = known, n_vain + 1
    return current
