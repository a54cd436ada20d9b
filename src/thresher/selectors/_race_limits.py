"""Models in a race that must end in time."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher import races
from thresher.evaluators import ModelsEvaluator
from thresher.parallel import effective_n_jobs
from thresher.run import Budget

__all__ = ["LimitedModels"]

FloatArray = NDArray[np.float64]


class LimitedModels:
    """Answers as models do, until time, evaluations or the user's patience are used up.

    Models that were not tested before the end never ran; one is tested in any case.

    Parameters
    ----------
    models : ModelsEvaluator
        Who answers.
    budget : Budget
        How much they may spend.

    Attributes
    ----------
    ending : {"complete", "budget", "interrupted"}
        How the race ended.
    """

    def __init__(self, models: ModelsEvaluator, budget: Budget):
        self._models = models
        self._budget = budget
        self._started = time.perf_counter()
        self._spent = 0.0
        self.ending = "complete"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._models, name)

    @property
    def evaluations(self) -> float:
        """Models tested on all rows; those on some of them count in part."""
        return self._spent

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return time.perf_counter() - self._started

    def losses(self, models: Sequence[int], rows: Any = None) -> FloatArray:
        """Losses of rows or folds, as they are."""
        return self._in_time(models, lambda some: self._models.losses(some, rows))

    def part_losses(self, models: Sequence[int], part: int) -> FloatArray:
        """Losses of the rows of a part, as they are."""
        return self._in_time(models, lambda some: self._models.part_losses(some, part))

    def _in_time(
        self, models: Sequence[int], ask: Callable[[Sequence[int]], FloatArray]
    ) -> FloatArray:
        models = list(models)
        size = self._batch(len(models))
        found: list[FloatArray] = []
        try:
            for start in range(0, len(models), size):
                if self._spent and self._is_spent():
                    self.ending = "budget"
                    break
                found.append(ask(models[start : start + size]))
                self._spent += found[-1].size / self._models.n_blocks
        except KeyboardInterrupt:
            if not self._spent:
                raise
            self.ending = "interrupted"
        if self.ending != "complete":
            raise races.Enough(np.concatenate(found) if found else None)
        return np.concatenate(found)

    def _batch(self, n_models: int) -> int:
        """Where each costs a fit, few enough to look at the clock in between."""
        fitted = self._models.parts is not None or self._models.unit == "fold"
        limited = fitted and self._budget.limited
        return effective_n_jobs(self._models.n_jobs) if limited else max(n_models, 1)

    def _is_spent(self) -> bool:
        most, longest = self._budget.max_evaluations, self._budget.max_time
        done = most is not None and self._spent >= most - 1e-9
        return done or (longest is not None and self.seconds >= longest)
