"""Limits on time and evaluations."""

from dataclasses import dataclass

__all__ = ["Budget", "BudgetSpent"]


class BudgetSpent(Exception):  # noqa: N818 - an end, not an error
    """Raised between two evaluations when the budget does not allow another one."""


@dataclass(frozen=True)
class Budget:
    """How much a search may spend.

    Parameters
    ----------
    max_time : float, optional
        Seconds.
    max_evaluations : int, optional
        Subsets judged. Where a race looks at some of the rows only, as many as could have been
        judged on all rows with the same number of losses.
    """

    max_time: float | None = None
    max_evaluations: int | None = None

    def __post_init__(self) -> None:
        if self.max_time is not None and not self.max_time > 0:
            raise ValueError(f"max_time must be positive seconds; got {self.max_time!r}")
        if self.max_evaluations is not None and not self.max_evaluations >= 1:
            raise ValueError(f"max_evaluations must be at least 1; got {self.max_evaluations!r}")

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return self.max_time is not None or self.max_evaluations is not None
