"""The race between the fields of a schema."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

from tests.races.additive import NOTHING, Additive, all_open, contest_of, decided_by
from thresher.evaluators import evaluator_for
from thresher.races import (
    Brace,
    Exhaustive,
    Friedman,
    Hoeffding,
    Race,
    Schema,
)
from thresher.run import search
from thresher.searches import Schemata, Space
from thresher.testing._planted import planted_table


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
