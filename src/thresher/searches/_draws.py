"""Which variables randomized elimination tries to remove next."""

import math

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import Subset

from ._numbers import KnownNumber, RelevantNumber
from ._relevance import Relevance

__all__ = ["Draws"]

#: Biased draws of which nothing is known are no larger than these times the square root of the
#: number of variables: at first after a failure, and ever. Each success allows for half as many
#: again. Among too many others, the loss of a weak variable would go unnoticed.
_CAUTIOUS, _LARGEST, _GROWTH = 0.25, 0.5, 1.5

IntArray = NDArray[np.intp]
BoolArray = NDArray[np.bool_]


class Draws:
    """The state of an elimination: what is left, what was tried, and what to try next.

    Each draw has random numbers of its own, by its number, so that what would be drawn after some
    failures can be known before they happen (`ahead`).

    Parameters
    ----------
    current : subset
        Where to begin.
    required : subset
        What is never removed.
    number : RelevantNumber
        Tells how many to draw, unless draws are biased.
    relevance : Relevance
        What failures and successes say about each variable.
    seed : int
        Seeds the draws.
    tolerance : float
        By how much the loss may rise in a success.
    biased, remember : bool
        See `RandomizedElimination`.
    confidence : float or None
        When to take a variable for relevant; None to stop by the number of failures.
    drift : bool
        Whether the bar is the loss of the last success and not the lowest one so far.

    Attributes
    ----------
    current : subset
        What is left.
    loss : float
        Its loss.
    """

    def __init__(
        self,
        current: Subset,
        required: Subset,
        number: RelevantNumber,
        relevance: Relevance,
        seed: int,
        *,
        tolerance: float,
        biased: bool,
        remember: bool,
        confidence: float | None,
        drift: bool,
    ):
        self.current = current
        self.loss = self._bar = np.inf
        self.number = number
        self.relevance = relevance
        self._seed = seed
        self._tolerance = tolerance
        self._biased = biased
        self._remember = remember
        self._confidence = confidence
        self._drift = drift
        self._n_draws = 0
        self._n_successes = 0  # in a row
        self._least = 0 if required else 1
        n_variables = len(relevance.probability)
        self._free = np.ones(n_variables, dtype=bool)
        self._free[list(required)] = False
        self._missed = np.full(n_variables, np.nan)  # loss without each, since the last success
        self._known: dict[bytes, float] = {}
        self._removed: IntArray = np.empty(0, dtype=np.intp)
        self._forced = False

    def start(self, loss: float) -> None:
        """Take note of the loss before anything is removed."""
        self.loss = self._bar = loss

    @property
    def slack(self) -> float:
        """By how much the loss may exceed that of the current subset in a success."""
        return self._tolerance + self._bar - self.loss

    @property
    def done(self) -> bool:
        """Whether there is nothing left to try."""
        number = self.number
        if number.n <= self._least:
            return True
        if isinstance(number, KnownNumber):
            # otherwise all are tried alone in the end, and the one that is missed least goes
            return number.n <= number.r or (number.done and not self._thorough)
        by_failures = self._confidence is None or not self._biased
        return (by_failures and number.done) or not self._open.any()

    @property
    def _thorough(self) -> bool:
        return self._biased and self._remember

    def next(self) -> Subset | None:
        """Return the variables to remove next; None at the end."""
        while not self.done:
            self._removed = self._draw()
            key = self._key(self._removed)
            known = self._known.get(key, -np.inf) if not self._forced else -np.inf
            if known <= self.loss + self.slack:
                return frozenset(self._removed.tolist())
            self._fail(known)  # no need to ask again
        return None

    def judged(self, loss: float, left: Subset | None = None) -> None:
        """Take note of the loss without the variables of the last draw, and of what is then left.

        The latter saves time: large subsets are compared at once if they are the same object.
        """
        if self._forced or loss <= self.loss + self.slack:
            self._succeed(loss, left)
        else:
            self._fail(loss)

    def ahead(self, n_draws: int) -> list[Subset]:
        """Return what is left after each of the next draws, should all up to there fail."""
        other = self._copy()
        left = []
        for _ in range(n_draws):
            if other._forced:
                break
            other._fail(np.inf)
            removed = other.next()
            if removed is None or other._forced:  # which one is missed least, nobody knows yet
                break
            left.append(other.current - removed)
        return left

    @property
    def _open(self) -> BoolArray:
        """Variables that may be drawn."""
        open_ = self._free
        if self._remember:
            open_ = open_ & np.isnan(self._missed)
        if self._confidence is not None and not isinstance(self.number, KnownNumber):
            open_ = open_ & (self.relevance.probability < self._confidence)
        return open_

    def _draw(self) -> IntArray:
        rng = np.random.default_rng((self._seed, self._n_draws))
        self._n_draws += 1
        open_ = self._open
        self._forced = not open_.any()
        if self._forced:
            return np.array([np.nanargmin(self._missed)])
        if not self._biased:
            pool = rng.permutation(np.flatnonzero(open_))
            return np.asarray(pool[: self._at_most(self.number.k)])
        return self._biased_draw(open_, rng)

    def _biased_draw(self, open_: BoolArray, rng: np.random.Generator) -> IntArray:
        suspects = self.relevance.suspects
        in_doubt = suspects[open_[suspects]]
        if len(in_doubt):
            return self._likeliest(in_doubt, rng)[: self._at_most(max(1, len(suspects) // 2))]
        unknown = np.flatnonzero(open_ & self.relevance.unknown)
        if len(unknown):
            pool = self._likeliest(unknown, rng)
            return pool[: self._at_most(self._size(pool))]
        return self._likeliest(np.flatnonzero(open_), rng)[:1]

    def _likeliest(self, variables: IntArray, rng: np.random.Generator) -> IntArray:
        """Sort variables by how likely they are to be irrelevant, equals in random order."""
        shuffled = rng.permutation(variables)
        by_relevance = np.argsort(self.relevance.probability[shuffled], kind="stable")
        return np.asarray(shuffled[by_relevance])

    def _size(self, pool: IntArray) -> int:
        """How many of a pool to draw: as the schedule says, with the chances known by now."""
        n, schedules = self.number.n, self.number.schedules
        relevant = float(
            self.number.r
            if isinstance(self.number, KnownNumber)
            else self.relevance.probability[self._free].sum()
        )
        # draws to come will meet false alarms, too; without them one at a time would seem best
        alarms = self.relevance.false_alarm * (n - relevant)
        r = int(np.clip(np.rint(relevant + alarms), 1, max(n - 1, 1)))
        limit = min(_CAUTIOUS * _GROWTH ** min(self._n_successes, 9), _LARGEST)
        most = math.ceil(limit * math.sqrt(len(self._free)))
        sizes = np.arange(1, min(len(pool), n - self._least, most) + 1)
        left = n - sizes
        chance = np.maximum(self.relevance.survival(pool[: len(sizes)]), 1e-300)
        return int(sizes[np.argmin(schedules.costs[left] / chance + schedules[r].cost[left])])

    def _at_most(self, k: int) -> int:
        number = self.number
        if number.fixed_k is not None:
            k = min(k, number.fixed_k)
        limit = number.n - (number.r if isinstance(number, KnownNumber) else self._least)
        return max(1, min(k, limit))

    def _succeed(self, loss: float, left: Subset | None) -> None:
        removed = self._removed
        self.current = self.current - frozenset(removed.tolist()) if left is None else left
        self.loss = loss
        self._bar = loss if self._drift or self._forced else min(self._bar, loss)
        self._free[removed] = False
        self._missed[:] = np.nan
        self._n_successes += 1
        self.relevance.removed(removed)
        self.number.succeeded(len(removed))

    def _fail(self, loss: float) -> None:
        removed = self._removed
        if self._remember:
            self._known[self._key(removed)] = loss
        if self._remember and len(removed) == 1:
            self._missed[removed] = loss
        self._n_successes = 0
        self.relevance.failed(removed)
        self.number.failed()

    def _key(self, removed: IntArray) -> bytes:
        mask = self._free.copy()
        mask[removed] = False
        return np.packbits(mask).tobytes()

    def _copy(self) -> "Draws":
        other = object.__new__(Draws)
        other.__dict__ = {
            name: value.copy() if hasattr(value, "copy") else value
            for name, value in vars(self).items()
        }
        return other
