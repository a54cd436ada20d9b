"""Schemata search: what it decides, what it finds that hill climbing does not, and when it ends."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

from thresher import RaceSelector, Stepwise
from thresher.evaluators import evaluator_for
from thresher.races import Brace, Exhaustive, Hoeffding, Race, SchemaContest
from thresher.run import Budget, search
from thresher.searches import Schemata, SchemataPlus, Space
from thresher.testing import check_strategy

from . import naive

BOTH = [Schemata(), SchemataPlus()]
both = pytest.mark.parametrize("strategy", BOTH, ids=lambda strategy: type(strategy).__name__)
RACES = [Brace(), Race(), Hoeffding()]


def table(n_variables=6, n_rows=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_variables))
    return X, 2.0 * X[:, 0] + np.abs(X[:, -1]) + rng.normal(size=n_rows)


def product(n_rows=600, *, signs=False):
    """Three of ten columns, multiplied; of signs, no two of them tell anything."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (n_rows, 10))
    factors = np.sign(X[:, [1, 4, 7]]) if signs else X[:, [1, 4, 7]]
    return X, factors.prod(axis=1)


def run(strategy, X, y, judge, model=None, *, cv="loo", loss=None, required=(), seed=0, **more):
    evaluator = evaluator_for(model or KNeighborsRegressor(3), X, y, cv=cv, loss=loss)
    space = Space(X.shape[1], required)
    return search(strategy, space, evaluator, judge, random_state=seed, **more)


@both
def test_strategies_conform(strategy):
    check_strategy(strategy)


@pytest.mark.parametrize("required", [(), (2, 3)], ids=["free", "required"])
@pytest.mark.parametrize(
    ("model", "cv", "loss_of"),
    [
        (KNeighborsRegressor(3), "loo", naive.neighbours_loss),
        (LinearRegression(), KFold(5), naive.linear_loss),
    ],
    ids=["knn", "linear"],
)
@both
def test_decisions_are_those_of_averages_over_all_matching_subsets(
    strategy, model, cv, loss_of, required
):
    for n_variables in (1, 2, 6):
        inside = tuple(v for v in required if v < n_variables)
        X, y = table(n_variables, seed=n_variables)
        loss = loss_of(X, y)
        decided = naive.schemata(loss, n_variables, inside)
        chosen = frozenset(inside) | {v for v, is_in in decided if is_in}
        bare = type(strategy)(polish=None)
        assert _decisions(bare, X, y, model, cv, inside) == decided
        assert run(bare, X, y, Exhaustive(), model, cv=cv, required=inside).subset == chosen
        polished = [chosen, *naive.gauss_seidel(loss, n_variables, chosen, inside)][-1]
        assert run(strategy, X, y, Exhaustive(), model, cv=cv, required=inside).subset == polished


def _decisions(strategy, X, y, model, cv, required):
    """Variables as they are decided, each with whether it is in."""
    evaluator = evaluator_for(model, X, y, cv=cv)
    rng = np.random.default_rng(0)
    under_way = strategy.run(Space(X.shape[1], required), rng)
    contest, decided = next(under_way), []
    while True:
        assert isinstance(contest, SchemaContest)
        outcome = Exhaustive().decide(contest, evaluator, rng)
        gone = set(contest.schema.open) - set(outcome.schema.open)
        decided += [(v, v in outcome.schema.on) for v in gone]
        try:
            contest = under_way.send(outcome)
        except StopIteration:
            return decided


@pytest.mark.parametrize("judge", RACES, ids=repr)
@both
def test_a_product_of_three_columns_is_found(strategy, judge):
    X, y = product(400 if isinstance(judge, Hoeffding) else 600)
    found = run(strategy, X, y, judge, KNeighborsRegressor(1), loss="absolute")
    assert found.subset == {1, 4, 7}
    assert found.ending == "complete"


@both
def test_a_family_that_only_helps_together_is_found_where_forward_selection_stops(strategy):
    X, y = product(signs=True)
    found = run(strategy, X, y, Brace(), KNeighborsRegressor(1), loss="absolute")
    assert found.subset == {1, 4, 7}
    forward = Stepwise(KNeighborsRegressor(1), cv="loo", loss="absolute").fit(X, y)
    assert not forward.support_[[1, 4, 7]].all()


@pytest.mark.parametrize("judge", [Brace(), Race()], ids=repr)
@both
def test_required_variables_stay_in(strategy, judge):
    X, y = table(n_rows=200)
    found = run(strategy, X, y, judge, required=(2, 4))
    assert all({2, 4} <= step.winner for step in found.steps)
    assert {0, 2, 4} <= found.subset


@pytest.mark.parametrize("judge", [*RACES, Exhaustive()], ids=repr)
@both
def test_one_variable_is_in_and_of_two_at_least_one(strategy, judge):
    rng = np.random.default_rng(0)
    for n_variables, helps in ((1, False), (1, True), (2, False), (2, True)):
        X = rng.normal(size=(120, n_variables))
        y = X[:, -1] if helps else rng.normal(size=120)
        subset = run(strategy, X, y, judge).subset
        assert subset
        assert not helps or n_variables - 1 in subset


@pytest.mark.parametrize("judge", RACES, ids=repr)
@both
def test_the_least_patience_still_ends(strategy, judge):
    X, y = table(n_rows=150)
    hasty = type(strategy)(patience=1, polish=None)
    found = run(hasty, X, y, judge)
    assert found.ending == "complete"
    assert found.subset
    assert len(found.steps) <= 6


def test_without_polish_there_is_nothing_but_schemata():
    X, y = product(300)
    polished = run(Schemata(), X, y, Brace())
    bare = run(Schemata(polish=None), X, y, Brace())
    assert all(step.n_candidates > 1 for step in bare.steps[:-1])
    assert len(bare.steps) <= 10 < len(polished.steps)
    assert bare.losses < polished.losses


@both
def test_noise_ends_and_gives_something(strategy):
    rng = np.random.default_rng(2)
    found = run(strategy, rng.normal(size=(100, 6)), rng.normal(size=100), Brace())
    assert found.ending == "complete"
    assert found.subset


@both
def test_columns_that_are_all_the_same_end(strategy):
    x = np.random.default_rng(0).normal(size=(100, 1))
    found = run(strategy, np.repeat(x, 4, axis=1), x[:, 0], Brace())
    assert found.ending == "complete"
    assert len(found.subset) == 1


@pytest.mark.parametrize("judge", [Race(), Hoeffding()], ids=repr)
def test_losses_that_are_all_the_same_end_with_independent_draws(judge):
    # once 1 and 3 are in, nothing is lost any more whatever the others are
    X = np.random.default_rng(0).choice([-1.0, 1.0], (200, 5))
    budget = Budget(max_evaluations=400)
    found = run(Schemata(), X, X[:, 1] * X[:, 3], judge, KNeighborsRegressor(1), budget=budget)
    assert {1, 3} <= found.subset


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (Schemata(patience=0), "patience must be a whole number of at least 1 or None; got 0"),
        (Schemata(patience=2.5), "patience must be a whole number"),
        (Schemata(patience="long"), "patience must be a whole number"),
        (Schemata(give_up=0), "give_up must lie between 0 and 1 or be None; got 0"),
        (SchemataPlus(give_up=1.5), "give_up must lie between 0 and 1"),
        (SchemataPlus(give_up="soon"), "give_up must lie between 0 and 1"),
        (Schemata(polish=1), "polish must lie between 0 and 1 or be None; got 1"),
        (Schemata(polish=float("nan")), "polish must lie between 0 and 1"),
    ],
    ids=repr,
)
def test_bad_parameters_are_refused(strategy, message):
    with pytest.raises(ValueError, match=message):
        run(strategy, *table(), Brace())


def test_many_open_variables_must_be_raced():
    with pytest.raises(ValueError, match="must be raced"):
        run(Schemata(), *table(14), Exhaustive())


@both
def test_the_same_seed_gives_the_same_run(strategy):
    X, y = table(n_rows=150)
    runs = [run(strategy, X, y, Brace(), seed=seed) for seed in (3, 3, 4)]
    traces = [[(step.winner, step.loss) for step in found.steps] for found in runs]
    assert traces[0] == traces[1]
    assert runs[0].losses == runs[1].losses
    assert traces[0] != traces[2]


@pytest.mark.parametrize("model", [KNeighborsRegressor(3), LinearRegression()], ids=repr)
def test_the_number_of_workers_does_not_matter(model):
    X, y = table(n_rows=150)
    one, two = (
        RaceSelector(model, search="schemata+", n_jobs=n, random_state=0).fit(X, y).selection_
        for n in (1, 2)
    )
    assert one.verdicts == two.verdicts
    assert one.cost.losses == two.cost.losses


@pytest.mark.parametrize("name", ["schemata", "schemata+"])
def test_a_tree_is_refitted_until_the_pair_is_found(name):
    X = np.random.default_rng(0).uniform(-1, 1, (300, 6))
    y = (X[:, 1] > 0) ^ (X[:, 4] > 0)
    tree = DecisionTreeClassifier(max_depth=4)
    selector = RaceSelector(tree, search=name, cv=5, max_evaluations=60, random_state=0).fit(X, y)
    assert selector.support_[[1, 4]].all()
    assert selector.n_features_ <= 3
    assert selector.selection_.cost.evaluations <= 60


def test_groups_of_columns_are_decided_together():
    X, y = product(400)
    groups = {"inside": [1, 4], "outside": [0, 2, 3]}
    selector = RaceSelector(
        KNeighborsRegressor(1), loss="absolute", feature_groups=groups, random_state=0
    ).fit(X, y)
    assert np.flatnonzero(selector.support_).tolist() == [1, 4, 7]


def test_a_hundred_columns_end_before_long():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (200, 100))
    found = run(SchemataPlus(), X, X[:, 1] + X[:, 4], Brace(), cv=5)
    assert found.subset == {1, 4}
    assert found.losses < 15_000  # 75 whole evaluations, fewer than one pass over the columns
