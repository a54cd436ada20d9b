"""A population of subsets: race them, breed the winners, race again (RACSAM)."""

import math
from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np

from thresher.evaluators import Subset
from thresher.races import Contest

from ._base import Search, SearchStrategy
from ._credit import Credit
from ._offspring import GENERATORS, random_subsets
from ._space import Space

__all__ = ["Population"]


class Population(SearchStrategy):
    """Race many random subsets, and then again and again the neighbours of those that won.

    Parameters
    ----------
    n_candidates : int, default=1000
        Subsets in the first race; all there are, if they are no more.
    n_winners : int, default=20
        With how many a race may end, and from how many the next candidates are made.
    max_candidates : int, optional
        Different subsets raced in all, before the best is explained; twice ``n_candidates`` if
        None.
    n_offspring : int, optional
        New candidates in each later race; by default a twentieth of ``n_candidates``, or twice
        ``n_winners`` if that is more.
    generator : {"neighbours", "schemata"}, default="neighbours"
        How new candidates are made: winners crossed and changed in a few variables, or random
        subsets in which ever more variables are decided.
    pool : sequence of int, optional
        Variables that the first candidates are made of; all if None.
    max_size : int, optional
        How many variables the first candidates have at most; if None, the root of the number of
        variables.
    patience : int, optional
        Races after which to stop if the best subset stays the same; None to go on.
    first_rows : int, optional
        Rows after which the first race, which is the largest, ends in any case.
    prefer_small : bool, default=True
        Whether the best is the smallest of those that are not known to be worse than the one with
        the lowest loss, and half of the winners are such; else the lowest loss alone counts.
    explain : bool, default=True
        Whether to race the best subset against those that differ from it in one variable, in the
        end. That changes nothing, but tells about each variable what it is good for.
    """

    def __init__(
        self,
        n_candidates: int = 1000,
        n_winners: int = 20,
        max_candidates: int | None = None,
        n_offspring: int | None = None,
        generator: str = "neighbours",
        pool: Sequence[int] | None = None,
        max_size: int | None = None,
        patience: int | None = 5,
        first_rows: int | None = 40,
        *,
        prefer_small: bool = True,
        explain: bool = True,
    ):
        self.n_candidates = n_candidates
        self.n_winners = n_winners
        self.max_candidates = max_candidates
        self.n_offspring = n_offspring
        self.generator = generator
        self.pool = pool
        self.max_size = max_size
        self.patience = patience
        self.first_rows = first_rows
        self.prefer_small = prefer_small
        self.explain = explain

    def run(self, space: Space, rng: np.random.Generator) -> Search:
        """Search by generations."""
        self._check()
        if space.full == space.required:
            return space.full
        most = 2 * self.n_candidates if self.max_candidates is None else self.max_candidates
        wanted = max(2 * self.n_winners, self.n_candidates // 20)
        wanted = wanted if self.n_offspring is None else self.n_offspring
        self._check_pool(space)
        credit, offspring = Credit(space.n_variables), GENERATORS[self.generator](space)
        new = self._first(space, min(self.n_candidates, most), rng)
        seen, n_same = set(new), 0
        winners: list[Subset] = []
        champions: dict[Subset, None] = {}
        while True:
            contest = Contest(
                list(dict.fromkeys([*winners, *champions, *new])),
                incumbent=winners[0] if winners else None,
                n_winners=self.n_winners,
                max_rows=None if winners else self.first_rows,
                prefer_small=self.prefer_small,
            )
            outcome = yield contest
            credit.read(contest.candidates, outcome.places())
            before, winners = winners, contest.winners(outcome)
            champions[winners[0]] = None  # bad luck in one race is not the end
            n_same = n_same + 1 if before and before[0] == winners[0] else 0
            n_left = min(wanted, most - len(seen))
            if n_left < 1 or (self.patience is not None and n_same >= self.patience):
                break
            new = offspring.propose(winners, credit, n_left, seen, rng)
            if not new:
                break
        best = yield from self._play_off([*winners, *champions])
        if self.explain:
            yield Contest(space.neighbours(best), incumbent=best, challenge=True)
        return best

    def _play_off(self, candidates: list[Subset]) -> Search:
        """Find the best of the winners and of those that were the best once.

        Earlier races ended when few enough were left, mostly after a few rows; this one goes on.
        """
        contest = Contest(
            list(dict.fromkeys(candidates)),
            incumbent=candidates[0],
            n_winners=self.n_winners,
            n_left=1,
            prefer_small=self.prefer_small,
        )
        outcome = yield contest
        return contest.winners(outcome)[0]

    def _first(self, space: Space, n_wanted: int, rng: np.random.Generator) -> list[Subset]:
        pool: Sequence[int] = range(space.n_variables)
        if self.pool is not None and not space.required.issuperset(self.pool):
            pool = self.pool  # else it offers no choice
        most = self.max_size or math.ceil(math.sqrt(space.n_variables))
        return random_subsets(space, pool, most, n_wanted, rng, strict=self.max_size is not None)

    def _check_pool(self, space: Space) -> None:
        if self.pool is not None and not space.full.issuperset(self.pool):
            strangers = sorted(set(self.pool) - space.full)[:5]
            raise ValueError(
                f"pool must hold variables, 0 to {space.n_variables - 1}; got {strangers}"
            )

    def _check(self) -> None:
        optional = ("max_candidates", "n_offspring", "max_size", "patience", "first_rows")
        for name in ("n_candidates", "n_winners", *optional):
            value: Any = getattr(self, name)
            if value is None and name in optional:
                continue
            if type(value) is bool or not isinstance(value, Integral) or int(value) < 1:
                raise ValueError(f"{name} must be a whole number of at least 1; got {value!r}")
        if self.generator not in GENERATORS:
            raise ValueError(
                f"generator must be one of {', '.join(map(repr, GENERATORS))}; got "
                f"{self.generator!r}"
            )
