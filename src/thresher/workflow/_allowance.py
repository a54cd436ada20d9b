"""How much a selection may spend: seconds or evaluations, shared among its parts."""

import re
import time
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

__all__ = ["Allowance", "read_budget"]

_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?")
_EVALUATIONS = re.compile(r"(\d+) ?(?:evaluations?|evals?)")
_EXPECTED = "seconds, a duration such as '90s', '10m' or '1h30m', or '500 evaluations'"


@dataclass(frozen=True)
class Allowance:
    """What is left to spend; None is no limit.

    Parameters
    ----------
    deadline : float, optional
        On the clock of ``time.perf_counter``.
    evaluations : int, optional
        As each method counts them.
    """

    deadline: float | None = None
    evaluations: int | None = None

    @property
    def parameters(self) -> tuple[str, ...]:
        """What selectors call the limits that there are."""
        limits = {"max_time": self.deadline, "max_evaluations": self.evaluations}
        return tuple(name for name, limit in limits.items() if limit is not None)

    @property
    def seconds(self) -> float | None:
        """Time left, negative if it is over."""
        return None if self.deadline is None else self.deadline - time.perf_counter()

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left."""
        over = self.deadline is not None and time.perf_counter() >= self.deadline
        return over or (self.evaluations is not None and self.evaluations < 1)

    def share(self, part: float) -> "Allowance":
        """Set a part of what is left aside for one task."""
        seconds = self.seconds
        return Allowance(
            None if seconds is None else time.perf_counter() + part * seconds,
            None if self.evaluations is None else max(int(part * self.evaluations), 1),
        )

    def after(self, evaluations: int) -> "Allowance":
        """What is left when so many evaluations have been made."""
        left = None if self.evaluations is None else self.evaluations - evaluations
        return replace(self, evaluations=left)


def read_budget(budget: Any) -> Allowance:
    """Read a budget as a user writes it; the clock starts now.

    Examples
    --------
    >>> 89 < read_budget("1m30s").seconds <= 90
    True
    >>> read_budget("500 evaluations").evaluations
    500
    >>> read_budget(None).parameters
    ()
    """
    if budget is None:
        return Allowance()
    seconds: float | None = None
    if isinstance(budget, str):
        text = budget.strip().lower()
        if match := _EVALUATIONS.fullmatch(text):
            if int(match[1]) < 1:
                raise ValueError(f"budget must allow at least one evaluation; got {budget!r}")
            return Allowance(evaluations=int(match[1]))
        seconds = _duration(text)
    elif isinstance(budget, Real):
        seconds = float(budget)
    if seconds is None:
        raise ValueError(f"budget must be {_EXPECTED}; got {budget!r}")
    if not 0 < seconds < float("inf"):
        raise ValueError(f"budget must be a positive time; got {budget!r}")
    return Allowance(time.perf_counter() + seconds)


def _duration(text: str) -> float | None:
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return float(text)
    match = _DURATION.fullmatch(text.replace(" ", ""))
    if not text or match is None:
        return None
    parts = zip(match.groups(), ("h", "m", "s"), strict=True)
    return sum(float(amount) * _SECONDS[unit] for amount, unit in parts if amount)
