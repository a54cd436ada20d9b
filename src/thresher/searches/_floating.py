"""Floating search: stepwise selection that takes back earlier steps when that pays."""

from typing import Literal

import numpy as np

from thresher.evaluators import Flips, Subset
from thresher.races import Contest, Outcome

from ._base import Search, SearchStrategy
from ._path import NFeatures, Path, Rule, Sizes, check_rule
from ._space import Space

__all__ = ["Floating"]


class Floating(SearchStrategy):
    """Sequential floating selection (Pudil, Novovicova and Kittler, 1994).

    After each step in the main direction, steps in the other one follow as long as they give the
    best subset of its size seen so far.

    Parameters
    ----------
    direction : {"forward", "backward"}, default="forward"
        The main direction.
    n_features : int, (int, int) or "auto", default="auto"
        How many variables: a number, a range, or as long as the loss improves (forward), as few as
        do no harm (backward).
    tolerance : float, default=0.0
        With "auto", how much a main step must gain (forward) or may lose (backward).
    rule : {"best", "one-standard-error"}, default="best"
        Which of the best subsets of each size to return.
    """

    def __init__(
        self,
        direction: Literal["forward", "backward"] = "forward",
        n_features: NFeatures = "auto",
        tolerance: float = 0.0,
        rule: Rule = "best",
    ):
        self.direction = direction
        self.n_features = n_features
        self.tolerance = tolerance
        self.rule = rule

    def run(self, space: Space, rng: np.random.Generator) -> Search:
        """Search from one end of the space towards the other."""
        check_rule(self.rule, self.tolerance)
        if self.direction not in ("forward", "backward"):
            raise ValueError(f"direction must be 'forward' or 'backward'; got {self.direction!r}")
        sizes = Sizes.of(self.n_features, space)
        path = Path()
        latest = yield Contest([self._start(space)])
        path.add(latest)
        while not self._arrived(latest.best, sizes):
            in_range = sizes.least <= len(latest.best) <= sizes.most
            outcome = yield _challenge(self._ahead(space, latest.best), latest, challenge=in_range)
            if sizes.auto and in_range and not self._worthwhile(outcome, path, sizes):
                break
            path.add(outcome)
            latest = outcome
            while back := self._back(space, latest.best, path):
                retreat = yield _challenge(back, latest, challenge=True)
                if not path.add(retreat):
                    break
                latest = retreat
        if sizes.auto and self.rule == "best" and self.direction == "backward":
            return self._smallest_harmless(path, sizes)
        return path.choose(sizes, self.rule)

    def _start(self, space: Space) -> Subset:
        return space.empty if self.direction == "forward" else space.full

    def _ahead(self, space: Space, subset: Subset) -> Flips:
        return space.supersets(subset) if self.direction == "forward" else space.subsets(subset)

    def _back(self, space: Space, subset: Subset, path: Path) -> Flips | None:
        """Steps back to a size that has been passed through; going back to the start is idle."""
        if self.direction == "forward":
            target, start = len(subset) - 1, min(path.points)
            return space.subsets(subset) if target > start else None
        target, start = len(subset) + 1, max(path.points)
        return space.supersets(subset) if target < start else None

    def _arrived(self, subset: Subset, sizes: Sizes) -> bool:
        if self.direction == "forward":
            return len(subset) >= sizes.most
        return len(subset) <= sizes.least

    def _worthwhile(self, outcome: Outcome, path: Path, sizes: Sizes) -> bool:
        best = path.best(sizes)
        if self.direction == "forward":
            return outcome.loss < best.loss - self.tolerance
        slack = best.standard_error if self.rule == "one-standard-error" else self.tolerance
        return outcome.loss <= best.loss + slack

    def _smallest_harmless(self, path: Path, sizes: Sizes) -> Subset:
        bar = path.best(sizes).loss + self.tolerance
        return next(
            path.points[size].best for size in sorted(path.points) if path.points[size].loss <= bar
        )


def _challenge(candidates: Flips, latest: Outcome, *, challenge: bool) -> Contest:
    return Contest(
        candidates, incumbent=latest.best, challenge=challenge, incumbent_loss=latest.loss
    )
