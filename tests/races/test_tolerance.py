"""A challenger may lose a little more than the incumbent, under every judge."""

import numpy as np
import pytest

from thresher.races import Brace, Contest, Exhaustive, Hoeffding, LossMatrix, Race

INCUMBENT, CANDIDATE, OTHER = frozenset({0, 1, 2}), frozenset({0, 1}), frozenset({0})
COLUMN_OF = {INCUMBENT: 0, CANDIDATE: 1, OTHER: 2}
JUDGES = [
    Exhaustive(),
    Brace(gamma=0.0),
    Race(gamma=0.0),
    Hoeffding(gamma=0.0, span=4.0),
    Brace(gamma=0.0, corrected=True),
    Brace(gamma=0.0, finite=False),
]
every_judge = pytest.mark.parametrize("judge", JUDGES, ids=repr)


class Source(LossMatrix):
    """Losses of subsets, in parts if their number is given."""

    def __init__(self, losses, weights=None, n_parts=None):
        super().__init__(losses, span=4.0)
        self.weights = weights
        if n_parts:
            self.parts = np.array_split(np.arange(len(losses)), n_parts)

    def losses(self, candidates, rows=None):
        return super().losses([COLUMN_OF[subset] for subset in candidates], rows)

    def part_losses(self, candidates, part):
        return self.losses(candidates, self.parts[part])


def losses(worse_by, seed=0, n_rows=600, noise=0.05):
    """Losses of the incumbent, of a candidate that is worse by so much, and of one far worse."""
    rng = np.random.default_rng(seed)
    hard = rng.exponential(0.3, n_rows)
    own = rng.normal(0.0, noise, (n_rows, 3))
    own -= own.mean(axis=0)
    return hard[:, None] + own + np.array([0.0, worse_by, worse_by + 1.0])


def decide(judge, source, tolerance, *, candidates=(CANDIDATE,), incumbent_loss=None, seed=0):
    contest = Contest(
        list(candidates), INCUMBENT, challenge=True, tolerance=tolerance,
        incumbent_loss=incumbent_loss,
    )  # fmt: skip
    return judge.decide(contest, source, np.random.default_rng(seed))


def accepted(outcome, tolerance):
    return outcome.loss <= outcome.incumbent_loss + tolerance


@every_judge
@pytest.mark.parametrize("n_parts", [None, 8])
@pytest.mark.parametrize(
    ("worse_by", "tolerance", "wins"),
    [
        (0.1, 0.2, True),
        (0.2, 0.1, False),
        (0.1, 0.0, False),
        (-0.1, 0.0, True),
        (-0.1, 0.05, True),
        (0.03, 0.05, True),
        (0.05, 0.03, False),
    ],
)
def test_worse_by_less_than_the_tolerance_is_good_enough(judge, n_parts, worse_by, tolerance, wins):
    for seed in range(3):
        source = Source(losses(worse_by, seed), n_parts=n_parts)
        outcome = decide(judge, source, tolerance, seed=seed)
        assert accepted(outcome, tolerance) == wins
        assert outcome.best == CANDIDATE


@every_judge
def test_losses_are_told_as_they_are(judge):
    """The tolerance is for the decision alone: it is neither in the loss nor in the incumbent's."""
    source = Source(losses(0.1))
    outcome = decide(judge, source, 0.2)
    assert outcome.loss - outcome.incumbent_loss == pytest.approx(0.1, abs=0.05)
    assert outcome.incumbent_loss == pytest.approx(source.losses([INCUMBENT]).mean(), abs=0.25)
    known = decide(judge, source, 0.2, incumbent_loss=7.0)
    assert known.incumbent_loss == 7.0
    if not isinstance(judge, Exhaustive):
        assert known.loss == pytest.approx(7.1, abs=0.05)


@every_judge
@pytest.mark.parametrize("n_parts", [None, 8])
def test_weights(judge, n_parts):
    """Half of the rows hardly count; there the candidate is far better, elsewhere a bit worse."""
    table = losses(0.1)
    light = np.arange(len(table)) % 2 == 0
    table[light, 1] -= 0.4
    weights = np.where(light, 1e-3, 1.0)
    for tolerance, wins in ((0.2, True), (0.05, False)):
        source = Source(table, weights, n_parts)
        assert accepted(decide(judge, source, tolerance), tolerance) == wins
    assert accepted(decide(judge, Source(table), 0.0), 0.0)


@pytest.mark.parametrize("judge", JUDGES[1:], ids=repr)
def test_what_is_clearly_worse_fails_early(judge):
    source = Source(losses(1.5))
    outcome = decide(judge, source, 0.1)
    assert source.n_losses < 0.5 * 2 * source.n_blocks
    (exit_,) = outcome.exits
    assert exit_.candidate == 0


@pytest.mark.parametrize("judge", JUDGES[1:], ids=repr)
def test_what_is_good_enough_so_far_must_be_so_on_all_rows(judge):
    table = losses(0.0)
    table[:, 1] = table[:, 0]
    for tolerance in (0.0, 0.002):
        source = Source(table)
        outcome = decide(judge, source, tolerance)
        assert accepted(outcome, tolerance)
        assert source.n_losses == 2 * source.n_blocks
        assert not outcome.exits


@every_judge
def test_the_best_of_several_candidates_wins(judge):
    source = Source(losses(0.1))
    outcome = decide(judge, source, 0.2, candidates=(OTHER, CANDIDATE))
    assert outcome.best == CANDIDATE
    assert accepted(outcome, 0.2)
    gaps = outcome.losses - outcome.incumbent_loss
    assert gaps == pytest.approx([1.1, 0.1], abs=0.1)


def test_the_tolerance_of_a_contest_without_challenge_means_nothing():
    contest = Contest([OTHER, CANDIDATE], INCUMBENT, tolerance=5.0)
    outcome = Brace().decide(contest, Source(losses(0.1)), np.random.default_rng(0))
    assert outcome.best == CANDIDATE
    assert outcome.loss == pytest.approx(0.4, abs=0.25)


def test_sources_keep_their_losses_as_they_are():
    source = Source(losses(0.1))
    before = source.losses(list(COLUMN_OF)).copy()
    for judge in JUDGES:
        decide(judge, source, 0.2)
    assert source.losses(list(COLUMN_OF)).tolist() == before.tolist()
