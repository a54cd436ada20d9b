"""Best-first search: expand the best subset that is still open, and go back if that fails."""

import heapq
import math
from collections.abc import Sequence
from itertools import count
from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import Flips, Subset
from thresher.races import Contest, Outcome

from ._base import Search, SearchStrategy
from ._hill_climbing import Start, start_of
from ._path import check_tolerance
from ._space import Space

__all__ = ["BestFirst", "settled_losses"]

Direction = Literal["away", "both"]
Entry = tuple[float, int, int, Subset, int]
"""A judged subset: its loss, size and number, what it was made from and by which flip."""

#: Open subsets that are kept: far more than any search goes back to.
_MOST_OPEN = 10_000


class BestFirst(SearchStrategy):
    """Best-first search (Kohavi and John, 1997; WEKA's BestFirst).

    All subsets that were judged but not yet expanded stay open. The best of them is expanded: its
    neighbours are judged, unless they were before. Hence a search that gets stuck goes back to the
    second best, third best, ... subset, and ends after several expansions in vain. Of subsets that
    are equally good, smaller ones are expanded first.

    Parameters
    ----------
    start : {"empty", "full"}, default="empty"
        Where to begin.
    patience : int, default=5
        How many expansions in a row may find nothing better before the search ends.
    tolerance : float, default=0.0
        What is better lowers the loss by more than this. A removal that makes the smallest subset
        so far as good as the best is better, too.
    direction : {"away", "both"}, default="away"
        Whether neighbours are only those further away from the start, with one variable more
        (from "empty") or less (from "full"), or both.

    Notes
    -----
    WEKA takes ``tolerance=1e-5`` for granted when it adds variables. It opens a subset again each
    time that it is reached, and loses patience over such repetitions; here, each subset is expanded
    once, so that the same patience goes further. It may select nothing; here, at least one variable
    is selected.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from thresher import WrapperSelector
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> search = BestFirst(direction="both")
    >>> WrapperSelector(KNeighborsClassifier(), search=search).fit(X, y).selection_.selected
    ('mean texture', 'worst perimeter')
    """

    def __init__(
        self,
        start: Start = "empty",
        patience: int = 5,
        tolerance: float = 0.0,
        direction: Direction = "away",
    ):
        self.start = start
        self.patience = patience
        self.tolerance = tolerance
        self.direction = direction

    def run(self, space: Space, rng: np.random.Generator) -> Search:
        """Search until patience is lost, or nothing is left to expand."""
        self._check()
        best = base = start_of(self.start, space)
        if space.required == space.full:
            return best
        outcome = yield Contest([best])
        best_loss = outcome.loss
        # anything is better than nothing, or than what could not be judged
        bar = best_loss if best and not math.isnan(best_loss) else math.inf
        seen, numbers, n_vain = _Seen(space, best, rng), count(), 0
        open_: list[Entry] = []
        while n_vain < self.patience:
            flips = seen.new(self._neighbours(space, base))
            if flips:
                # all are compared with the best on the same rows, wherever they come from
                before, known = best, best_loss
                outcome = yield Contest(
                    flips, incumbent=before, challenge=bool(before), incumbent_loss=known
                )
                n_vain += 1
                losses = settled_losses(flips, outcome)
                worst = _last_of(losses, _MOST_OPEN)
                for variable, loss in zip(flips.variables, losses.tolist(), strict=True):
                    size = len(base) - 1 if variable in base else len(base) + 1
                    if loss <= worst:
                        heapq.heappush(open_, (loss, size, next(numbers), base, variable))
                    smaller = variable in base and size < len(best)
                    if loss < bar - self.tolerance or (smaller and loss <= bar):
                        best, best_loss, bar, n_vain = base ^ {variable}, loss, loss, 0
                if best not in (before, outcome.best):
                    # no later one was better by the tolerance; the steps shall show where we went
                    yield Contest([best], incumbent=before, incumbent_loss=known)
            if not open_:
                break
            if len(open_) > 2 * _MOST_OPEN:
                open_ = heapq.nsmallest(_MOST_OPEN, open_)  # sorted, hence a heap
            *_, parent, flipped = heapq.heappop(open_)
            base = parent ^ {flipped}
        return best or outcome.best

    def _neighbours(self, space: Space, subset: Subset) -> Flips:
        """What a subset is expanded to; never the empty subset."""
        both = self.direction == "both"
        variables: list[int] = []
        if (both or self.start == "full") and len(subset) > 1:
            variables += space.subsets(subset).variables  # first, to win where both are equal
        if both or self.start == "empty":
            variables += space.supersets(subset).variables
        return Flips(subset, variables)

    def _check(self) -> None:
        check_tolerance(self.tolerance)
        patience: Any = self.patience
        if type(patience) is bool or not isinstance(patience, Integral) or int(patience) < 1:
            raise ValueError(f"patience must be a whole number of at least 1; got {patience!r}")
        if self.direction not in ("away", "both"):
            raise ValueError(f"direction must be 'away' or 'both'; got {self.direction!r}")


class _Seen:
    """Remembers which subsets were judged, by one number each.

    A search over thousands of variables judges so many subsets that the subsets themselves would
    fill the memory. Each variable gets a random number, and a subset has the exclusive or of those
    of its members (Zobrist, 1970): a flip changes it by one operation, in whatever order a subset
    was reached. The chance that any two of a million subsets share a number is less than one in ten
    million; one of them would then be left out.
    """

    def __init__(self, space: Space, start: Subset, rng: np.random.Generator):
        self._keys: NDArray[np.int64] = rng.integers(2**63, size=space.n_variables)
        self._seen = {self._key(start)}

    def new(self, flips: Flips) -> Flips:
        """Leave out what was seen before, and remember the others."""
        variables = list(flips.variables)
        keys = (self._keys[variables] ^ self._key(flips.base)).tolist()
        fresh = [v for v, key in zip(variables, keys, strict=True) if key not in self._seen]
        self._seen.update(keys)
        return Flips(flips.base, fresh)

    def _key(self, subset: Subset) -> int:
        return int(np.bitwise_xor.reduce(self._keys[list(subset)]))


def _last_of(losses: NDArray[np.float64], n: int) -> float:
    """Return the highest of the n lowest losses."""
    return math.inf if len(losses) <= n else float(np.partition(losses, n - 1)[n - 1])


def settled_losses(candidates: Sequence[Subset], outcome: Outcome) -> NDArray[np.float64]:
    """Losses by which a race can be read: whoever left it is behind the winner.

    On the few rows that it has run, its mean may be lower. Who was never looked at is last.
    """
    losses = np.where(np.isnan(outcome.losses), np.inf, outcome.losses)
    behind = np.nextafter(outcome.loss, np.inf)
    for exit in outcome.exits:
        k = exit.candidate
        if k < len(losses) and losses[k] < behind and candidates[k] != outcome.best:
            losses[k] = behind
    return losses
