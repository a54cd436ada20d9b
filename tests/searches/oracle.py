"""A search told by an oracle what each subset loses."""

from dataclasses import dataclass, field

import numpy as np

from thresher.races import Outcome
from thresher.searches import Space


@dataclass
class Drive:
    """A finished run: the subset, and all contests with the losses they were sent."""

    subset: frozenset
    contests: list = field(default_factory=list)
    losses: list = field(default_factory=list)

    @property
    def asked(self):
        return [contest.candidates[0] for contest in self.contests]


def relevant_of(n, r, seed):
    return frozenset(np.random.default_rng(seed).permutation(n)[:r].tolist())


def perfect(relevant):
    return lambda subset: float(not relevant <= subset)


def drive(strategy, n, loss_of, seed=0, required=(), limit=20_000):
    search = strategy.run(Space(n, required), np.random.default_rng(seed))
    found = Drive(frozenset())
    try:
        contest = next(search)
        for _ in range(limit):
            (candidate,) = contest.candidates
            loss = loss_of(candidate)
            found.contests.append(contest)
            found.losses.append(loss)
            contest = search.send(
                Outcome(candidate, loss, 0.0, np.array([loss]), contest.incumbent_loss)
            )
    except StopIteration as end:
        found.subset = end.value
        return found
    raise AssertionError(f"no end after {limit} contests")
