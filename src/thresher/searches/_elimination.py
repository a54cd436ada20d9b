"""Randomized variable elimination: RVE and RVErS, as published and improved."""

import math
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np

from thresher.evaluators import Removals
from thresher.races import Contest

from ._base import Search, SearchStrategy
from ._costs import CostFunction
from ._draws import Draws
from ._numbers import KnownNumber, NumberSearch, RelevantNumber
from ._path import check_tolerance
from ._relevance import Relevance
from ._schedule import Schedules
from ._space import Space

__all__ = ["RandomizedElimination"]

Stop = Literal["posterior", "failures"]


class RandomizedElimination(SearchStrategy):
    """Remove many variables at a time, drawn at random; take them back if they are missed.

    If few variables are relevant, a random draw of the right size will often hold none of them. The
    size follows the schedule of least expected cost for the number of relevant variables, which is
    given (RVE) or searched for along the way (RVErS).

    Parameters
    ----------
    n_relevant : int, optional
        How many variables are relevant; None to search for it.
    r_min : int, default=2
        At least so many are, if their number is not given.
    r_max : int, optional
        At most so many are; all, if None.
    c1 : float, default=3.0
        Failures in a row that are too many, as a multiple of those expected.
    c2 : float, default=0.3
        Successes in a row that are many, as a share of the relevant variables less the failures
        expected.
    tolerance : float, default=0.002
        By how much the loss may rise in a removal that counts as a success.
    cost : str or callable, default="linear"
        What learning costs, as a function of the number of variables; see `elimination_schedule`.
    k : int, optional
        Size of all draws, in place of the schedule's. How many are relevant is then not searched
        for, and ``c1`` times as many failures in a row as there are variables are too many.
    biased : bool, default=True
        Draw the variables that are least likely to be relevant, judging by the draws that failed
        and succeeded before; parts of a draw that failed first. Otherwise all are equally likely.
    remember : bool, default=True
        Never judge a subset twice, nor draw a variable that alone was missed since the last
        success.
    stop : {"posterior", "failures"}, default="posterior"
        Stop when each variable left is relevant with probability ``confidence`` or was tried alone
        since the last success; or after too many failures in a row, as published.
    confidence : float, default=0.99
        See ``stop``.
    drift : bool, default=False
        Whether each success sets the loss that the next one is compared with, even if it is higher;
        many small rises may then add up. Otherwise it is the lowest loss so far.

    Notes
    -----
    With ``biased=False``, ``remember=False``, ``stop="failures"`` and ``drift=True`` this is the
    algorithm as printed by Stracuzzi and Utgoff (2004), but for two misprints.
    """

    def __init__(
        self,
        n_relevant: int | None = None,
        *,
        r_min: int = 2,
        r_max: int | None = None,
        c1: float = 3.0,
        c2: float = 0.3,
        tolerance: float = 0.002,
        cost: CostFunction = "linear",
        k: int | None = None,
        biased: bool = True,
        remember: bool = True,
        stop: Stop = "posterior",
        confidence: float = 0.99,
        drift: bool = False,
    ):
        self.n_relevant = n_relevant
        self.r_min = r_min
        self.r_max = r_max
        self.c1 = c1
        self.c2 = c2
        self.tolerance = tolerance
        self.cost = cost
        self.k = k
        self.biased = biased
        self.remember = remember
        self.stop = stop
        self.confidence = confidence
        self.drift = drift

    def run(self, space: Space, rng: np.random.Generator) -> Search:
        """Eliminate variables, starting with all of them."""
        self.check(space)
        draws = self._draws(space, int(rng.integers(2**62)))
        if draws.done:
            return space.full
        outcome = yield Contest([space.full])
        draws.start(outcome.loss)
        while (removed := draws.next()) is not None:
            outcome = yield Contest(
                Removals(draws.current, [removed]),
                incumbent=draws.current,
                challenge=True,
                incumbent_loss=draws.loss,
                tolerance=draws.slack,
                ahead=draws.ahead,
                relevance=lambda: draws.relevance.probability,
            )
            draws.judged(outcome.loss, outcome.best)
        return draws.current

    def check(self, space: Space) -> None:
        """Refuse parameters that mean nothing, by name."""
        check_tolerance(self.tolerance)
        n, kept = space.n_variables, len(space.required)
        _check_whole(self.n_relevant, "n_relevant", 1)
        _check_whole(self.r_max, "r_max", 1)
        _check_whole(self.k, "k", 1)
        _check_whole(self.r_min, "r_min", 1, or_none=False)
        most = max(n - 1, kept, 1)
        if self.n_relevant is not None and not max(kept, 1) <= self.n_relevant <= most:
            raise ValueError(
                f"n_relevant must be less than the number of variables, {n}, and at least the "
                f"number of those to keep, {kept}; got {self.n_relevant}"
            )
        if self.r_max is not None and self.r_max < self.r_min:
            raise ValueError(f"r_max must be at least r_min = {self.r_min}; got {self.r_max}")
        for name in ("c1", "c2"):
            value: Any = getattr(self, name)
            if (
                isinstance(value, bool)
                or not isinstance(value, Real)
                or not 0 < float(value) < math.inf
            ):
                raise ValueError(f"{name} must be a positive number; got {value!r}")
        confidence: Any = self.confidence
        if not (isinstance(confidence, Real) and 0 < float(confidence) < 1):
            raise ValueError(f"confidence must lie between 0 and 1; got {confidence!r}")
        if self.stop not in ("posterior", "failures"):
            raise ValueError(f"stop must be 'posterior' or 'failures'; got {self.stop!r}")

    def _draws(self, space: Space, seed: int) -> Draws:
        kept = len(space.required)
        n = space.n_variables - kept
        schedules = Schedules(max(n, 1), self.cost, kept)
        number = self._number(n, kept, schedules)
        share = number.r / max(n, 1) if self.n_relevant is not None else self._guess(n, kept)
        return Draws(
            space.full,
            space.required,
            number,
            Relevance(space.n_variables, share, fixed=self.n_relevant is not None),
            seed,
            tolerance=self.tolerance,
            biased=self.biased,
            remember=self.remember,
            confidence=self.confidence if self.stop == "posterior" else None,
            drift=self.drift,
        )

    def _number(self, n: int, kept: int, schedules: Schedules) -> RelevantNumber:
        if self.n_relevant is not None:
            return KnownNumber(n, schedules, self.k, self.n_relevant - kept)
        # with draws of one size there is nothing to find out but when to stop
        low, high = self._bounds(n, kept) if self.k is None else (n, n)
        return NumberSearch(n, schedules, self.k, r_min=low, r_max=high, c1=self.c1, c2=self.c2)

    def _bounds(self, n: int, kept: int) -> tuple[int, int]:
        most = n if self.r_max is None else min(self.r_max - kept, n)
        low = max(1, min(self.r_min - kept, n))
        return low, max(low, most)

    def _guess(self, n: int, kept: int) -> float:
        """Share of relevant variables to begin with: their mean if each order is as likely."""
        low, high = self._bounds(n, kept)
        mean = (high - low) / math.log(high / low) if high > low else float(low)
        return mean / max(n, 1)


def _check_whole(value: Any, name: str, least: int, *, or_none: bool = True) -> None:
    if value is None and or_none:
        return
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(
            f"{name} must be a whole number of at least {least}"
            f"{' or None' if or_none else ''}; got {value!r}"
        )
