"""Where new candidates of a population come from."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import Subset

from ._credit import Credit
from ._space import Space

__all__ = ["GENERATORS", "Offspring", "random_subsets"]

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.intp]

#: Draws in vain, for each candidate wanted, before the neighbourhood is taken for exhausted.
_PATIENCE = 20
#: Credit beyond which more makes no difference, and what one e-fold of the odds takes of it.
_CEILING, _WARMTH = 4.5, 1.5


class Offspring(ABC):
    """Proposes candidates, given the winners of the latest race and what it told.

    Attributes
    ----------
    free : int array
        Variables that are not required.
    least : int
        How many of them a candidate holds at least.
    """

    def __init__(self, space: Space):
        self.space = space
        self.free: IntArray = np.array(
            [v for v in range(space.n_variables) if v not in space.required], dtype=np.intp
        )
        self.least = _fewest(space)

    def propose(
        self,
        winners: Sequence[Subset],
        credit: Credit,
        n_wanted: int,
        seen: set[Subset],
        rng: np.random.Generator,
    ) -> list[Subset]:
        """Return up to ``n_wanted`` subsets that have not been seen, and enter them there."""
        self.learn(winners, credit)
        found: list[Subset] = []
        for _ in range(_PATIENCE * n_wanted):
            if len(found) == n_wanted:
                break
            subset = self.draw(rng)
            if subset and subset not in seen:
                seen.add(subset)
                found.append(subset)
        return found

    @abstractmethod
    def learn(self, winners: Sequence[Subset], credit: Credit) -> None:
        """Get ready to draw after a race."""

    @abstractmethod
    def draw(self, rng: np.random.Generator) -> Subset:
        """Draw one candidate, which may have been seen before."""

    def subset(self, inside: BoolArray) -> Subset:
        """From a mask over the free variables to a subset."""
        return self.space.required.union(self.free[inside].tolist())

    def mask(self, subset: Subset) -> BoolArray:
        """The other way round."""
        inside = np.zeros(self.space.n_variables, dtype=bool)
        inside[list(subset)] = True
        return inside[self.free]


class Neighbours(Offspring):
    """Winners, or children of two of them, with a few variables more or less.

    Variables that have earned credit are rather added, others rather removed. Some candidates
    are made of nothing but the variables with the most credit.
    """

    def learn(self, winners: Sequence[Subset], credit: Credit) -> None:
        """Remember the winners, and turn credit into odds."""
        scores = credit.scores[self.free]
        self._parents = [self.mask(winner) for winner in winners]
        self._odds = np.exp(np.clip(scores, -_CEILING, _CEILING) / _WARMTH)
        self._by_credit = np.argsort(-scores, kind="stable")

    def draw(self, rng: np.random.Generator) -> Subset:
        """Draw a neighbour of a winner."""
        inside = self._parents[rng.integers(len(self._parents))].copy()
        if rng.random() < 0.2:
            size = max(self.least, int(inside.sum()) + int(rng.integers(-3, 2)))
            inside[:] = False
            inside[self._by_credit[:size]] = True
            return self.subset(inside)
        n_flips = int(rng.geometric(0.5))
        if rng.random() < 0.5:
            other = self._parents[rng.integers(len(self._parents))]
            inside = np.where(inside != other, rng.random(len(inside)) < 0.5, inside)
            n_flips -= 1
        for _ in range(n_flips):
            self._flip(inside, rng)
        return self.subset(inside)

    def _flip(self, inside: BoolArray, rng: np.random.Generator) -> None:
        """Add or remove one variable, in place."""
        adding = bool(rng.random() < 0.5) or inside.sum() <= self.least
        choices = np.flatnonzero(~inside if adding else inside)
        if len(choices):
            odds = self._odds[choices] if adding else 1.0 / self._odds[choices]
            inside[rng.choice(choices, p=odds / odds.sum())] = adding


class SchemaDraws(Offspring):
    """Random subsets in which ever more variables are decided (after Moore and Lee's schemata).

    After each race, variables of which it is clear that they help are in all candidates, and one
    in eight of those that help least is in none. The others are drawn at random.
    """

    def __init__(self, space: Space):
        super().__init__(space)
        self._on = np.zeros(len(self.free), dtype=bool)
        self._open = np.ones(len(self.free), dtype=bool)
        self._share = 0.5

    def learn(self, winners: Sequence[Subset], credit: Credit) -> None:
        """Decide some variables."""
        scores = credit.scores[self.free]
        self._on |= self._open & (scores > _CEILING)
        self._open &= ~self._on
        undecided = np.flatnonzero(self._open)
        n_off = -(-len(undecided) // 8)
        self._open[undecided[np.argsort(scores[undecided], kind="stable")[:n_off]]] = False
        # as large as the winners are, on average
        n_more = np.mean([self.mask(winner).sum() for winner in winners]) - self._on.sum()
        self._share = float(np.clip(n_more / max(1, self._open.sum()), 0.05, 0.5))

    def draw(self, rng: np.random.Generator) -> Subset:
        """Draw a subset that matches the schema."""
        return self.subset(self._on | (self._open & (rng.random(len(self.free)) < self._share)))


GENERATORS: dict[str, type[Offspring]] = {"neighbours": Neighbours, "schemata": SchemaDraws}


def random_subsets(
    space: Space,
    pool: Sequence[int],
    most: int,
    n_wanted: int,
    rng: np.random.Generator,
    *,
    strict: bool = False,
) -> list[Subset]:
    """Different subsets of a pool of variables, all of them if there are no more than wanted.

    Sizes are drawn evenly from 1 to ``most``, so that small subsets are not rare; where all are
    taken, there are larger ones among them, unless ``strict``.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> len(random_subsets(Space(3), [0, 1, 2], most=3, n_wanted=100, rng=rng))
    7
    """
    variables = np.array([v for v in pool if v not in space.required], dtype=np.intp)
    n = len(variables)
    least = _fewest(space)
    if n < 60 and 2**n - least <= n_wanted:
        masks = (np.arange(least, 2**n)[:, None] >> np.arange(n)) & 1
        masks = masks[masks.sum(axis=1) <= most] if strict else masks
        return [space.required.union(variables[row == 1].tolist()) for row in masks]
    found: dict[Subset, None] = {}
    for _ in range(_PATIENCE * n_wanted):
        if len(found) == n_wanted:
            break
        size = int(rng.integers(1, min(most, n) + 1))
        drawn = rng.choice(variables, size, replace=False)
        found[space.required.union(drawn.tolist())] = None
    return list(found)


def _fewest(space: Space) -> int:
    """How many variables a candidate must hold besides the required ones: none may be empty."""
    return 0 if space.required else 1
