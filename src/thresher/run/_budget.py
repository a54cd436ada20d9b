"""Limits on time and evaluations, kept while a judge is at work."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import Evaluator, FastEvaluator, Subset
from thresher.parallel import effective_n_jobs
from thresher.races import mean_losses

__all__ = ["Budget", "BudgetSpent", "Meter"]

#: Subsets given at once to a fast evaluator between two looks at the clock.
_FAST_BATCH = 64


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
        Subsets judged.
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


@dataclass
class Meter:
    """An evaluator under a budget: judges ask it, and it counts.

    ``judged`` holds the mean losses of the subsets of a contest under way, in case it is cut short;
    ``told`` are callables that want the number of evaluations while a long contest goes on.
    """

    evaluator: Evaluator
    budget: Budget
    evaluations: int = 0
    judged: dict[Subset, float] = field(default_factory=dict)
    told: Sequence[Callable[[int], object]] = ()
    started: float = field(default_factory=time.perf_counter)

    @property
    def n_blocks(self) -> int:
        """Rows (or folds) that losses are paired over."""
        return self.evaluator.n_blocks

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """How much each of them counts."""
        return self.evaluator.weights

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return time.perf_counter() - self.started

    def losses(
        self, subsets: Sequence[Subset], rows: NDArray[np.intp] | None = None
    ) -> NDArray[np.float64]:
        """Ask the evaluator, in batches small enough to keep to the budget."""
        if isinstance(self.evaluator, FastEvaluator) and not self.budget.limited:
            self.evaluations += len(subsets)
            return self.evaluator.losses(subsets, rows)
        parts, start = [], 0
        while start < len(subsets):
            batch = subsets[start : start + self._batch()]
            parts.append(self.evaluator.losses(batch, rows))
            self.evaluations += len(batch)
            start += len(batch)
            for tell in self.told:
                tell(self.evaluations)
            if rows is None:
                means = mean_losses(parts[-1], self.weights)
                self.judged.update(zip(batch, means.tolist(), strict=True))
        return np.concatenate(parts)

    def _batch(self) -> int:
        """Subsets that may be judged now; raises `BudgetSpent` if none."""
        limit = self.budget.max_evaluations
        left = _FAST_BATCH if limit is None else limit - self.evaluations
        late = self.budget.max_time is not None and self.seconds >= self.budget.max_time
        if left <= 0 or late:
            raise BudgetSpent
        if isinstance(self.evaluator, FastEvaluator):
            return min(left, _FAST_BATCH)
        # small enough to look at the clock, and to lose little if the user has seen enough
        n_jobs = effective_n_jobs(self.evaluator.problem.n_jobs)
        return min(left, n_jobs if self.budget.max_time is not None else 4 * n_jobs)
