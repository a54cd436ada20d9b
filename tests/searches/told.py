"""A strategy told what each subset loses."""

import numpy as np

from thresher.races import Outcome
from thresher.searches import Space


def told(strategy, n_variables, loss_of, required=(), seed=0):
    """Drive a strategy with losses from a function; the result, and all contests."""
    under_way = strategy.run(Space(n_variables, required), np.random.default_rng(seed))
    contests = []
    try:
        contest = next(under_way)
        while True:
            contests.append(contest)
            losses = np.array([loss_of(subset) for subset in contest.candidates])
            best = int(np.argmin(np.where(np.isnan(losses), np.inf, losses)))
            outcome = Outcome(contest.candidates[best], losses[best], 0.0, losses)
            contest = under_way.send(outcome)
    except StopIteration as end:
        return end.value, contests
