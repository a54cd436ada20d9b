"""RACSAM that counts the rows which its races test and learn from."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.races import Friedman, Samples, Subsamples
from thresher.selectors import RACSAM

__all__ = ["CountingRACSAM"]

IntArray = NDArray[np.intp]


class CountingRACSAM(RACSAM):
    """RACSAM that notes what its races cost.

    Attributes
    ----------
    races_ : list of dict
        For each race, from how many rows each of its tests was predicted, by the number of the
        test. The last race only explains the result.
    """

    def _fit_to(self, *args: Any) -> Any:
        strategy, judge = super()._fit_to(*args)
        assert isinstance(judge, Friedman)
        plan = judge.subsamples
        assert plan is not None
        self.races_: list[dict[int, int]] = []
        counted = _Counted(
            plan.first, plan.growth, plan.most, plan.n_tested, plan.max_tested, self.races_
        )
        return strategy, Friedman(self.p_value, posthoc="worst", subsamples=counted)


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
