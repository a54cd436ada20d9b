"""The loop of a race, against one that goes row by row and does all sums anew."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import RepeatedKFold
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.naive.racing import row_by_row
from thresher.evaluators import Flips, evaluator_for
from thresher.races import (
    Brace,
    Contest,
    Exhaustive,
    Friedman,
    Hoeffding,
    LossMatrix,
    Race,
    mean_losses,
)
from thresher.races._racing import MIN_BLOCKS
from thresher.stats import level_of_look
from thresher.testing._planted import planted_evaluator, planted_table

FIRST_LOOK = MIN_BLOCKS["row"]
RULES = [Brace, Race, Hoeffding, Friedman]
every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)


def matrix(seed, kind="continuous", n_rows=100, n_candidates=8):
    rng = np.random.default_rng(seed)
    if kind == "errors":
        rates = np.linspace(0.1, 0.8, n_candidates)
        return (rng.random((n_rows, n_candidates)) < rng.permutation(rates)).astype(float)
    hard = rng.exponential(0.2, (n_rows, 1))
    return hard + rng.normal(rng.permutation(n_candidates) / 8, 0.3, (n_rows, n_candidates))


def run(judge, losses, seed=0, span=2.0):
    source = LossMatrix(losses, span=span)
    finish = judge.run(source, range(losses.shape[1]), np.random.default_rng(seed))
    return finish, source


@every_rule
@pytest.mark.parametrize("kind", ["continuous", "errors"])
@pytest.mark.parametrize("options", [{}, {"finite": False}, {"corrected": True, "min_rows": 7}])
def test_blocks_of_rows_do_not_change_who_leaves_when(rule, kind, options):
    judge, some_left = rule(delta=0.01, **options), False
    for seed in range(3):
        losses = matrix(seed, kind)
        n_rows, n_racers = losses.shape

        def standing(tally, look, n_racers=n_racers):
            level = level_of_look(0.01, look, n_racers) if judge.corrected else 0.01
            return judge.standing(tally, level, 2.0)

        order = np.random.default_rng(seed).permutation(n_rows)
        exits, winner = row_by_row(
            losses[order], standing, judge.min_rows or FIRST_LOOK, n_rows if judge.finite else None
        )
        finish, source = run(judge, losses, seed)
        assert [(e.candidate, e.n_seen, e.leader) for e in finish.exits] == exits
        assert finish.winner == winner
        for e in finish.exits:
            assert finish.n_seen[e.candidate] == e.n_seen
        assert finish.n_seen.sum() <= source.n_losses <= 1.25 * finish.n_seen.sum()
        for k, seen in enumerate(finish.seen):
            np.testing.assert_array_equal(seen, losses[order[: len(seen)], k])
        some_left |= len(exits) > 0
    assert some_left


def test_giving_up_is_a_lower_hurdle_while_the_incumbent_leads():
    judge = Brace(delta=0.001)
    for seed in range(8):
        losses = matrix(seed, n_candidates=6)

        def standing(tally, look):
            # the incumbent is the last for as long as it leads
            level = 0.1 if tally.history[0, tally.leader] == first[-1] else 0.001  # noqa: B023
            return judge.standing(tally, level, None)

        order = np.random.default_rng(seed).permutation(len(losses))
        first = losses[order[0]]
        exits, winner = row_by_row(losses[order], standing, FIRST_LOOK, len(losses))
        finish = judge.run(LossMatrix(losses), range(5), np.random.default_rng(seed), 5, 0.1)
        assert [(e.candidate, e.n_seen, e.leader) for e in finish.exits] == exits
        assert finish.winner == winner


@every_rule
def test_a_race_over_few_rows_ends_with_the_lowest_mean(rule):
    for seed in range(10):
        losses = matrix(seed, n_rows=6)
        finish, _ = run(rule(), losses, seed)
        assert finish.winner == losses.mean(axis=0).argmin()
        assert (finish.n_seen == 6).all()


@pytest.mark.parametrize("rule", [Brace, Race])
def test_when_all_rows_have_been_seen_the_lowest_mean_is_alone(rule):
    # so close that nothing but the last rows can tell
    losses = np.random.default_rng(0).normal(0.0, 1.0, (60, 4))
    finish, _ = run(rule(gamma=0.0), losses)
    assert finish.winner == losses.mean(axis=0).argmin()
    assert finish.survivors.tolist() == [finish.winner]
    endless, _ = run(rule(gamma=0.0, finite=False), losses)
    assert len(endless.survivors) > 1
    means = losses.mean(axis=0)[endless.survivors]
    assert (np.diff(means) >= 0).all()


@every_rule
def test_one_candidate_wins_at_the_first_look(rule):
    losses = matrix(0, n_candidates=1)
    finish, source = run(rule(), losses)
    assert finish.winner == 0
    assert finish.exits == ()
    assert source.n_losses == FIRST_LOOK


def test_identical_candidates_do_not_hold_up_a_race():
    losses = np.repeat(matrix(0, n_candidates=1), 5, axis=1)
    finish, _ = run(Brace(), losses)
    assert finish.winner == 0
    assert finish.n_seen.tolist() == [FIRST_LOOK] * 5
    assert finish.gaps(2).tolist() == [0.0] * 5


@every_rule
def test_identical_candidates_are_no_trouble(rule):
    losses = np.repeat(matrix(1, n_candidates=2), 2, axis=1)
    finish, _ = run(rule(), losses)
    best = int(losses.mean(axis=0).argmin())
    assert finish.winner == best


@every_rule
def test_a_winner_that_is_known_early_ends_the_race(rule):
    rng = np.random.default_rng(0)
    losses = rng.normal([0.1, 1.9, 1.8], 0.05, (2000, 3))
    finish, source = run(rule(), losses)
    assert finish.winner == 0
    assert source.n_losses < 0.05 * losses.size


@every_rule
def test_a_correction_for_looks_lets_candidates_go_later(rule):
    later = 0
    for seed in range(5):
        losses = matrix(seed)
        plain, corrected = (run(rule(corrected=c), losses, seed)[0] for c in (False, True))
        assert plain.n_seen.sum() <= corrected.n_seen.sum()
        later += plain.n_seen.sum() < corrected.n_seen.sum()
    assert later


@every_rule
def test_rows_without_end_never_let_anyone_go_earlier(rule):
    for seed in range(5):
        losses = matrix(seed)
        finite, endless = (run(rule(finite=f), losses, seed)[0] for f in (True, False))
        assert finite.n_seen.sum() <= endless.n_seen.sum()


@every_rule
def test_nobody_leaves_before_the_first_look(rule):
    losses = np.random.default_rng(0).normal([0.0, 1.9], 0.01, (100, 2))
    for min_rows in (2, 5, 40):
        finish, _ = run(rule(min_rows=min_rows), losses)
        assert finish.n_seen.min() >= min_rows
    assert finish.n_seen.tolist() == [40, 40]


@every_rule
def test_min_rows_must_be_possible(rule):
    with pytest.raises(ValueError, match=r"min_rows=11 is more than .*: 10 row\(s\)"):
        run(rule(min_rows=11), matrix(0, n_rows=10))
    for least in (1, 0, 2.5, True, "5"):
        with pytest.raises(ValueError, match="min_rows must be a whole number of at least 2"):
            run(rule(min_rows=least), matrix(0))


@every_rule
def test_levels_must_mean_something(rule):
    with pytest.raises(ValueError, match="delta must lie between 0 and 1; got 2"):
        run(rule(delta=2), matrix(0))
    with pytest.raises(ValueError, match="gamma must be a finite number"):
        run(rule(gamma=-1.0), matrix(0))


def test_a_hoeffding_race_needs_bounded_losses():
    with pytest.raises(ValueError, match="give span"):
        run(Hoeffding(), matrix(0), span=None)
    with pytest.raises(ValueError, match="span must be positive; got -1"):
        run(Hoeffding(span=-1.0), matrix(0), span=None)
    finish, _ = run(Hoeffding(span=2.0), matrix(0), span=None)
    assert finish.exits == run(Hoeffding(), matrix(0), span=2.0)[0].exits


def test_a_finish_compares_candidates_on_the_rows_that_both_ran():
    losses = matrix(2)
    finish, _ = run(Brace(), losses, seed=2)
    order = np.random.default_rng(2).permutation(len(losses))
    assert len(set(finish.n_seen.tolist())) > 2
    for reference in range(8):
        gaps = finish.gaps(reference)
        for k, n in enumerate(np.minimum(finish.n_seen, finish.n_seen[reference])):
            expected = (losses[order[:n], k] - losses[order[:n], reference]).mean()
            assert gaps[k] == pytest.approx(expected, abs=1e-12)
        assert gaps[reference] == 0.0
    winner = losses[order[: finish.n_seen[finish.winner]], finish.winner]
    assert finish.means[finish.winner] == pytest.approx(winner.mean())
    assert finish.standard_error(finish.winner) == pytest.approx(
        winner.std(ddof=1) / np.sqrt(len(winner))
    )


def test_a_matrix_of_losses_must_be_one():
    for losses in ([1.0, 2.0], np.zeros((0, 2))):
        with pytest.raises(ValueError, match="losses must be of shape"):
            LossMatrix(losses)
    with pytest.raises(ValueError, match="losses must be finite"):
        LossMatrix([[0.0, np.nan]])
    with pytest.raises(TypeError, match="no parts"):
        LossMatrix([[0.0]]).part_losses([0], 0)
    with pytest.raises(TypeError, match="not subsets"):
        LossMatrix([[0.0]]).draw_losses(np.ones((1, 1), dtype=bool), np.zeros(1, dtype=np.intp))


BEST = frozenset({0, 1})


def challenge(candidates, incumbent=BEST, **options):
    return Contest(candidates, incumbent=incumbent, challenge=True, **options)


@every_rule
@pytest.mark.parametrize("give_up", [None, 0.2])
def test_an_incumbent_that_wins_loses_no_more_than_anyone(rule, give_up):
    for seed in range(3):
        contest = challenge(Flips(BEST, range(8)), incumbent_loss=5.0, give_up=give_up)
        outcome = rule().decide(contest, planted_evaluator(), np.random.default_rng(seed))
        assert outcome.incumbent_loss == 5.0
        assert outcome.loss >= 5.0
        assert outcome.best in list(contest.candidates)
        assert outcome.best != BEST


@every_rule
def test_an_incumbent_that_is_beaten_loses_more_than_the_winner(rule):
    contest = challenge(Flips(frozenset({0}), range(1, 8)), frozenset({0}))
    outcome = rule().decide(contest, planted_evaluator(), np.random.default_rng(0))
    assert outcome.best == BEST
    assert outcome.loss < outcome.incumbent_loss


def test_losses_are_put_on_the_scale_of_the_incumbents_known_loss():
    evaluator, flips = planted_evaluator(), Flips(BEST, range(2, 8))
    contest = challenge(flips, incumbent_loss=100.0)
    outcome = Brace().decide(contest, evaluator, np.random.default_rng(0))
    finish = Brace().run(evaluator, flips, np.random.default_rng(0), BEST)
    expected = 100.0 + finish.gaps(6)[:6]
    assert outcome.losses.tolist() == expected.tolist()
    assert outcome.loss == expected[list(flips).index(outcome.best)]
    assert finish.exits == outcome.exits


def test_giving_up_early_saves_losses_while_the_incumbent_leads():
    losses = []
    for give_up in (None, 0.2):
        evaluator = planted_evaluator()
        contest = challenge(Flips(BEST, range(2, 8)), give_up=give_up)
        Brace().decide(contest, evaluator, np.random.default_rng(0))
        losses.append(evaluator.n_losses)
    assert losses[1] < losses[0]


def test_giving_up_early_does_not_touch_candidates_that_lead():
    contest = Contest(Flips(frozenset({0}), range(1, 8)), frozenset({0}), challenge=True)
    generous = Contest(contest.candidates, contest.incumbent, challenge=True, give_up=0.4)
    outcomes = [
        Brace().decide(c, planted_evaluator(), np.random.default_rng(3))
        for c in (contest, generous)
    ]
    assert [outcome.best for outcome in outcomes] == [BEST, BEST]


def two_halves():
    """Half of the rows follow one column, half another; weights make the second half matter."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    second = np.arange(200) % 2 == 1
    y = np.where(second, X[:, 1], 1.2 * X[:, 0]) + 0.1 * rng.normal(size=200)
    return X, y, np.where(second, 3.0, 0.5)


@every_rule
@pytest.mark.parametrize("model", [LinearRegression(), DecisionTreeRegressor(max_depth=3)])
def test_weights_decide_a_race_as_they_do_among_all_losses(rule, model):
    X, y, weights = two_halves()
    options = {"sample_weight": weights, "random_state": 0, "cv": 5}
    evaluator = evaluator_for(model, X, y, **options)
    contest = Contest(Flips(frozenset(), range(4)))
    expected = Exhaustive().decide(contest, evaluator, np.random.default_rng(0))
    assert expected.best == {1}
    judge = rule(span=400.0) if rule is Hoeffding else rule()
    outcome = judge.decide(contest, evaluator, np.random.default_rng(0))
    assert outcome.best == {1}
    everything = judge.run(evaluator, [frozenset({1})] * 2, np.random.default_rng(0))
    rows = np.concatenate(evaluator.parts) if evaluator.parts else evaluator.held_out
    if everything.n_seen.max() == len(rows):
        mean = mean_losses(evaluator.losses([{1}]), weights)[0]
        assert everything.means[0] == pytest.approx(mean)


def test_weights_widen_the_span_of_losses():
    class Weighted(LossMatrix):
        weights = np.where(np.arange(300) < 3, 100.0, 1.0)

    rng = np.random.default_rng(0)
    errors = (rng.random((300, 2)) < [0.1, 0.4]).astype(float)
    scale = Weighted.weights / Weighted.weights.mean()
    source = Weighted(errors, span=1.0)
    for judge in (Hoeffding(), Hoeffding(span=1.0)):
        finish = judge.run(source, range(2), np.random.default_rng(1))
        wide = LossMatrix(errors * scale[:, None], span=float(scale.max()))
        expected = judge.__class__().run(wide, range(2), np.random.default_rng(1))
        assert finish.exits == expected.exits


REPEATED = RepeatedKFold(n_splits=5, n_repeats=10, random_state=0)


@pytest.mark.parametrize("rule", [Brace, Race, Friedman], ids=lambda rule: rule.__name__)
def test_losses_that_come_in_parts_are_raced_fold_by_fold(rule):
    X, y = planted_table(6, n_rows=100)
    model = DecisionTreeRegressor(max_depth=3, random_state=0)
    evaluator = evaluator_for(model, X, y, cv=REPEATED)
    contest = Contest(Flips(frozenset(), range(6)))
    outcome = rule().decide(contest, evaluator, np.random.default_rng(0))
    assert outcome.best == {0}
    assert evaluator.n_fits < 0.25 * 6 * 50
    assert all(exit.n_seen % 20 == 0 for exit in outcome.exits)
    assert evaluator.n_losses == 20 * evaluator.n_fits


@pytest.mark.parametrize("rule", [Brace, Friedman], ids=lambda rule: rule.__name__)
def test_folds_of_a_scorer_are_raced(rule):
    X, y = planted_table(6, n_rows=100)
    model = DecisionTreeRegressor(max_depth=3, random_state=0)
    evaluator = evaluator_for(model, X, y, cv=REPEATED, scoring="r2")
    contest = Contest(Flips(frozenset(), range(6)))
    outcome = rule(delta=0.01).decide(contest, evaluator, np.random.default_rng(0))
    assert outcome.best == {0}
    assert min(exit.n_seen for exit in outcome.exits) >= 5
    assert evaluator.n_fits < 0.5 * 6 * 50
    with pytest.raises(ValueError, match=r"min_rows=51 is more than .*: 50 fold\(s\)"):
        rule(min_rows=51).decide(contest, evaluator, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("model", "classes"),
    [(LinearRegression(), False), (DecisionTreeClassifier(max_depth=2, random_state=0), True)],
    ids=["fast", "refitted"],
)
def test_the_outcome_does_not_depend_on_the_number_of_jobs(model, classes):
    X, y = planted_table(6, classes=classes)
    contest = challenge(Flips(frozenset({0}), range(1, 6)), frozenset({0}))
    outcomes = []
    for n_jobs in (1, 2):
        evaluator = evaluator_for(model, X, y, n_jobs=n_jobs)
        outcomes.append(Brace().decide(contest, evaluator, np.random.default_rng(0)))
    assert outcomes[0].best == outcomes[1].best
    assert outcomes[0].losses.tolist() == outcomes[1].losses.tolist()
    assert outcomes[0].exits == outcomes[1].exits
