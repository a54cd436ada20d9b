"""Hill climbing, by the best flip or by any that pays, against plain loops over mean losses."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsRegressor

from thresher.evaluators import evaluator_for
from thresher.races import Brace, Exhaustive, Judge, Outcome
from thresher.run import search
from thresher.searches import GaussSeidel, HillClimbing, Space
from thresher.testing import check_strategy

from . import naive

ALL = [HillClimbing(), HillClimbing("full"), GaussSeidel(), GaussSeidel("full")]
EMPTY = [HillClimbing(), GaussSeidel()]
every_strategy = pytest.mark.parametrize("strategy", ALL, ids=repr)


def table(n_variables=6, n_rows=60, seed=0):
    """Columns 1 and 3 give the target, in a bend, with noise enough to mislead."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_variables))
    return X, 2.0 * X[:, 1] + np.abs(X[:, 3]) + rng.normal(size=n_rows)


def run(strategy, X, y, model, judge, *, cv="loo", required=(), seed=0):
    evaluator = evaluator_for(model, X, y, cv=cv)
    return search(strategy, Space(X.shape[1], required), evaluator, judge, random_state=seed)


def path_of(run):
    return [step.winner for step in run.steps if step.accepted]


@pytest.mark.parametrize("required", [(), (0, 5)], ids=["free", "required"])
@pytest.mark.parametrize(
    ("model", "cv", "loss_of"),
    [
        (KNeighborsRegressor(3), "loo", naive.neighbours_loss),
        (LinearRegression(), KFold(5), naive.linear_loss),
    ],
    ids=["knn", "linear"],
)
@every_strategy
def test_the_path_is_that_of_plain_loops(strategy, model, cv, loss_of, required):
    twin = naive.hill_climbing if isinstance(strategy, HillClimbing) else naive.gauss_seidel
    start = frozenset(range(6)) if strategy.start == "full" else frozenset(required)
    for seed in range(4):
        X, y = table(seed=seed)
        found = run(strategy, X, y, model, Exhaustive(), cv=cv, required=required)
        path = twin(loss_of(X, y), 6, start, required)
        assert path_of(found) == path
        assert found.subset == ([start, *path])[-1]


@pytest.mark.parametrize("strategy", EMPTY, ids=repr)
def test_strategies_conform(strategy):
    check_strategy(strategy)


@pytest.mark.parametrize("judge", [Exhaustive(), Brace()], ids=repr)
@every_strategy
def test_the_empty_subset_is_never_asked_for_and_never_returned(strategy, judge):
    class Watched(Judge):
        def decide(self, contest, evaluator, rng):
            assert all(contest.candidates)
            return judge.decide(contest, evaluator, rng)

    rng = np.random.default_rng(0)
    for n_variables in (1, 2, 4):
        X, y = rng.normal(size=(40, n_variables)), rng.normal(size=40)
        assert run(strategy, X, y, KNeighborsRegressor(1), Watched()).subset


@every_strategy
def test_required_variables_stay_under_a_race(strategy):
    X, y = table(n_rows=150)
    found = run(strategy, X, y, KNeighborsRegressor(3), Brace(), required=(0, 5))
    assert all({0, 5} <= step.winner for step in found.steps)
    assert {0, 1, 5} <= found.subset


@every_strategy
def test_nothing_happens_where_everything_is_required(strategy):
    X, y = table(n_variables=4)
    found = run(strategy, X, y, KNeighborsRegressor(3), Exhaustive(), required=range(4))
    assert found.subset == frozenset(range(4))
    assert not found.steps


@every_strategy
def test_a_race_finds_what_is_planted_and_spends_less(strategy):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 8))
    y = 2.0 * X[:, 1] + X[:, 4]
    raced = run(strategy, X, y, KNeighborsRegressor(3), Brace())
    judged = run(strategy, X, y, KNeighborsRegressor(3), Exhaustive())
    assert raced.subset == judged.subset == {1, 4}
    assert raced.losses < 0.6 * judged.losses


@every_strategy
def test_the_same_seed_gives_the_same_run(strategy):
    X, y = table(n_rows=150)
    runs = [run(strategy, X, y, KNeighborsRegressor(3), Brace(), seed=s) for s in (3, 3, 4)]
    traces = [[(step.winner, step.loss) for step in found.steps] for found in runs]
    assert traces[0] == traces[1]
    assert runs[0].losses == runs[1].losses
    assert traces[0] != traces[2]


@pytest.mark.parametrize("judge", [Exhaustive(), Brace()], ids=repr)
@every_strategy
def test_it_ends_where_all_candidates_are_the_same_or_worthless(strategy, judge):
    rng = np.random.default_rng(1)
    copies = np.repeat(rng.normal(size=(60, 1)), 5, axis=1)
    for X in (copies, rng.normal(size=(60, 5))):
        found = run(strategy, X, rng.normal(size=60), KNeighborsRegressor(1), judge)
        assert found.ending == "complete"
        path = path_of(found)
        assert len(set(path)) == len(path)


def test_copies_of_a_column_are_not_added_again():
    x = np.random.default_rng(0).normal(size=(60, 1))
    X = np.repeat(x, 4, axis=1)
    for strategy in EMPTY:
        for judge in (Exhaustive(), Brace()):
            found = run(strategy, X, x[:, 0], KNeighborsRegressor(1), judge)
            assert found.subset == {0}


class Flatterer(Judge):
    """Says of every step that it is a good one."""

    def decide(self, contest, evaluator, rng):
        losses = rng.random(len(contest.candidates))
        best = contest.candidates[int(losses.argmin())]
        return Outcome(best, losses.min() - 2.0, 0.0, losses - 2.0, incumbent_loss=0.0)


@every_strategy
def test_a_judge_that_errs_does_not_lead_in_circles(strategy):
    X, y = table(n_variables=4)
    found = run(strategy, X, y, KNeighborsRegressor(1), Flatterer())
    path = path_of(found)
    assert len(set(path)) == len(path) <= 2**4 - 1


def by_hand(strategy, loss_of, n_variables):
    """Drive a strategy with losses from a function of the subset."""
    under_way = strategy.run(Space(n_variables), np.random.default_rng(0))
    contest, path = next(under_way), []
    while True:
        losses = np.array([loss_of(subset) for subset in contest.candidates])
        best = contest.candidates[int(losses.argmin())]
        here = None if contest.incumbent is None else loss_of(contest.incumbent)
        path.append(sorted(best))
        try:
            contest = under_way.send(Outcome(best, losses.min(), 0.0, losses, here))
        except StopIteration as end:
            return sorted(end.value), path


@pytest.mark.parametrize("strategy", EMPTY, ids=repr)
def test_what_came_first_may_go_again(strategy):
    # 0 is best alone, but 1 and 2 together make it a burden
    losses = {(0,): 5.0, (1,): 6.0, (2,): 6.5, (0, 1): 4.0, (0, 2): 4.5, (1, 2): 1.0}

    def nested(subset):
        return losses.get(tuple(sorted(subset)), 2.0)

    found, path = by_hand(strategy, nested, 3)
    assert found == [1, 2]
    assert path[0] == [0]


def test_what_went_first_may_come_back():
    losses = {(0, 1, 2, 3): 5.0, (1, 2, 3): 4.0, (2, 3): 3.0, (3,): 2.0, (0, 3): 1.0}
    for strategy in (HillClimbing("full"), GaussSeidel("full")):
        found, path = by_hand(strategy, lambda s: losses.get(tuple(sorted(s)), 9.0), 4)
        assert found == [0, 3]
        assert path[:3] == [[1, 2, 3], [2, 3], [3]]


@pytest.mark.parametrize("strategy", EMPTY, ids=repr)
def test_a_proxy_gives_way_to_what_it_stood_for(strategy):
    rng = np.random.default_rng(0)
    parts = rng.normal(size=(300, 2))
    y = parts.sum(axis=1)
    X = np.column_stack([y + 0.9 * rng.normal(size=300), parts])
    found = run(strategy, X, y, KNeighborsRegressor(5), Exhaustive())
    assert path_of(found)[0] == {0}
    assert found.subset == {1, 2}


@pytest.mark.parametrize("strategy", EMPTY, ids=repr)
def test_a_step_must_gain_more_than_the_tolerance(strategy):
    gains = {0: 4.0, 1: 2.0, 2: 1.0}
    cautious = type(strategy)("empty", tolerance=1.5)
    assert by_hand(cautious, lambda s: 10.0 - sum(gains[v] for v in s), 3)[0] == [0, 1]


@pytest.mark.parametrize("kind", [HillClimbing, GaussSeidel])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": "middle"}, "start must be 'empty' or 'full'; got 'middle'"),
        ({"tolerance": -1.0}, "tolerance must be a number that is not negative; got -1.0"),
        ({"tolerance": float("nan")}, "tolerance must be a number"),
    ],
    ids=str,
)
def test_bad_parameters_are_refused(kind, options, message):
    with pytest.raises(ValueError, match=message):
        by_hand(kind(**options), len, 3)
