"""What every search strategy must do."""

from copy import deepcopy

import numpy as np

from thresher.evaluators import Subset
from thresher.races import Contest, Exhaustive
from thresher.searches import SearchStrategy, Space

from ._planted import planted_evaluator

__all__ = ["check_strategy"]

_MAX_CONTESTS = 10_000


def check_strategy(strategy: SearchStrategy) -> None:
    """Check a search strategy: it ends, stays in its space, and repeats itself for the same seed.

    Parameters
    ----------
    strategy : SearchStrategy
        Must accept spaces of any size.

    Examples
    --------
    >>> from thresher.searches import Forward
    >>> check_strategy(Forward())
    """
    assert isinstance(strategy, SearchStrategy), f"{strategy!r} is not a SearchStrategy"
    before = deepcopy(vars(strategy))
    for n_variables, required in ((8, ()), (8, (3, 5)), (1, ()), (2, (0,))):
        space = Space(n_variables, required)
        first = _drive(strategy, space, seed=1)
        assert first == _drive(strategy, space, seed=1), (
            f"{strategy!r} gave two results for the same seed on {n_variables} variables"
        )
    assert vars(strategy) == before, f"{strategy!r} changed its own parameters while running"


def _drive(strategy: SearchStrategy, space: Space, seed: int) -> Subset:
    evaluator = planted_evaluator(space.n_variables)
    rng = np.random.default_rng(seed)
    search = strategy.run(space, rng)
    judge_rng = np.random.default_rng(0)
    limit = strategy.n_steps(space)
    try:
        contest = next(search)
    except StopIteration as end:  # there is nothing to ask
        _check_subset(strategy, end.value, space)
        only: Subset = end.value
        return only
    for n_contests in range(1, _MAX_CONTESTS):
        _check_contest(strategy, contest, space)
        assert limit is None or n_contests <= limit, (
            f"{strategy!r} promised at most {limit} contests and asked for more"
        )
        try:
            contest = search.send(Exhaustive().decide(contest, evaluator, judge_rng))
        except StopIteration as end:
            _check_subset(strategy, end.value, space)
            result: Subset = end.value
            return result
    raise AssertionError(f"{strategy!r} did not end within {_MAX_CONTESTS} contests")


def _check_contest(strategy: SearchStrategy, contest: Contest, space: Space) -> None:
    assert isinstance(contest, Contest), f"{strategy!r} yielded {contest!r}, not a Contest"
    for candidate in contest.candidates:
        _check_subset(strategy, candidate, space)


def _check_subset(strategy: SearchStrategy, subset: Subset, space: Space) -> None:
    assert isinstance(subset, frozenset), f"{strategy!r}: {subset!r} is not a frozenset"
    assert subset <= space.full, f"{strategy!r}: {sorted(subset)} leaves the space"
    assert subset >= space.required, (
        f"{strategy!r}: {sorted(subset)} lacks required {sorted(space.required)}"
    )
