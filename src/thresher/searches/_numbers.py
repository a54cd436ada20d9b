"""How many variables are relevant: known, or searched for while variables are removed."""

import math
from abc import ABC, abstractmethod
from copy import copy
from typing import Self

from ._schedule import Schedules, expected_failures

__all__ = ["KnownNumber", "NumberSearch", "RelevantNumber"]

#: Blind draws for a known number of variables end after so many times the expected failures.
_HOPELESS = 50


class RelevantNumber(ABC):
    """A belief about the number of relevant variables, and the size of draws that follows from it.

    Parameters
    ----------
    n : int
        Variables left.
    schedules : Schedules
        Which tell the size of draws.
    k : int, optional
        Size of all draws, in place of the schedule's.
    """

    r: int

    def __init__(self, n: int, schedules: Schedules, k: int | None):
        self.n = n
        self.schedules = schedules
        self.fixed_k = k
        self.n_failures = 0

    @property
    def k(self) -> int:
        """How many variables to draw now."""
        if self.fixed_k is not None:
            return min(self.fixed_k, self.n)
        # without any irrelevant variable left the model has nothing to say: one at a time
        return int(self.schedules[self.r].k[self.n]) if self.n > self.r else 1

    @property
    def expected_failures(self) -> float:
        """Failures to expect before the next success."""
        if self.n <= self.r:
            return float(self.n - 1)
        return expected_failures(self.n, self.r, min(self.k, self.n - self.r))

    def succeeded(self, k: int) -> None:
        """Take note that k variables are gone."""
        self.n -= k
        self.n_failures = 0

    def failed(self) -> None:
        """Take note of a draw that failed."""
        self.n_failures += 1

    def copy(self) -> Self:
        """Return another one in the same state."""
        return copy(self)

    @property
    @abstractmethod
    def done(self) -> bool:
        """Whether to stop."""


class KnownNumber(RelevantNumber):
    """The number of relevant variables is given (RVE)."""

    def __init__(self, n: int, schedules: Schedules, k: int | None, r: int):
        super().__init__(n, schedules, k)
        self.r = r

    @property
    def k(self) -> int:
        """How many variables to draw now: never more than there are too many."""
        return min(super().k, self.n - self.r)

    @property
    def done(self) -> bool:
        """Whether the number is reached, or no draw will ever succeed."""
        # the schedule expects no more failures than there are variables; a size given may
        expected = min(self.expected_failures, self.n)
        return self.n <= self.r or self.n_failures > _HOPELESS * (1 + expected)


class NumberSearch(RelevantNumber):
    """A binary search for the number of relevant variables (RVErS).

    Too many failures in a row show that there are more relevant variables than believed, many
    successes in a row that there are fewer. When the bounds have met and failures are too many
    again, or no more variables are left than there should be, those left are tried one by one.

    Parameters
    ----------
    n, schedules, k
        See `RelevantNumber`.
    r_min, r_max : int
        Bounds.
    c1 : float
        Failures in a row that are too many, as a multiple of those expected.
    c2 : float
        Successes in a row that are many, as a share of r less the failures expected.
    """

    def __init__(
        self,
        n: int,
        schedules: Schedules,
        k: int | None,
        *,
        r_min: int,
        r_max: int,
        c1: float,
        c2: float,
    ):
        super().__init__(n, schedules, k)
        self.r_min, self.r_max = r_min, r_max
        self.c1, self.c2 = c1, c2
        self.n_successes = 0
        self._halve()

    def succeeded(self, k: int) -> None:
        """Take note that k variables are gone, and lower the bounds if that was too easy."""
        super().succeeded(k)
        self.n_successes += 1
        self._adjust()

    def failed(self) -> None:
        """Take note of a draw that failed, and raise the bounds if there were too many."""
        super().failed()
        self.n_successes = 0
        self._adjust()

    @property
    def done(self) -> bool:
        """Whether those left were tried one by one, and failed too many times in a row."""
        return self.r_min >= self.r_max and self.n_failures > self.c1 * self.expected_failures

    def _adjust(self) -> None:
        too_many = self.n_failures >= self.c1 * self.expected_failures
        if self.n <= self.r_min:
            self._settle()
        elif self.r_min >= self.r_max:
            if too_many:  # more are relevant than the search has found: try the rest one by one
                self._settle()
                self.n_failures = 0
        elif too_many:
            # halves are rounded down, so that r may be r_min already
            self.r_min = self.r if self.r > self.r_min else self.r_max
            self._halve()
        elif self.n_successes > 0 and self.n_successes >= self.c2 * (
            self.r - self.expected_failures
        ):
            self.r_max = self.r
            self._halve()

    def _settle(self) -> None:
        """Take all that are left for relevant."""
        self.r = self.r_min = self.r_max = self.n

    def _halve(self) -> None:
        self.r = math.floor((self.r_min + self.r_max) / 2)
        self.n_successes = self.n_failures = 0
