"""What every judge must do."""

import numpy as np

from thresher.evaluators import Flips, Subset
from thresher.races import Contest, Judge

from ._planted import planted_evaluator

__all__ = ["check_judge"]


def check_judge(judge: Judge) -> None:
    """Check a judge: it finds a clear winner, copes with ties, and repeats itself.

    Examples
    --------
    >>> from thresher.races import Exhaustive
    >>> check_judge(Exhaustive())
    """
    assert isinstance(judge, Judge), f"{judge!r} is not a Judge"
    empty: Subset = frozenset()
    contests = {
        "a clear winner": (Contest(Flips(empty, range(8)), incumbent=empty), frozenset({0})),
        "one candidate": (Contest([frozenset({4})]), frozenset({4})),
        "equal candidates": (Contest([frozenset({0, 1})] * 3), frozenset({0, 1})),
        "the empty subset": (Contest([empty, frozenset({0})]), frozenset({0})),
    }
    for situation, (contest, winner) in contests.items():
        outcome = judge.decide(contest, planted_evaluator(), np.random.default_rng(0))
        again = judge.decide(contest, planted_evaluator(), np.random.default_rng(0))
        assert outcome.best == winner, f"{judge!r}, {situation}: {sorted(outcome.best)} won"
        assert len(outcome.losses) == len(contest.candidates), f"{judge!r}, {situation}: losses"
        assert np.isfinite(outcome.loss), f"{judge!r}, {situation}: loss {outcome.loss}"
        assert outcome.standard_error >= 0, f"{judge!r}, {situation}: negative standard error"
        assert np.array_equal(outcome.losses, again.losses, equal_nan=True), (
            f"{judge!r}, {situation}: two outcomes for the same seed"
        )
