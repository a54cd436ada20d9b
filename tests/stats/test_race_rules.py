"""Who leaves a race: every rule against its twin, and what holds for all of them."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.naive import racing
from tests.properties import examples
from thresher.stats import Tally, blocked, friedman, hoeffding, level_of_look, welch

RULES = {
    "hoeffding": partial(hoeffding, span=6.0),
    "welch": welch,
    "blocked": blocked,
    "friedman": friedman,
    "worst": partial(friedman, posthoc="worst"),
}
every_rule = pytest.mark.parametrize("rule", RULES.values(), ids=RULES)


def matrix(seed, kind="continuous"):
    """Losses of some candidates, the later ones worse; in steps, there are many ties."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(3, 30)), int(rng.integers(3, 8))
    if kind == "errors":
        return (rng.random((n, k)) < np.linspace(0.1, 0.9, k)).astype(float)
    losses = rng.normal(np.linspace(0.0, 1.0, k), 0.5, (n, k)) + rng.normal(size=(n, 1))
    return np.round(4 * losses) / 4 if kind == "steps" else losses


KINDS = ["continuous", "steps", "errors"]
every_kind = pytest.mark.parametrize("kind", KINDS)
# differences that hypothesis can make too small for the sums to see are of no interest
numbers = st.integers(-60, 60).map(lambda i: i / 10.0)


@st.composite
def matrices(draw):
    n, k = draw(st.integers(2, 14)), draw(st.integers(1, 5))
    flat = draw(st.lists(numbers, min_size=n * k, max_size=n * k))
    return np.array(flat).reshape(n, k)


@every_kind
@pytest.mark.parametrize("gamma", [0.0, 0.2])
def test_welch_equals_its_twin(kind, gamma):
    for seed in range(40):
        losses = matrix(seed, kind)
        standing = welch(losses, delta=0.02, gamma=gamma)
        expected = np.array(racing.welch_p(losses, gamma))
        np.testing.assert_allclose(standing.p_values, expected, rtol=1e-7)
        assert standing.leader == racing.leader_of(losses)
        assert standing.stays.tolist() == (expected >= 0.02).tolist()


@every_kind
@pytest.mark.parametrize("gamma", [0.0, 0.2])
def test_blocked_equals_its_twin(kind, gamma):
    for seed in range(40):
        losses = matrix(seed, kind)
        standing = blocked(losses, delta=0.02, gamma=gamma)
        expected = np.array(racing.blocked_p(losses, gamma))
        np.testing.assert_allclose(standing.p_values, expected, rtol=1e-7, atol=1e-12)
        assert standing.stays.tolist() == (expected >= 0.02).tolist()


@every_kind
@pytest.mark.parametrize("gamma", [0.0, 0.2])
def test_hoeffding_equals_its_twin(kind, gamma):
    some_left = False
    for seed in range(40):
        losses = matrix(seed, kind)
        standing = hoeffding(losses, delta=0.3, gamma=gamma, span=1.0)
        expected = racing.hoeffding_stays(losses, 0.3, gamma, 1.0)
        assert standing.stays.tolist() == expected
        some_left |= not all(expected)
    assert some_left


@every_kind
def test_friedman_equals_its_twin(kind):
    some_left = False
    for seed in range(60):
        losses = matrix(seed, kind)
        standing = friedman(losses, delta=0.05)
        expected, p_value = racing.conover_stays(losses, 0.05)
        assert standing.p_value == pytest.approx(p_value, rel=1e-9)
        assert standing.stays.tolist() == expected
        some_left |= not all(expected)
    assert some_left


@every_kind
def test_dropping_the_worst_equals_its_twin(kind):
    for seed in range(60):
        losses = matrix(seed, kind)
        standing = friedman(losses, delta=0.05, posthoc="worst")
        assert standing.stays.tolist() == racing.worst_leave(losses, 0.05)


@pytest.mark.parametrize("kind", ["continuous", "steps"])
def test_two_candidates_are_compared_by_signed_ranks(kind):
    for seed in range(40):
        losses = matrix(seed, kind)[:, [0, -1]]
        standing = friedman(losses, delta=0.05)
        difference = losses[:, 1] - losses[:, 0]
        if not difference.any():
            continue
        ranks = stats.rankdata(np.abs(difference[difference != 0]))
        if abs(ranks[difference[difference != 0] > 0].sum() - ranks.sum() / 2) < 0.5:
            continue  # R and scipy let the correction for continuity overshoot here
        expected = stats.wilcoxon(
            difference[difference != 0], correction=True, method="approx"
        ).pvalue
        assert standing.p_value == pytest.approx(expected, rel=1e-9)
        assert (standing.leader == 0) == (
            ranks[difference[difference != 0] > 0].sum() >= ranks.sum() / 2
        )


@every_rule
@given(losses=matrices(), gamma=st.sampled_from([0.0, 0.3]), delta=st.sampled_from([0.01, 0.6]))
@examples(60)
def test_the_lowest_mean_never_leaves(rule, losses, gamma, delta):
    standing = rule(losses, delta=delta, gamma=gamma)
    assert standing.stays[standing.leader]
    assert standing.p_values[standing.leader] == 1.0
    means = losses.mean(axis=0)
    assert means[standing.stays].min() == pytest.approx(means.min(), abs=1e-12)


@every_rule
@pytest.mark.parametrize("kind", ["continuous", "steps"])
def test_the_order_of_candidates_does_not_matter(rule, kind):
    compared = 0
    for seed in range(40):
        losses = matrix(seed, kind)
        means, ranks = losses.mean(axis=0), stats.rankdata(losses, axis=1).sum(axis=0)
        if min(len(np.unique(means)), len(np.unique(ranks))) < len(means):
            continue  # the first of equals leads
        compared += 1
        order = np.random.default_rng(seed).permutation(losses.shape[1])
        standing, moved = rule(losses, delta=0.05), rule(losses[:, order], delta=0.05)
        assert moved.stays.tolist() == standing.stays[order].tolist()
        assert order[moved.leader] == standing.leader
        np.testing.assert_allclose(moved.p_values, standing.p_values[order], rtol=1e-6)
    assert compared >= 5


@pytest.mark.parametrize("rule", [blocked, friedman], ids=["blocked", "friedman"])
def test_how_hard_a_row_is_for_all_does_not_matter(rule):
    for seed in range(40):
        losses = matrix(seed)
        hard = np.random.default_rng(seed).exponential(100.0, (len(losses), 1))
        standing, harder = rule(losses, delta=0.05), rule(losses + hard, delta=0.05)
        assert harder.stays.tolist() == standing.stays.tolist()
        np.testing.assert_allclose(harder.p_values, standing.p_values, rtol=1e-6, atol=1e-12)


def test_hard_rows_are_noise_to_those_who_do_not_pair_them():
    rng = np.random.default_rng(0)
    losses = rng.exponential(10.0, (30, 1)) + rng.normal([0.0, 1.0], 0.1, (30, 2))
    assert blocked(losses).stays.tolist() == [True, False]
    assert welch(losses).stays.all()


@pytest.mark.parametrize("rule", [welch, blocked, RULES["hoeffding"]], ids=["t", "paired", "bound"])
def test_a_larger_gamma_lets_more_candidates_go(rule):
    for seed in range(20):
        losses = matrix(seed)
        plain, generous = rule(losses, delta=0.05), rule(losses, delta=0.05, gamma=0.5)
        assert (generous.p_values <= plain.p_values).all()
        assert (generous.stays <= plain.stays).all()


def test_ranks_know_no_gamma():
    losses = matrix(3)
    assert friedman(losses, gamma=9.0).stays.tolist() == friedman(losses).stays.tolist()


def test_of_identical_candidates_one_leaves_after_ten_rows():
    losses = np.random.default_rng(0).normal(size=(10, 1)) * [1.0, 1.0]
    for n in (2, 5, 9):
        assert blocked(losses[:n], delta=0.001).stays.all()
    assert blocked(losses, delta=0.001).stays.tolist() == [True, False]


@pytest.mark.parametrize("rule", [welch, blocked], ids=["welch", "blocked"])
def test_errors_that_agree_or_repeat_are_never_taken_for_certainty(rule):
    nothing_yet = np.zeros((10, 4))
    assert rule(nothing_yet, delta=0.001, gamma=0.001).stays.all()
    agree = np.repeat([[0.0, 0.0], [1.0, 1.0]], [7, 3], axis=0)
    assert rule(agree, delta=0.001, gamma=0.001).stays.all()
    all_against_none = np.tile([0.0, 1.0], (5, 1))
    assert rule(all_against_none, delta=0.001, gamma=0.001).stays.all()
    many = np.tile([0.0, 1.0], (30, 1))
    assert rule(many, delta=0.001, gamma=0.001).stays.tolist() == [True, False]


def test_a_constant_difference_of_continuous_losses_is_certain():
    losses = np.random.default_rng(0).normal(size=(5, 1)) + np.array([0.5, 0.0])
    assert blocked(losses).stays.tolist() == [False, True]


@every_rule
def test_one_candidate_stays(rule):
    standing = rule(np.random.default_rng(0).normal(size=(5, 1)))
    assert standing.stays.tolist() == [True]
    assert standing.leader == 0
    assert standing.p_values.tolist() == [1.0]


@every_rule
def test_a_clear_case_between_two_candidates(rule):
    losses = np.random.default_rng(0).normal([2.9, 0.0], 0.1, (100, 2))
    standing = rule(losses)
    assert standing.stays.tolist() == [False, True]
    assert standing.leader == 1
    assert standing.p_values[0] < 0.001


@every_rule
@pytest.mark.parametrize("n_candidates", [2, 4])
def test_nobody_leaves_when_all_losses_are_equal(rule, n_candidates):
    standing = rule(np.full((20, n_candidates), 0.3))
    assert standing.stays.all()
    assert standing.leader == 0


@pytest.mark.parametrize("rule", [welch, blocked, friedman], ids=["welch", "blocked", "friedman"])
def test_one_row_says_nothing(rule):
    with pytest.raises(ValueError, match="at least 2 rows; got 1"):
        rule(np.ones((1, 3)))


@every_rule
def test_parameters_that_mean_nothing_are_refused_by_name(rule):
    losses = matrix(0)
    for delta in (0.0, 1.0, -0.1, np.nan, "0.05", True):
        with pytest.raises(ValueError, match="delta must lie between 0 and 1; got"):
            rule(losses, delta=delta)
    for gamma in (-0.001, np.nan, np.inf, None):
        with pytest.raises(ValueError, match="gamma must be a finite number"):
            rule(losses, gamma=gamma)
    for value in (np.nan, np.inf):
        spoilt = losses.copy()
        spoilt[1, 1] = value
        with pytest.raises(ValueError, match="losses must be finite"):
            rule(spoilt)
    for shape in ((4,), (0, 3), (3, 0)):
        with pytest.raises(ValueError, match="losses must be of shape"):
            rule(np.zeros(shape))


def test_hoeffding_asks_for_the_span():
    with pytest.raises(ValueError, match="give span"):
        hoeffding(matrix(0))
    for span in (0.0, -1.0, np.inf, np.nan):
        with pytest.raises(ValueError, match="span must be a positive number"):
            hoeffding(matrix(0), span=span)


def test_friedman_knows_two_ways_to_let_candidates_go():
    with pytest.raises(ValueError, match="posthoc must be 'conover' or 'worst'; got 'holm'"):
        friedman(matrix(0), posthoc="holm")


def filled(losses, n_rows=None):
    tally = Tally(losses.shape[1], n_rows)
    for row in losses:
        tally.add(row)
    return tally


def assert_sums_are_right(tally, losses):
    assert tally.n == len(losses)
    np.testing.assert_array_equal(tally.history, losses)
    np.testing.assert_allclose(tally.means, losses.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(
        tally.squared_deviations(), losses.var(axis=0) * len(losses), rtol=1e-7, atol=1e-12
    )
    leader = racing.leader_of(losses)
    assert tally.leader == leader
    difference = losses - losses[:, [leader]]
    mean, deviations, squares = tally.differences()
    np.testing.assert_allclose(mean, difference.mean(axis=0), rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(
        deviations, difference.var(axis=0) * len(losses), rtol=1e-7, atol=1e-12
    )
    np.testing.assert_allclose(squares, (difference**2).sum(axis=0), rtol=1e-9, atol=1e-13)
    ranks = stats.rankdata(losses, axis=1)
    sums, squared = tally.rank_sums()
    assert sums.tolist() == ranks.sum(axis=0).tolist()
    assert squared == (ranks**2).sum()


@every_kind
def test_running_sums_equal_those_of_the_history(kind):
    rng = np.random.default_rng(7)
    # beyond the first capacity, with leaders that change
    losses = np.concatenate([matrix(s, kind)[:, [2, 1, 0] if s else [0, 1, 2]] for s in range(12)])
    assert len(losses) > 150
    tally, leaders = Tally(3), set()
    for n, row in enumerate(losses, start=1):
        tally.add(row)
        leaders.add(tally.leader)
        if rng.random() < 0.5:  # sums come right whether or not anyone looks
            assert_sums_are_right(tally, losses[:n])
    assert_sums_are_right(tally, losses)
    assert len(leaders) > 1


def test_a_tally_forgets_those_who_left():
    losses = np.random.default_rng(0).normal(size=(90, 5))
    tally = filled(losses[:50])
    tally.rank_sums(), tally.differences()
    stays = np.array([True, False, True, True, False])
    tally.keep(stays)
    assert tally.n_candidates == 3
    assert_sums_are_right(tally, losses[:50, stays])
    for row in losses[50:, stays]:
        tally.add(row)
    assert_sums_are_right(tally, losses[:, stays])


def test_rules_say_the_same_of_a_tally_and_of_its_history():
    for kind in KINDS:
        losses = matrix(5, kind)
        for rule in RULES.values():
            from_tally, from_history = rule(filled(losses)), rule(losses)
            assert from_tally.p_values.tolist() == from_history.p_values.tolist()
            assert from_tally.stays.tolist() == from_history.stays.tolist()


@pytest.mark.parametrize("rule", [welch, blocked], ids=["welch", "blocked"])
def test_after_the_last_row_nothing_is_left_to_doubt(rule):
    losses = np.random.default_rng(1).normal([0.0, 0.1, 0.2], 1.0, (12, 3))
    best = racing.leader_of(losses)
    assert rule(filled(losses, n_rows=None)).stays.all()
    assert rule(filled(losses, n_rows=13)).stays.sum() >= 1
    standing = rule(filled(losses, n_rows=12))
    assert np.flatnonzero(standing.stays).tolist() == [best]
    assert filled(losses, n_rows=12).left == 0.0


@every_rule
def test_rows_that_are_certain_never_make_anyone_more_credible(rule):
    for seed in range(20):
        losses = matrix(seed)
        endless = rule(filled(losses))
        finite = rule(filled(losses, n_rows=2 * len(losses)))
        assert (finite.p_values <= endless.p_values * (1 + 1e-12)).all()


def test_a_tally_needs_a_candidate():
    with pytest.raises(ValueError, match="at least one candidate; got 0"):
        Tally(0)


def test_levels_of_all_looks_at_all_candidates_add_up_to_delta():
    for n_candidates in (2, 5):
        total = sum(level_of_look(0.05, look, n_candidates) for look in range(1, 20_001))
        assert total * (n_candidates - 1) == pytest.approx(0.05, rel=1e-4)
        assert total * (n_candidates - 1) < 0.05
    assert level_of_look(0.05, 1, 1) == 0.025
