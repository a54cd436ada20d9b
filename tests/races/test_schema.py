"""Schemata, the pairs drawn from them, and the races between their fields."""

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

from thresher.evaluators import evaluator_for
from thresher.races import (
    Brace,
    Draws,
    Exhaustive,
    Friedman,
    Hoeffding,
    Race,
    Schema,
    SchemaContest,
)
from thresher.races._fields import BoundedFields, PairedFields, SplitFields
from thresher.races._pairs import PairSource
from thresher.run import search
from thresher.searches import Schemata, Space
from thresher.testing._planted import planted_table

NOTHING: frozenset[int] = frozenset()


class Additive:
    """A source whose losses are a sum over the variables of a subset, a row's own, and noise."""

    unit, parts, weights, loss_span = "row", None, None, 20.0

    def __init__(self, effects, n_blocks=200, noise=0.05, weights=None):
        self.effects = np.array(effects, dtype=float)
        self.n_blocks, self.noise, self.n_losses = n_blocks, noise, 0
        self.weights = weights
        self.asked: list[tuple[int, bytes]] = []

    @property
    def held_out(self):
        return np.arange(self.n_blocks)

    def draw_losses(self, masks, units):
        self.n_losses += len(units)
        self.asked += [(int(u), m.tobytes()) for m, u in zip(masks, units, strict=True)]
        # the same subset loses the same on the same row, whenever it is asked for
        wobble = np.sin(1e4 * (masks @ np.sqrt(np.arange(2.0, 2.0 + masks.shape[1])) + units))
        return 5.0 + masks @ self.effects + np.sin(units) + self.noise * wobble

    def losses(self, subsets, rows=None):
        units = self.held_out if rows is None else rows
        masks = np.array([[v in s for v in range(len(self.effects))] for s in subsets])
        return np.array([self.draw_losses(np.tile(m, (len(units), 1)), units) for m in masks])


def contest_of(schema, n_variables, draws=None, patience=None, give_up=None):
    return SchemaContest.of(schema, n_variables, draws, patience, give_up)


def all_open(n_variables):
    return Schema(NOTHING, tuple(range(n_variables)))


def decided_by(judge, source):
    """Go on until all variables are decided."""
    n_variables = len(source.effects)
    schema, draws, rng = all_open(n_variables), None, np.random.default_rng(0)
    while schema.open:
        outcome = judge.decide(contest_of(schema, n_variables, draws), source, rng)
        assert np.isfinite(outcome.loss)
        schema, draws = outcome.schema, outcome.draws
    return schema.on


def some_draws(n, n_variables, seed=0, n_units=30):
    rng = np.random.default_rng(seed)
    masks = rng.random((n, n_variables)) < 0.5
    return Draws(masks, rng.integers(n_units, size=n), rng.normal(size=n))


# --- schemata and draws


def test_fixing_all_open_variables_leaves_a_subset():
    schema = all_open(3).fix(1, on=True).fix(0, on=False)
    assert schema == Schema(frozenset({1}), (2,))
    assert schema.fix(2, on=True) == Schema(frozenset({1, 2}), ())


def test_masks_are_subsets_that_match():
    choices = np.array([[True, False], [False, True]])
    masks = Schema(frozenset({3}), (0, 2)).masks(choices, 5)
    assert masks.astype(int).tolist() == [[1, 0, 0, 1, 0], [0, 0, 1, 1, 0]]


def test_draws_that_match_a_schema_are_found():
    draws = some_draws(200, 5)
    schema = Schema(frozenset({3}), (0, 4))
    found = draws.matching(schema)
    expected = [m[3] and not m[1] and not m[2] for m in draws.masks]
    assert 0 < len(found) == sum(expected)
    assert found.losses.tolist() == draws.losses[expected].tolist()
    assert found.units.tolist() == draws.units[expected].tolist()
    assert len(draws.matching(all_open(5))) == 200
    assert len(Draws.none(5).matching(schema)) == 0


# --- pairs


def canonical(choices, units):
    """A pair by whichever half comes first."""
    return [
        (int(unit), min(row.tobytes(), (~row).tobytes()))
        for row, unit in zip(choices, units, strict=True)
    ]


def test_the_halves_of_a_pair_are_mirror_images_on_the_same_row():
    pairs = PairSource(all_open(4), Draws.none(4), np.arange(7), np.random.default_rng(0))
    choices, units = PairedFields(pairs, 4).batch(20)
    assert choices.shape == (20, 4)
    assert (choices[:10] == ~choices[10:]).all()
    assert (units[:10] == units[10:]).all()


@pytest.mark.parametrize("on", [NOTHING, frozenset({9})])
def test_a_small_population_is_seen_once_and_completely(on):
    units = np.array([2, 5, 6, 11])
    schema = Schema(on, (0, 1, 2, 3))
    pairs = PairSource(schema, Draws.none(10), units, np.random.default_rng(0))
    seen = []
    while len((taken := pairs.take(5))[1]):
        seen += canonical(*taken)
        if not on:
            assert taken[0].any(axis=1).all()
            assert not taken[0].all(axis=1).any()
    assert len(seen) == len(set(seen)) == pairs.population == 4 * (8 if on else 7)
    assert {unit for unit, _ in seen} == set(units.tolist())


def test_pairs_of_which_a_half_is_known_come_first():
    known = some_draws(6, 4, n_units=7)
    known = Draws(known.masks | [True, False, False, False], known.units, known.losses)
    schema = Schema(frozenset({0}), (1, 2, 3))
    expected = set(canonical(known.masks[:, 1:], known.units))
    pairs = PairSource(schema, known, np.arange(7), np.random.default_rng(0))
    assert set(canonical(*pairs.take(len(expected)))) == expected
    assert not expected & set(canonical(*pairs.take(1000)))


def test_a_large_population_has_no_end_and_starts_with_what_is_known():
    n, units = 20, np.arange(50)
    known = some_draws(12, n, n_units=50)
    pairs = PairSource(all_open(n), known, units, np.random.default_rng(0))
    assert pairs.population is None
    choices, taken = pairs.take(12)
    assert set(canonical(choices, taken)) == set(canonical(known.masks, known.units))
    choices, taken = pairs.take(100)
    assert np.bincount(taken, minlength=50).tolist() == [2] * 50  # each once before any again
    assert 0.4 < choices.mean() < 0.6


def test_no_side_is_empty_where_nothing_is_on():
    # so many rows that pairs are drawn, not enumerated
    pairs = PairSource(all_open(3), Draws.none(3), np.arange(60_000), np.random.default_rng(0))
    assert pairs.population is None
    choices, _ = pairs.take(500)
    assert choices.any(axis=1).all()
    assert not choices.all(axis=1).any()
    pairs = PairSource(
        Schema(frozenset({3}), (0, 1, 2)),
        Draws.none(4),
        np.arange(60_000),
        np.random.default_rng(0),
    )
    choices, _ = pairs.take(500)
    assert not choices.any(axis=1).all()


# --- what losses say


class Endless:
    population = None


def test_paired_fields_are_least_squares():
    rng = np.random.default_rng(0)
    n, k = 40, 3
    fields = PairedFields(Endless(), k)
    choices = rng.random((n, k)) < 0.5
    losses = rng.normal(size=2 * n)
    for part in (slice(0, 15), slice(15, n)):
        both = np.concatenate([choices[part], ~choices[part]])
        fields.add(both, np.concatenate([losses[:n][part], losses[n:][part]]))
    signs, difference = np.where(choices, 1.0, -1.0), losses[:n] - losses[n:]
    expected, rest, *_ = np.linalg.lstsq(signs, difference)
    variances = rest[0] / (n - k) * np.diag(np.linalg.inv(signs.T @ signs))
    effects, errors = fields.effects()
    np.testing.assert_allclose(effects, expected, rtol=1e-6)
    np.testing.assert_allclose(errors, np.sqrt(variances), rtol=1e-6)
    for gamma in (0.0, 0.1):
        gap = np.abs(expected) + np.where(expected > 0, gamma, 0.0)
        p_values = stats.t.sf(gap / np.sqrt(variances), n - k)
        np.testing.assert_allclose(fields.p_values(gamma), p_values, rtol=1e-5)


def test_few_pairs_are_compared_one_variable_at_a_time():
    rng = np.random.default_rng(1)
    n, k = 10, 4
    fields = PairedFields(Endless(), k)
    choices, losses = rng.random((n, k)) < 0.5, rng.normal(size=2 * n)
    fields.add(np.concatenate([choices, ~choices]), losses)
    signed = np.where(choices, 1.0, -1.0) * (losses[:n] - losses[n:])[:, None]
    effects, errors = fields.effects()
    np.testing.assert_allclose(effects, signed.mean(axis=0))
    np.testing.assert_allclose(errors, stats.sem(signed, axis=0))
    expected = [
        stats.ttest_1samp(s, 0.0, alternative="greater" if s.mean() > 0 else "less").pvalue
        for s in signed.T
    ]
    np.testing.assert_allclose(fields.p_values(0.0), expected)


def test_a_population_that_was_seen_leaves_no_doubt():
    rng = np.random.default_rng(0)
    pairs = PairSource(Schema(frozenset({3}), (0, 1, 2)), Draws.none(4), np.arange(6), rng)
    fields = PairedFields(pairs, 3)
    choices, units = fields.batch(1000)
    assert len(units) == 2 * 6 * 4
    fields.add(choices, rng.normal(size=len(units)))
    assert fields.effects()[1].tolist() == [0.0] * 3
    assert fields.p_values(0.0).tolist() == [0.0] * 3


def test_differences_of_errors_that_never_vary_are_not_certain():
    fields = PairedFields(Endless(), 1)
    choices = np.array([[True]] * 4 + [[False]] * 4)
    fields.add(choices, np.array([0.0] * 4 + [1.0] * 4))
    assert fields.p_values(0.0)[0] > 0.005
    same = PairedFields(Endless(), 1)
    same.add(choices, np.zeros(8))
    assert same.p_values(0.0)[0] == 0.5


def test_split_fields_are_welchs_comparison():
    rng = np.random.default_rng(0)
    fields = SplitFields(np.arange(50), 3, rng, no_empty=False)
    batches = [fields.batch(30), fields.batch(11)]
    all_choices = np.concatenate([choices for choices, _ in batches])
    losses = rng.normal(2.0, 1.0, len(all_choices)) + all_choices @ [1.0, 0.0, -0.3]
    fields.add(batches[0][0], losses[:30])
    fields.add(batches[1][0], losses[30:])
    effects, errors = fields.effects()
    for gamma in (0.0, 0.1):
        p_values = fields.p_values(gamma)
        for v in range(3):
            with_it, without = losses[all_choices[:, v]], losses[~all_choices[:, v]]
            assert effects[v] == pytest.approx(with_it.mean() - without.mean())
            error = np.sqrt(with_it.var(ddof=1) / len(with_it) + without.var(ddof=1) / len(without))
            assert errors[v] == pytest.approx(error)
            if effects[v] > 0:
                expected = stats.ttest_ind(
                    with_it + gamma, without, equal_var=False, alternative="greater"
                )
            else:
                expected = stats.ttest_ind(with_it, without, equal_var=False, alternative="less")
            assert p_values[v] == pytest.approx(expected.pvalue, rel=1e-6)


def test_independent_draws_are_never_empty_where_nothing_is_on():
    fields = SplitFields(np.array([3, 4]), 2, np.random.default_rng(0), no_empty=True)
    choices, units = fields.batch(200)
    assert choices.any(axis=1).all()
    assert set(units.tolist()) == {3, 4}


def test_sides_without_losses_decide_nothing():
    fields = SplitFields(np.arange(5), 2, np.random.default_rng(0), no_empty=False)
    fields.add(np.array([[True, True], [True, False], [True, True]]), np.array([1.0, 2.0, 4.0]))
    assert fields.p_values(0.0).tolist() == [1.0, 1.0]


def test_bounded_fields_need_more_than_split_ones():
    rng = np.random.default_rng(0)
    bounded = BoundedFields(np.arange(9), 1, rng, no_empty=False, span=2.0)
    choices, _ = bounded.batch(400)
    losses = rng.random(400) + choices[:, 0]
    bounded.add(choices, losses)
    n1 = choices.sum()
    gap = losses[choices[:, 0]].mean() - losses[~choices[:, 0]].mean()
    p_value = float(bounded.p_values(0.0)[0])
    # at this level the two intervals touch
    reach = sum(2.0 * np.sqrt(np.log(2 / p_value) / (2 * n)) for n in (n1, 400 - n1))
    assert reach == pytest.approx(gap)
    assert BoundedFields(np.arange(9), 1, rng, no_empty=False, span=99.0).p_values(0.0)[0] == 1.0


# --- the race


@pytest.mark.parametrize("rule", [Brace, Race, Hoeffding], ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("on", [NOTHING, frozenset({0})])
def test_a_race_decides_what_all_subsets_together_decide(rule, on):
    effects = [-1.0, -0.2, 0.1, 0.8]
    schema = Schema(on, tuple(v for v in range(4) if v not in on))
    contest = contest_of(schema, 4)
    expected = Exhaustive().decide(contest, Additive(effects), np.random.default_rng(0))
    for seed in range(4):
        source = Additive(effects)
        outcome = rule(delta=0.01).decide(contest, source, np.random.default_rng(seed))
        assert set(outcome.schema.open) < set(schema.open)
        # one is put in at a time; what is out may go together
        assert len(outcome.schema.on - on) <= 1
        decided = set(schema.open) - set(outcome.schema.open)
        for v in decided:
            assert (v in outcome.schema.on) == (effects[v] < 0)
        (clearest,) = set(schema.open) - set(expected.schema.open)
        assert clearest in ({0} if not on else {3})
        assert outcome.best == outcome.schema.on
        assert len(outcome.draws) == len(outcome.draws.matching(outcome.schema))


@pytest.mark.parametrize(
    "judge", [Brace(), Race(), Exhaustive()], ids=lambda judge: type(judge).__name__
)
def test_schemata_are_decided_to_the_end(judge):
    X, y = planted_table(4, n_rows=120)
    evaluator = evaluator_for(KNeighborsRegressor(3), X, y, cv="loo")
    run = search(Schemata(polish=None), Space(4), evaluator, judge, random_state=0)
    assert run.subset == {0, 1}


@pytest.mark.parametrize(
    "judge", [Brace(), Race(), Exhaustive()], ids=lambda judge: type(judge).__name__
)
def test_the_last_two_variables_are_not_just_rivals(judge):
    # each of them alone loses much more than both; pairs never hold both against none
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    evaluator = evaluator_for(KNeighborsRegressor(3), X, X.sum(axis=1), cv="loo")
    run = search(Schemata(polish=None), Space(2), evaluator, judge, random_state=0)
    assert run.subset == {0, 1}
    assert decided_by(judge, Additive([-2.0, 0.5])) == {0}
    assert decided_by(judge, Additive([0.5, -2.0])) == {1}


@pytest.mark.parametrize(
    "judge", [Brace(), Race(), Hoeffding(), Exhaustive()], ids=lambda judge: type(judge).__name__
)
@pytest.mark.parametrize("effects", [[1.0], [0.6, 0.5], [1.0, 0.9, 0.8], [1.0] * 5])
def test_something_is_in_even_if_everything_does_harm(judge, effects):
    assert len(decided_by(judge, Additive(effects))) == 1


def test_the_loss_of_an_outcome_is_that_of_the_schema_decided():
    effects = np.array([-1.0, 0.0, 0.3])
    expected = 5.0 + effects[0] + effects[1:].sum() / 2  # about
    for judge in (Brace(), Exhaustive()):
        outcome = judge.decide(
            contest_of(all_open(3), 3), Additive(effects), np.random.default_rng(0)
        )
        assert outcome.best == {0}
        assert outcome.loss == pytest.approx(expected, abs=0.4)
        assert outcome.incumbent_loss - outcome.loss == pytest.approx(0.5, abs=0.3)


def test_nothing_is_asked_for_twice():
    source = Additive([-0.3, -0.2, 0.01, 0.01, -0.1], n_blocks=40, noise=0.6)
    decided_by(Brace(), source)
    assert len(source.asked) == len(set(source.asked)) == source.n_losses


def test_known_draws_spare_losses():
    effects, schema = [-1.0, -0.5, 0.0, 0.0], Schema(frozenset({0}), (1, 2, 3))
    first = Brace().decide(contest_of(all_open(4), 4), Additive(effects), np.random.default_rng(0))
    n_losses = []
    for draws in (None, first.draws.matching(schema)):
        source = Additive(effects)
        Brace().decide(contest_of(schema, 4, draws), source, np.random.default_rng(1))
        n_losses.append(source.n_losses)
    assert n_losses[1] < n_losses[0]


def test_losses_that_never_differ_still_come_to_an_end():
    source = Additive([0.0, 0.0, 0.0], n_blocks=20, noise=0.0)
    outcome = Brace().decide(contest_of(all_open(3), 3), source, np.random.default_rng(0))
    assert len(outcome.schema.open) < 3
    assert source.n_losses <= 20 * 2**3


def test_patience_leaves_out_what_looks_least_relevant():
    effects = [-0.002] * 9 + [0.004]
    source = Additive(effects, n_blocks=500, noise=1.0)
    contest = contest_of(all_open(10), 10, patience=100)
    outcome = Brace().decide(contest, source, np.random.default_rng(0))
    assert outcome.schema.on == NOTHING
    assert len(outcome.schema.open) == 9
    assert 100 <= source.n_losses <= 130
    many = contest_of(all_open(30), 30, patience=100)
    outcome = Brace().decide(many, Additive([0.0] * 30, noise=1.0), np.random.default_rng(0))
    assert len(outcome.schema.open) == 30 - 30 // 8


@pytest.mark.parametrize("judge", [Race(), Hoeffding()], ids=["race", "hoeffding"])
def test_patience_ends_when_draws_only_repeat_themselves(judge):
    # far fewer losses than patience: nothing new can ever come
    source = Additive([0.0, 0.0], n_blocks=20, noise=1.0)
    contest = contest_of(all_open(2), 2, patience=2000)
    outcome = judge.decide(contest, source, np.random.default_rng(0))
    assert len(outcome.schema.open) == 1


def test_giving_up_leaves_out_earlier():
    effects, n_losses = [-1.0, 0.05, 0.04], []
    schema = Schema(frozenset({0}), (1, 2))
    for give_up in (None, 0.2):
        source = Additive(effects, noise=0.5)
        contest = contest_of(schema, 3, give_up=give_up)
        outcome = Brace().decide(contest, source, np.random.default_rng(0))
        assert outcome.schema.on == {0}
        n_losses.append(source.n_losses)
    assert n_losses[1] < n_losses[0]


def test_weights_decide():
    # without them, the first variable helps on three rows of four; with them, it does harm
    class Disputed(Additive):
        def draw_losses(self, masks, units):
            sign = np.where(units % 4 == 0, 1.0, -1.0)
            return super().draw_losses(masks, units) + sign * masks[:, 0]

    weights = np.where(np.arange(200) % 4 == 0, 9.0, 1.0)
    contest = contest_of(Schema(frozenset({1}), (0,)), 2)
    for judge in (Brace(), Race(), Hoeffding(), Exhaustive()):
        for given, expected in ((None, {0, 1}), (weights, {1})):
            source = Disputed([0.0, 0.0], weights=given)
            outcome = judge.decide(contest, source, np.random.default_rng(0))
            assert outcome.schema.on == expected, judge


def test_refitted_learners_are_tried_on_whole_folds():
    X, y = planted_table(4, n_rows=100)
    evaluator = evaluator_for(DecisionTreeRegressor(max_depth=3, random_state=0), X, y, cv=10)
    outcome = Brace().decide(contest_of(all_open(4), 4), evaluator, np.random.default_rng(0))
    assert outcome.schema.on == {0}
    assert evaluator.n_losses == 10 * evaluator.n_fits
    assert outcome.draws.units.max() < 10


def test_friedman_refuses_schemata():
    X, y = planted_table(3)
    evaluator = evaluator_for(LinearRegression(), X, y)
    with pytest.raises(ValueError, match="Friedman cannot judge schemata; use Brace"):
        Friedman().decide(contest_of(all_open(3), 3), evaluator, np.random.default_rng(0))


def test_too_many_open_variables_must_be_raced():
    with pytest.raises(ValueError, match="must be raced"):
        Exhaustive().decide(
            contest_of(all_open(13), 13), Additive([0.0] * 13), np.random.default_rng(0)
        )
