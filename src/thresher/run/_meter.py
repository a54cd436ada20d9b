"""An evaluator under a budget: it counts, remembers and stops in time."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import Evaluator, Subset
from thresher.parallel import effective_n_jobs
from thresher.races import mean_losses, standard_error

from ._budget import Budget, BudgetSpent
from ._foresight import Foresight
from ._memory import RowMemory

__all__ = ["Meter"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Subsets given at once to a fast evaluator between two looks at the clock.
_FAST_BATCH = 64
#: The same where each of them is tested on a few rows only.
_SAMPLE_BATCH = 1024
#: How many times as many are fitted at once to a small sample, if nobody looks at the clock.
_SMALL_FITS = 16


@dataclass
class Meter:
    """An evaluator under a budget: judges ask it, and it counts.

    ``judged`` holds the mean losses of the subsets of a contest under way, in case it is cut short;
    ``told`` are callables that want the number of evaluations while a long contest goes on;
    ``ahead`` names subsets that may be asked for next (see `Contest`); ``is_first`` tells whether
    no contest has been decided yet, so that a part of one is better than nothing.
    """

    evaluator: Evaluator
    budget: Budget
    judged: dict[Subset, float] = field(default_factory=dict)
    told: Sequence[Callable[[int], object]] = ()
    ahead: Callable[[int], Sequence[Subset]] | None = None
    started: float = field(default_factory=time.perf_counter)
    is_first: bool = True
    _spent: float = 0.0

    def __post_init__(self) -> None:
        self._memory = RowMemory(self.evaluator.n_blocks)
        self._foresight = Foresight()
        self._sampled: dict[Subset, tuple[float, float, int]] = {}

    @property
    def unit(self) -> str:
        """What losses are paired over: "row" or "fold"."""
        return self.evaluator.unit

    @property
    def n_blocks(self) -> int:
        """How many rows or folds there are."""
        return self.evaluator.n_blocks

    @property
    def weights(self) -> FloatArray | None:
        """How much each of them counts."""
        return self.evaluator.weights

    @property
    def held_out(self) -> IntArray:
        """Those that are held out at least once."""
        return self.evaluator.held_out

    @property
    def parts(self) -> Sequence[IntArray] | None:
        """Rows whose losses come together."""
        return self.evaluator.parts

    @property
    def growth(self) -> float:
        """Rows to ask for at once, as a share of those seen."""
        return self.evaluator.growth

    @property
    def loss_span(self) -> float | None:
        """Largest possible difference between two losses."""
        return self.evaluator.loss_span

    @property
    def evaluations(self) -> int:
        """Subsets judged, those on some of the rows counted in part."""
        return math.ceil(self._spent - 1e-9)

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return time.perf_counter() - self.started

    def losses(self, subsets: Sequence[Subset], rows: IntArray | None = None) -> FloatArray:
        """Ask the evaluator, in batches small enough to keep to the budget."""
        if rows is not None:
            return self._some_rows(subsets, rows)
        if self.evaluator.is_quick and not self.budget.limited:
            self._spent += len(subsets)
            return self.evaluator.losses(subsets)
        parts, start = [], 0
        n_folds = len(self.evaluator.problem.folds)
        while start < len(subsets):
            batch = subsets[start : start + self._batch()]
            if self._n_ahead(batch, n_folds):
                parts.append(self._foresee(batch, -1, n_folds, self.evaluator.losses))
            else:
                parts.append(self.evaluator.losses(batch))
                self._count(len(batch))
            start += len(batch)
            means = mean_losses(parts[-1], self.weights)
            self.judged.update(zip(batch, means.tolist(), strict=True))
        return np.concatenate(parts)

    def part_losses(self, subsets: Sequence[Subset], part: int) -> FloatArray:
        """Ask for one part of the rows, in batches likewise."""
        found, start = [], 0
        while start < len(subsets):
            batch = subsets[start : start + self._batch()]
            fetch = partial(self.evaluator.part_losses, part=part)
            found.append(self._foresee(batch, part, 1, fetch))
            start += len(batch)
        return np.concatenate(found)

    def sample_losses(
        self, subsets: Sequence[Subset], rows: IntArray, train: IntArray
    ) -> FloatArray:
        """Ask for rows predicted from a sample of the others, in batches likewise."""
        found, start = [], 0
        while start < len(subsets):
            size = self._batch()
            if self.evaluator.is_quick:
                size = _SAMPLE_BATCH
            elif self.budget.max_time is None:
                size *= _SMALL_FITS
            room = self._room
            if room is not None:
                size = min(size, max(1, int(room // max(len(rows), 1))))
            batch = subsets[start : start + size]
            found.append(self.evaluator.sample_losses(batch, rows, train))
            self._count(len(batch) * len(rows) / self.n_blocks)
            start += len(batch)
        losses = np.concatenate(found)
        self._note_samples(subsets, rows, losses)
        return losses

    def _note_samples(self, subsets: Sequence[Subset], rows: IntArray, losses: FloatArray) -> None:
        """Keep the mean losses of those still in a race up to date, in case it is cut short."""
        if not self.judged:  # a new race
            self._sampled = {}
        weights = np.ones(len(rows)) if self.weights is None else self.weights[rows]
        weight = float(weights.sum())
        for subset, total in zip(subsets, (losses @ weights).tolist(), strict=True):
            known, known_weight, n = self._sampled.get(subset, (0.0, 0.0, 0))
            self._sampled[subset] = known + total, known_weight + weight, n + len(rows)
        # a heat may come in several calls; who has seen fewer rows has left
        n_most = max((n for _, _, n in self._sampled.values()), default=0)
        self.judged = {
            subset: total / (weight or 1.0)
            for subset, (total, weight, n) in self._sampled.items()
            if n == n_most
        }

    def draw_losses(self, masks: NDArray[np.bool_], units: IntArray) -> FloatArray:
        """Ask for draws; the clock is looked at before each call."""
        self._batch()
        n_units = self.n_blocks if self.parts is None else len(self.parts)
        room = self._room
        if room is not None and len(units) / n_units > room / self.n_blocks:
            raise BudgetSpent
        losses = self.evaluator.draw_losses(masks, units)
        if self.parts is None:
            self._memory.note(masks, units, losses)
        self._count(len(units) / n_units)
        return losses

    def _foresee(
        self,
        batch: Sequence[Subset],
        part: int,
        n_tasks: int,
        fetch: Callable[[Sequence[Subset]], FloatArray],
    ) -> FloatArray:
        """Ask for what is not known yet, and give idle workers what may be asked for next."""
        n_ahead = self._n_ahead(batch, n_tasks)
        ahead = self.ahead(n_ahead) if n_ahead and self.ahead is not None else ()
        self.evaluator.tentative = frozenset(ahead) - frozenset(batch)
        try:
            losses, n_new = self._foresight.ask(batch, part, ahead, fetch)
        finally:
            self.evaluator.tentative = frozenset()
        self.evaluator.confirm(batch, part)
        # neither what nobody asked for in the end, nor what was known of whole subsets matters for
        # the count: both depend on the workers
        self._count(len(batch) if part < 0 else n_new / len(self.evaluator.parts or [0]))
        return losses

    def _n_ahead(self, batch: Sequence[Subset], n_tasks: int) -> int:
        """How many subsets more can be judged in the same time, each in so many tasks."""
        if self.ahead is None or len(batch) > 1 or self.evaluator.parts is None:
            return 0
        n_jobs = effective_n_jobs(self.evaluator.problem.n_jobs)
        return max(0, math.ceil(n_jobs / n_tasks) - 1)

    def known(self, subset: Subset) -> tuple[float, float] | None:
        """Mean loss of a subset on all rows that are remembered of it, and the standard error."""
        parts = self.parts
        losses = self._memory.known(subset) if parts is None else self._of_parts(subset, parts)
        if losses is None:
            return None
        mean = float(mean_losses(losses[None, :], self.weights)[0])
        return mean, standard_error(losses, self.weights)

    def _of_parts(self, subset: Subset, parts: Sequence[IntArray]) -> FloatArray | None:
        """Losses of a subset, NaN in parts that nobody asked for; None if nobody asked at all."""
        known = self._foresight.known(subset, len(parts))
        if not known:
            return None
        total, times = np.zeros(self.n_blocks), np.zeros(self.n_blocks)
        for part, losses in known.items():
            total[parts[part]] += losses
            times[parts[part]] += 1
        means: FloatArray = np.full(self.n_blocks, np.nan)
        np.divide(total, times, out=means, where=times > 0)
        return means

    def _some_rows(self, subsets: Sequence[Subset], rows: IntArray) -> FloatArray:
        self._batch()
        room = self._room
        if room is not None and self._memory.n_missing(subsets, rows) > room:
            self._some_subsets(subsets, rows, int(room // len(rows)))
            raise BudgetSpent
        losses, n_new = self._memory.ask(self.evaluator, subsets, rows)
        self._count(n_new / self.n_blocks)
        return losses

    def _some_subsets(self, subsets: Sequence[Subset], rows: IntArray, n_subsets: int) -> None:
        """In the very first contest, judge as many as the budget allows: better than nothing."""
        if not self.is_first or not n_subsets:
            return
        some = subsets[:n_subsets]
        losses, n_new = self._memory.ask(self.evaluator, some, rows)
        self._count(n_new / self.n_blocks)
        weights = None if self.weights is None else self.weights[rows]
        means = mean_losses(losses, weights)
        self.judged.update(zip(some, means.tolist(), strict=True))

    @property
    def _room(self) -> float | None:
        """Losses that can be computed without exceeding the budget by more than an evaluation."""
        limit = self.budget.max_evaluations
        return None if limit is None else (limit - self._spent + 1) * self.n_blocks

    def _count(self, evaluations: float) -> None:
        self._spent += evaluations
        for tell in self.told:
            tell(self.evaluations)

    def _batch(self) -> int:
        """Subsets that may be judged now; raises `BudgetSpent` if none."""
        limit = self.budget.max_evaluations
        left = _FAST_BATCH if limit is None else math.ceil(limit - self._spent - 1e-9)
        late = self.budget.max_time is not None and self.seconds >= self.budget.max_time
        if left <= 0 or late:
            raise BudgetSpent
        if self.evaluator.is_quick:
            return min(left, _FAST_BATCH)
        # small enough to look at the clock, and to lose little if the user has seen enough
        n_jobs = effective_n_jobs(self.evaluator.problem.n_jobs)
        return min(left, n_jobs if self.budget.max_time is not None else 4 * n_jobs)
