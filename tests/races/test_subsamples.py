"""Heats on samples that grow, races over them, and who wins where several are wanted."""

import numpy as np
import pytest

from thresher.evaluators import Flips
from thresher.races import Brace, Contest, Exit, Friedman, LossMatrix, Outcome, Race, Subsamples
from thresher.races._loop import Finish, race
from thresher.stats import Standing

ROWS = np.arange(100, 130)
RULES = {
    "friedman": Friedman(0.01),
    "worst": Friedman(0.01, posthoc="worst"),
    "brace": Brace(),
    "race": Race(),
}


def drawn(plan, rows=ROWS, seed=0):
    heats = plan.over(rows, seed)
    return [heats.draw(heat) for heat in range(len(heats))]


class Samples:
    """A source of losses that a subset's size and the row decide; it writes down the questions."""

    unit, parts, weights, loss_span, growth = "row", None, None, 10.0, 1 / 16

    def __init__(self, n_rows=120, weights=None):
        self.n_blocks, self.weights = n_rows, weights
        self.asked = []

    @property
    def held_out(self):
        return np.arange(self.n_blocks)

    def sample_losses(self, subsets, rows, train):
        self.asked.append((list(subsets), rows, train))
        sizes = np.array([len(subset) for subset in subsets])
        names = np.array([sum(subset) for subset in subsets])
        noise = np.sin(1e3 * (names[:, None] + 1) * (rows + 1))
        return 1.0 + 0.5 * sizes[:, None] + 0.2 * noise

    def losses(self, subsets, rows=None):
        raise AssertionError("a race on subsamples must not ask for rows in cross-validation")

    part_losses = draw_losses = losses


def sized(*sizes):
    """Different subsets of these sizes."""
    return [frozenset(range(10 * k, 10 * k + size)) for k, size in enumerate(sizes)]


# --- heats ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_tested", [1, 3, 7])
@pytest.mark.parametrize("seed", [0, 1])
def test_samples_grow_and_rows_are_tested_once(n_tested, seed):
    heats = drawn(Subsamples(first=4, growth=3, n_tested=n_tested), seed=seed)
    tested = np.concatenate([test for test, _ in heats])
    assert sorted(tested.tolist()) == ROWS.tolist()
    assert tested.tolist() != ROWS.tolist()
    for heat, (test, train) in enumerate(heats):
        assert len(train) == len(set(train.tolist())) == min(4 + 3 * heat, 30 - len(test))
        assert not np.isin(test, train).any()
        assert np.isin(train, ROWS).all()
        assert (np.diff(train) > 0).all()
        assert len(test) == n_tested or heat == len(heats) - 1


def test_samples_are_capped():
    heats = drawn(Subsamples(first=4, growth=3, most=10))
    assert [len(train) for _, train in heats[:5]] == [4, 7, 10, 10, 10]
    assert {len(train) for _, train in drawn(Subsamples(first=20, most=5))} == {5}
    assert {len(train) for _, train in drawn(Subsamples(first=6, growth=0))} == {6}


@pytest.mark.parametrize(
    ("n_tested", "max_tested", "expected"),
    [(1, 4, [1, 1, 1, 1]), (2, 5, [2, 2, 1]), (4, 3, [3]), (1, 1, [1]), (7, 1000, [7, 7, 7, 7, 2])],
)
def test_no_more_rows_are_tested_than_allowed(n_tested, max_tested, expected):
    heats = drawn(Subsamples(first=3, n_tested=n_tested, max_tested=max_tested))
    assert [len(test) for test, _ in heats] == expected


def test_the_seed_decides_and_heats_may_be_drawn_in_any_order():
    plan = Subsamples(first=5, growth=1)
    first, again, other = (drawn(plan, seed=seed) for seed in (3, 3, 4))
    backwards = plan.over(ROWS, 3)
    for heat in reversed(range(len(ROWS))):
        for ours, theirs in zip(first[heat], backwards.draw(heat), strict=True):
            assert ours.tolist() == theirs.tolist()
    assert [t.tolist() for _, t in first] == [t.tolist() for _, t in again]
    assert [t.tolist() for _, t in first] != [t.tolist() for _, t in other]


def test_samples_of_different_heats_differ():
    samples = [tuple(train) for _, train in drawn(Subsamples(first=5, growth=0))]
    assert len(set(samples)) == len(samples)


@pytest.mark.parametrize("n_tested", [1, 5])
def test_tiny_tables(n_tested):
    two = drawn(Subsamples(n_tested=n_tested), np.array([7, 9]))
    assert sorted((test.tolist(), train.tolist()) for test, train in two) == [
        ([7], [9]),
        ([9], [7]),
    ]
    few = drawn(Subsamples(first=50, n_tested=n_tested), np.arange(4))
    assert {len(test) + len(train) for test, train in few} == {4}
    with pytest.raises(ValueError, match="at least 2 rows; got 1"):
        Subsamples().over(np.arange(1), 0)


@pytest.mark.parametrize("value", [-1, 2.5, "many", True])
@pytest.mark.parametrize("name", ["first", "growth", "most", "n_tested", "max_tested"])
def test_wrong_numbers_are_named(name, value):
    with pytest.raises(ValueError, match=f"^{name} must be a whole number of at least .; got"):
        Subsamples(**{name: value})


@pytest.mark.parametrize(
    "options", [{"first": 1}, {"most": 1}, {"n_tested": 0}, {"max_tested": 0}, {"first": None}]
)
def test_numbers_that_are_too_small_are_named(options):
    with pytest.raises(ValueError, match=f"^{next(iter(options))} must be"):
        Subsamples(**options)


# --- races over them ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULES)
def test_a_race_asks_for_samples_that_grow_until_one_is_left(name):
    source = Samples()
    judge = type(RULES[name])(**{**vars(RULES[name]), "subsamples": Subsamples(first=5, growth=2)})
    contest = Contest(sized(3, 1, 2, 4))
    outcome = judge.decide(contest, source, np.random.default_rng(0))
    assert outcome.best == contest.candidates[1]
    assert {exit.candidate for exit in outcome.exits} == {0, 2, 3}
    assert len(source.asked) < source.n_blocks
    assert [len(train) for _, _, train in source.asked] == [
        min(5 + 2 * heat, source.n_blocks - 1) for heat in range(len(source.asked))
    ]
    counts = [len(subsets) for subsets, _, _ in source.asked]
    assert counts[:15] == [4] * 15  # nobody leaves before
    assert counts == sorted(counts, reverse=True)
    assert len(counts) == outcome.exits[-1].n_seen
    rows = np.concatenate([rows for _, rows, _ in source.asked])
    assert len(set(rows.tolist())) == len(rows)
    assert all(not np.isin(rows, train).any() for _, rows, train in source.asked)


def test_the_incumbent_of_a_challenge_runs_along():
    source = Samples()
    base = frozenset({1, 2})
    judge = Brace(subsamples=Subsamples(first=5))
    contest = Contest(Flips(base, [1, 3]), base, challenge=True, incumbent_loss=7.0)
    outcome = judge.decide(contest, source, np.random.default_rng(0))
    assert outcome.best == {2}
    assert outcome.incumbent_loss == 7.0
    assert outcome.losses == pytest.approx([6.5, 7.5], abs=0.25)
    heats = [rows.tolist() for _, rows, _ in source.asked]
    assert heats[0::2][:15] == heats[1::2][:15]  # candidates, then the incumbent


def test_the_same_generator_gives_the_same_race():
    asked = []
    for seed in (0, 0, 1):
        source = Samples()
        judge = Friedman(subsamples=Subsamples(first=5))
        judge.decide(Contest(sized(1, 2)), source, np.random.default_rng(seed))
        asked.append([rows.tolist() for _, rows, _ in source.asked])
    assert asked[0] == asked[1] != asked[2]


def test_weights_of_rows_count():
    weights = np.where(np.arange(60) < 30, 2.0, 0.0)
    source = Samples(60, weights)
    judge = Brace(subsamples=Subsamples(first=5))
    outcome = judge.decide(Contest(sized(1)), source, np.random.default_rng(0))
    rows = np.concatenate([rows for _, rows, _ in source.asked])
    losses = np.concatenate([source.sample_losses(sized(1), rows, rows)[0]])
    assert outcome.loss == pytest.approx((losses * weights[rows]).mean())


def test_a_matrix_of_losses_cannot_learn():
    judge = Friedman(subsamples=Subsamples())
    with pytest.raises(TypeError, match="does not learn"):
        judge.run(LossMatrix(np.ones((30, 2))), range(2), np.random.default_rng(0))


# --- when races end -------------------------------------------------------------------------------


def seen_by(contest, judge=None, **options):
    source = Samples()
    judge = judge or Friedman(posthoc="worst", subsamples=Subsamples(first=5, **options))
    return judge.decide(contest, source, np.random.default_rng(0)), len(source.asked)


def test_a_race_ends_with_as_many_as_are_wanted():
    candidates = sized(1, 2, 3, 4, 5, 6)
    for n_winners in (1, 2, 4):
        outcome, _ = seen_by(Contest(candidates, n_winners=n_winners))
        assert len(outcome.exits) == 6 - n_winners
        assert {exit.candidate for exit in outcome.exits} == set(range(n_winners, 6))
    outcome, n_heats = seen_by(Contest(candidates, n_winners=6))
    assert outcome.exits == ()
    assert n_heats == 15


def test_a_race_may_go_on_to_find_the_best_of_the_winners():
    candidates = sized(1, 2, 3, 4, 5, 6)
    early, n_early = seen_by(Contest(candidates, n_winners=4))
    late, n_late = seen_by(Contest(candidates, n_winners=4, n_left=1))
    assert len(late.exits) == 5
    assert n_late >= n_early
    assert len(Contest(candidates, n_winners=4).winners(late)) == 4
    assert early.best == late.best == candidates[0]


@pytest.mark.parametrize("max_rows", [1, 5, 15, 17])
def test_a_race_ends_after_a_number_of_rows_in_any_case(max_rows):
    twins = [frozenset({1, 2}), frozenset({0, 3})]  # the same losses
    outcome, n_heats = seen_by(Contest(twins, max_rows=max_rows))
    assert n_heats == max_rows
    assert outcome.exits == ()
    assert outcome.best == twins[0]


@pytest.mark.parametrize("max_rows", [3, 20, 33])
@pytest.mark.parametrize("judge", [Brace(), Friedman(), Race()], ids=lambda j: type(j).__name__)
def test_rows_that_come_in_blocks_are_not_counted_beyond_it(judge, max_rows):
    losses = np.random.default_rng(0).normal(size=(200, 3))
    finish = judge.run(LossMatrix(losses), range(3), np.random.default_rng(0), max_rows=max_rows)
    assert finish.n_seen.max() == max_rows


def test_folds_are_never_cut():
    def losses(alive, heat):
        return np.zeros((len(alive), 4))

    def rule(field, look):
        alive = len(field.alive)
        return Standing(0, np.ones(alive, dtype=bool), np.ones(alive), 1.0)

    finish = race(losses, 2, 10, rule, min_rows=2, look_within=False, max_rows=6)
    assert finish.n_seen.tolist() == [8, 8]


def test_the_last_rows_of_a_plan_end_a_race():
    outcome, n_heats = seen_by(Contest(sized(1, 1)), max_tested=6)
    assert n_heats == 6
    assert outcome.exits == ()


@pytest.mark.parametrize("name", ["n_winners", "n_left", "max_rows"])
def test_contests_refuse_numbers_below_one(name):
    with pytest.raises(ValueError, match=name):
        Contest([frozenset({0})], **{name: 0})


# --- who is alike, places, winners ----------------------------------------------------------------


def test_survivors_are_alike_if_their_differences_may_be_chance():
    rng = np.random.default_rng(0)
    base = rng.normal(size=50)
    seen = [base + 0.5, base, base + rng.normal(0.0, 1.0, 50), base[:20]]
    finish = Finish(1, np.array([1, 2, 0]), (), seen)
    # a constant difference is certain; one that left is not asked
    assert finish.alike(0.05).tolist() == [False, True, True, False]
    same = Finish(0, np.array([0, 1]), (), [base, base.copy()])
    assert same.alike(0.05).tolist() == [True, True]


@pytest.mark.parametrize("delta", [0.01, 0.5, 0.9])
def test_one_row_tells_nothing(delta):
    finish = Finish(1, np.array([1, 0]), (), [np.array([2.0]), np.array([1.0]), np.empty(0)])
    assert finish.alike(delta).tolist() == [True, True, False]


def test_places_go_by_exits_and_then_by_losses():
    losses = np.array([0.4, 0.1, 0.3, 0.2, 0.0])
    exits = (Exit(4, 15, 1, 0.0), Exit(0, 20, 1, 0.0), Exit(3, 20, 1, 0.0), Exit(5, 30, 1, 0.0))
    outcome = Outcome(frozenset({1}), 0.1, 0.0, losses, exits=exits)
    assert outcome.places().tolist() == [1, 2, 3, 0, 4]


SUBSETS = [frozenset({0, 1, 2}), frozenset({0, 1}), frozenset({5, 6, 7, 8}), frozenset({9})]


def outcome_of(losses, alike=None, exits=()):
    best = SUBSETS[int(np.argmin(losses))]
    stays = None if alike is None else np.array(alike)
    return Outcome(best, min(losses), 0.0, np.array(losses), exits=exits, alike=stays)


@pytest.mark.parametrize(
    ("losses", "alike", "prefer_small", "expected"),
    [
        ([0.1, 0.2, 0.3, 0.4], [True, True, True, False], True, [1, 0, 2, 3]),
        ([0.1, 0.2, 0.3, 0.4], [True, True, True, True], True, [3, 0, 1, 2]),
        ([0.1, 0.2, 0.3, 0.4], [True, False, False, False], True, [0, 1, 2, 3]),
        ([0.1, 0.2, 0.3, 0.4], [True, True, True, True], False, [0, 1, 2, 3]),
        # where nobody tested who is alike, those that tie are
        ([0.1, 0.2, 0.3, 0.4], None, True, [0, 1, 2, 3]),
        ([0.1, 0.1, 0.1, 0.4], None, True, [1, 0, 2, 3]),
        ([0.1, 0.1, 0.1, 0.4], None, False, [0, 1, 2, 3]),
    ],
)
def test_small_ones_and_good_ones_take_turns(losses, alike, prefer_small, expected):
    outcome = outcome_of(losses, alike)
    for n_winners in (2, 3, 4, 9):
        contest = Contest(SUBSETS, n_winners=n_winners, prefer_small=prefer_small)
        assert contest.winners(outcome) == [SUBSETS[k] for k in expected[:n_winners]]


def test_a_single_winner_is_the_best():
    outcome = outcome_of([0.2, 0.1, 0.3, 0.1], [True] * 4)
    assert Contest(SUBSETS).winners(outcome) == [SUBSETS[1]]


def test_standard_errors_are_told_of_all_if_several_are_wanted():
    rng = np.random.default_rng(0)
    losses = rng.normal(size=(40, 3))
    source = LossMatrix(losses)
    subsets = [0, 1, 2]
    one = Friedman().decide(Contest(subsets), source, rng)
    assert one.standard_errors is None
    assert one.alike is None
    several = Friedman().decide(Contest(subsets, n_winners=2, n_left=1), source, rng)
    expected = losses.std(axis=0, ddof=1) / np.sqrt(len(losses))
    assert several.standard_errors == pytest.approx(expected)
    assert several.standard_error == several.standard_errors[several.losses.argmin()]
