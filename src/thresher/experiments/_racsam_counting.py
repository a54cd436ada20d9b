"""RACSAM that counts the subsets of its races, and the rows that they test and learn from."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import Subset
from thresher.races import Contest, Friedman, Outcome, Samples, Subsamples
from thresher.searches import Search, SearchStrategy, Space
from thresher.selectors import RACSAM

__all__ = ["CountingRACSAM", "Race"]

IntArray = NDArray[np.intp]


@dataclass(frozen=True)
class Race:
    """One race.

    Parameters
    ----------
    sizes : dict of int to int
        From how many rows each of its tests was predicted, by the number of the test.
    n_seen : int
        Different subsets in this race and in all before it.
    best : subset
        Who won.
    """

    sizes: dict[int, int]
    n_seen: int
    best: Subset


class CountingRACSAM(RACSAM):
    """RACSAM that notes what its races cost.

    Attributes
    ----------
    races_ : list of Race
        Those between the first candidates and between generations. Neither the play-off of the
        winners nor the race that only explains the result is among them.
    """

    def _fit_to(self, *args: Any) -> Any:
        strategy, judge = super()._fit_to(*args)
        assert isinstance(judge, Friedman)
        plan = judge.subsamples
        assert plan is not None
        drawn: list[dict[int, int]] = []
        counted = _Counted(
            plan.first, plan.growth, plan.most, plan.n_tested, plan.max_tested, drawn
        )
        self.races_: list[Race] = []
        seen: set[Subset] = set()

        def note(contest: Contest, outcome: Outcome) -> None:
            if contest.n_left is None and not contest.challenge:
                seen.update(contest.candidates)
                self.races_.append(Race(drawn[-1], len(seen), contest.winners(outcome)[0]))

        judge = Friedman(self.p_value, posthoc="worst", subsamples=counted)
        return _Watched(strategy, note), judge


class _Watched(SearchStrategy):
    """A strategy, and somebody who is told how each of its contests went."""

    def __init__(self, strategy: SearchStrategy, note: Callable[[Contest, Outcome], object]):
        self.strategy = strategy
        self.note = note

    def run(self, space: Space, rng: np.random.Generator) -> Search:
        """Do what the strategy does."""
        under_way = self.strategy.run(space, rng)
        try:
            contest = next(under_way)
            while True:
                outcome = yield contest
                self.note(contest, outcome)
                contest = under_way.send(outcome)
        except StopIteration as end:
            best: Subset = end.value
            return best


@dataclass(frozen=True)
class _Counted(Subsamples):
    races: list[dict[int, int]] = field(default_factory=list)

    def over(self, rows: IntArray, seed: int) -> Samples:
        """Heats over the given rows, each noted when it is drawn."""
        samples = _CountedSamples(self, rows, seed)
        self.races.append(samples.sizes)
        return samples


class _CountedSamples(Samples):
    def __init__(self, plan: Subsamples, rows: IntArray, seed: int):
        super().__init__(plan, rows, seed)
        self.sizes: dict[int, int] = {}

    def draw(self, heat: int) -> tuple[IntArray, IntArray]:
        """Return the rows to test and those to learn from."""
        tested, train = super().draw(heat)
        self.sizes[heat] = len(train)  # it may be drawn again for others
        return tested, train
