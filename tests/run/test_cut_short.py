"""Races on subsamples that are cut short: the best so far, and winners that make sense."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

from thresher.evaluators import Flips, evaluator_for
from thresher.races import Brace, Contest, Exhaustive, Friedman, Subsamples
from thresher.run import Budget, search
from thresher.run._budget import BudgetSpent
from thresher.run._meter import Meter
from thresher.searches import Population, SearchStrategy, Space

N = 120
SUBSAMPLES = Subsamples(first=20, growth=5, max_tested=60)


def table(n_columns=8):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, n_columns))
    return X, 3.0 * X[:, 0] + 2.0 * X[:, 1] + 0.1 * rng.normal(size=N)


def evaluator_of(learner=None, **options):
    learner = learner or KNeighborsRegressor(2)
    return evaluator_for(learner, *table(), cv="loo", loss="absolute", **options)


def run_of(evaluator=None, strategy=None, subsamples=SUBSAMPLES, **options):
    strategy = strategy or Population(60, 6, 140, n_offspring=20)
    judge = Friedman(posthoc="worst", subsamples=subsamples)
    evaluator = evaluator or evaluator_of()
    return search(strategy, Space(8), evaluator, judge, random_state=0, **options)


def interrupted_at(n_calls):
    """An evaluator during whose n-th call the user has seen enough."""
    evaluator = evaluator_of()
    ask, calls = evaluator.sample_losses, []

    def sample_losses(*args):
        calls.append(args)
        if len(calls) == n_calls:
            raise KeyboardInterrupt
        return ask(*args)

    evaluator.sample_losses = sample_losses
    evaluator.calls = calls
    return evaluator


def n_calls_of(n_steps):
    """How many calls the first steps of an undisturbed search take."""
    counted, at = interrupted_at(10**9), []
    run_of(counted, observers=[lambda step: at.append(len(counted.calls)) and None])
    return at[n_steps - 1]


@pytest.fixture(scope="module")
def undisturbed():
    return run_of()


# --- what a meter knows of a race under way -------------------------------------------------------


def test_a_meter_knows_the_means_of_those_still_in():
    evaluator = evaluator_of()
    meter = Meter(evaluator, Budget())
    subsets = [frozenset({v}) for v in range(4)]
    seen = []
    for heat in range(3):
        rows, train = np.array([heat, 10 + heat]), np.arange(20, 60)
        seen.append(meter.sample_losses(subsets, rows, train))
    expected = np.concatenate(seen, axis=1).mean(axis=1)
    assert list(meter.judged) == subsets
    assert list(meter.judged.values()) == pytest.approx(expected.tolist())
    last = meter.sample_losses(subsets[1:3], np.array([5]), np.arange(20, 60))
    assert set(meter.judged) == set(subsets[1:3])
    assert meter.judged[subsets[1]] == pytest.approx((expected[1] * 6 + last[0, 0]) / 7)
    meter.judged.clear()  # as the driver does before a contest
    fresh = meter.sample_losses(subsets, np.array([5]), np.arange(20, 60))
    assert list(meter.judged.values()) == fresh[:, 0].tolist()


def test_a_heat_may_come_in_two_calls():
    meter = Meter(evaluator_of(), Budget())
    train, incumbent = np.arange(20, 60), frozenset({0})
    flips = Flips(incumbent, [1, 2])
    losses = []
    for row in range(3):
        losses.append(meter.sample_losses(flips, np.array([row]), train)[:, 0])
        meter.sample_losses([incumbent], np.array([row]), train)
    assert set(meter.judged) == {*flips, incumbent}
    assert meter.judged[flips[0]] == pytest.approx(np.mean([found[0] for found in losses]))


def test_means_are_weighted():
    weights = np.where(np.arange(N) == 1, 3.0, 1.0)
    evaluator = evaluator_of(DecisionTreeRegressor(max_depth=2), sample_weight=weights)
    meter = Meter(evaluator, Budget())
    found = meter.sample_losses([frozenset({0})], np.array([0, 1]), np.arange(20, 60))[0]
    assert meter.judged[frozenset({0})] == pytest.approx((found[0] + 3.0 * found[1]) / 4.0)


def test_samples_are_a_fraction_of_an_evaluation():
    meter = Meter(evaluator_of(), Budget(max_evaluations=2))
    subsets = [frozenset({v}) for v in range(4)]
    for row in range(60):
        assert meter.evaluations == -(-4 * row // N)
        meter.sample_losses(subsets, np.array([row]), np.arange(60, N))
    assert meter.evaluations == 2
    with pytest.raises(BudgetSpent):
        meter.sample_losses(subsets, np.array([61]), np.arange(60, N))


# --- the end of a budget --------------------------------------------------------------------------


@pytest.mark.parametrize("max_evaluations", [2, 4, 6])
def test_in_the_first_race_the_lowest_mean_so_far_wins(max_evaluations):
    run = run_of(budget=Budget(max_evaluations=max_evaluations))
    assert run.ending == "budget"
    assert len(run.steps) == 1
    assert 0 in run.subset  # without it, the loss is several times as high
    assert len(run.finalists) == 6
    assert run.finalists[0] == run.subset
    assert sum(0 in subset for subset in run.finalists) >= 5
    assert np.isfinite(run.steps[0].loss)


def test_in_a_later_race_the_last_winner_stays(undisturbed):
    spent = [step.evaluations for step in undisturbed.steps]
    assert len(spent) > 3
    for k in (1, 2):
        assert spent[k - 1] + 1 < spent[k]
        run = run_of(budget=Budget(max_evaluations=spent[k - 1] + 1))  # some rows of the next race
        assert run.ending == "budget"
        assert [s.winner for s in run.steps] == [s.winner for s in undisturbed.steps[:k]]
        assert run.subset == run.steps[-1].winner == run.finalists[0]
        assert run.steps[-1].accepted


def test_no_time_at_all_gives_everything():
    run = run_of(budget=Budget(max_time=1e-9))
    assert run.subset == frozenset(range(8))
    assert run.finalists == ()
    assert run.steps == ()


def test_time_ends_a_long_search(clock):
    slow = evaluator_of(DecisionTreeRegressor(max_depth=3))
    run = run_of(slow, Population(300, 6, 10_000, patience=None), budget=Budget(max_time=50))
    assert run.ending == "budget"
    assert 50 <= run.seconds < 60
    assert run.subset <= frozenset(range(8))


# --- Ctrl-C ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_calls", [2, 8, 14])
def test_ctrl_c_in_the_first_race(n_calls):
    with pytest.warns(UserWarning, match="interrupted"):
        run = run_of(interrupted_at(n_calls))
    assert run.ending == "interrupted"
    assert run.finalists[0] == run.subset == run.steps[0].winner
    if n_calls > 2:
        assert 0 in run.subset


def test_ctrl_c_before_anything_is_known():
    with pytest.warns(UserWarning, match="interrupted"):
        run = run_of(interrupted_at(1))
    assert run.subset == frozenset(range(8))


@pytest.mark.parametrize("n_steps", [1, 2, -1])
@pytest.mark.parametrize("n_more", [1, 2, 7])
def test_ctrl_c_in_a_later_race(n_steps, n_more, undisturbed):
    n_steps %= len(undisturbed.steps)
    with pytest.warns(UserWarning, match="interrupted"):
        run = run_of(interrupted_at(n_calls_of(n_steps) + n_more))
    assert [step.winner for step in run.steps] == [
        step.winner for step in undisturbed.steps[:n_steps]
    ]
    assert run.subset == undisturbed.steps[n_steps - 1].winner
    assert run.finalists[0] == run.subset
    assert run.steps[-1].accepted


@pytest.mark.parametrize("n_steps", [1, 2, 4])
def test_an_observer_may_stop_between_races(n_steps, undisturbed):
    run = run_of(observers=[lambda step: step.number == n_steps - 1])
    assert run.ending == "stopped"
    assert run.subset == undisturbed.steps[n_steps - 1].winner == run.finalists[0]


def test_what_explains_the_best_changes_nothing_even_if_it_is_the_end(undisturbed):
    last = len(undisturbed.steps) - 1
    run = run_of(observers=[lambda step: step.number == last])
    assert run.ending == "stopped"
    assert run.subset == undisturbed.subset
    assert not run.steps[-1].accepted
    assert run.steps[-2].accepted


# --- runs that go on ------------------------------------------------------------------------------


def test_a_whole_run(undisturbed):
    run = undisturbed
    assert run.ending == "complete"
    assert run.subset >= {0, 1}
    assert run.finalists[0] == run.subset
    assert len(run.finalists) == 6
    assert all(step.apart and step.raced for step in run.steps)
    assert run.steps[-2].winner == run.subset
    assert run.evidence[0].gain > run.evidence[1].gain > 0
    assert set(run.evidence) == set(range(8))


@pytest.mark.parametrize(
    ("learner", "n_rows"),
    [(KNeighborsRegressor(2), 60), (DecisionTreeRegressor(max_depth=3, random_state=0), 4)],
    ids=["threads", "workers"],
)
def test_the_number_of_jobs_does_not_matter(learner, n_rows):
    plan = Subsamples(first=20, max_tested=n_rows)
    one, two = (
        run_of(evaluator_of(learner, n_jobs=n_jobs), Population(20, 3, 24), plan)
        for n_jobs in (1, 2)
    )
    assert (one.subset, one.finalists, one.evidence) == (two.subset, two.finalists, two.evidence)
    assert [s.loss for s in one.steps] == [s.loss for s in two.steps]
    assert one.evaluations == two.evaluations


def test_the_error_of_a_step_is_that_of_its_winner():
    # the second of two winners is the smaller one, which is preferred if they are alike
    class Once(SearchStrategy):
        def run(self, space, rng):
            contest = Contest([frozenset({0, 1, 2}), frozenset({0, 1})], n_winners=2, max_rows=40)
            yield contest
            return contest.candidates[0]

    judge = Brace(delta=1e-6, subsamples=SUBSAMPLES)
    run = search(Once(), Space(8), evaluator_of(), judge, random_state=0)
    outcome = judge.decide(
        next(Once().run(Space(8), None)),
        evaluator_of(),
        np.random.default_rng(np.random.SeedSequence(0).spawn(2)[1]),
    )
    assert outcome.alike.all()
    (step,) = run.steps
    assert step.winner == {0, 1}
    assert step.loss == outcome.losses[1]
    assert step.standard_error == outcome.standard_errors[1] != outcome.standard_errors[0]


def test_a_population_may_be_judged_in_full():
    run = search(Population(40, 5, 200), Space(8), evaluator_of(), Exhaustive(), random_state=0)
    assert run.subset == {0, 1}
    assert run.finalists[0] == run.subset
    losses = evaluator_of().losses(run.finalists).mean(axis=1)
    assert (np.diff(losses) >= 0).all()
