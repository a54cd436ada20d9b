import time

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from thresher.evaluators import evaluator_for
from thresher.races import Contest, Exhaustive
from thresher.run import Budget, search
from thresher.searches import Backward, Forward, SearchStrategy, Space
from thresher.testing._planted import planted_evaluator, planted_table


def drive(strategy, *, evaluator=None, **options):
    evaluator = evaluator or planted_evaluator()
    return search(strategy, Space(8), evaluator, Exhaustive(), **options)


def test_a_run_tells_what_happened():
    run = drive(Forward(n_features=2))
    assert run.subset == {0, 1}
    assert run.ending == "complete"
    assert [step.n_candidates for step in run.steps] == [1, 8, 7]
    assert [len(step.winner) for step in run.steps] == [0, 1, 2]
    assert all(step.accepted for step in run.steps)
    assert run.evaluations == 16
    assert run.losses == 16 * 60
    assert run.steps[-1].n_steps == 3


def test_the_last_step_of_an_automatic_search_is_not_accepted():
    steps = drive(Forward(tolerance=0.1)).steps
    assert [step.accepted for step in steps] == [True, True, True, False]


def test_evidence_is_the_gain_of_each_variable_when_last_judged():
    run = drive(Backward(n_features=7))
    losses = planted_evaluator().losses([set(range(8)), set(range(8)) - {0}]).mean(axis=1)
    assert run.evidence[0].gain == pytest.approx(losses[1] - losses[0])
    assert run.evidence[0].gain > max(run.evidence[v].gain for v in range(2, 8))


def test_the_budget_of_evaluations_is_kept_to_the_last_one():
    for limit in (1, 5, 12, 16):
        run = drive(Forward(n_features=5), budget=Budget(max_evaluations=limit))
        assert run.ending == "budget"
        assert run.evaluations <= limit
        assert run.losses == run.evaluations * 60
    assert run.subset == {0, 1}


def test_a_first_step_that_is_cut_short_gives_the_best_of_what_it_saw():
    run = drive(Forward(n_features=1), budget=Budget(max_evaluations=4))
    losses = planted_evaluator().losses([{0}, {1}, {2}]).mean(axis=1)
    assert run.subset == {int(losses.argmin())}
    assert [step.n_candidates for step in run.steps] == [1, 3]
    assert set(run.evidence) == {0, 1, 2}


def test_candidates_that_repeat_do_not_confuse_a_contest_that_is_cut_short():
    class Repeats(SearchStrategy):
        def run(self, space, rng):
            twice = [frozenset({5}), frozenset({5}), frozenset({0}), frozenset({1}), frozenset({2})]
            outcome = yield Contest(twice)
            return outcome.best

    evaluator = evaluator_for(DecisionTreeRegressor(random_state=0), *planted_table(), cv=2)
    run = drive(Repeats(), evaluator=evaluator, budget=Budget(max_evaluations=4))
    assert run.ending == "budget"
    assert run.subset == {0}
    assert np.isnan(run.steps[-1].standard_error)


def test_before_anything_is_known_everything_is_kept():
    assert drive(Forward(), budget=Budget(max_evaluations=1)).subset == set(range(8))


def test_the_budget_of_seconds_ends_a_slow_search(clock):
    class Slow(DecisionTreeRegressor):
        def fit(self, X, y):
            time.perf_counter.jump(10)  # not by the fixture's name: the class is copied whole
            return super().fit(X, y)

    evaluator = evaluator_for(Slow(), *planted_table(), cv=2)
    run = drive(Forward(n_features=8), evaluator=evaluator, budget=Budget(max_time=300))
    assert run.ending == "budget"
    assert 300 <= run.seconds < 600
    assert 1 <= run.evaluations < 37


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_time": 0}, "max_time must be positive"),
        ({"max_time": float("nan")}, "max_time must be positive"),
        ({"max_evaluations": 0}, "max_evaluations must be at least 1"),
    ],
)
def test_bad_budgets_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Budget(**options)


def test_an_observer_may_end_the_search():
    seen = []

    def enough(step):
        seen.append(step)
        return len(step.winner) == 2

    run = drive(Forward(n_features=5), observers=[enough])
    assert run.ending == "stopped"
    assert run.subset == seen[-1].winner
    assert run.steps[-1].accepted


def test_observers_may_follow_a_long_step():
    class Counter:
        def __init__(self):
            self.counts = []

        def __call__(self, step):
            self.counts.append(-step.evaluations)

        def evaluated(self, evaluations):
            self.counts.append(evaluations)

    counter = Counter()
    evaluator = evaluator_for(DecisionTreeRegressor(), *planted_table(), cv=2)
    drive(Forward(n_features=1), evaluator=evaluator, observers=[counter])
    assert counter.counts == [1, -1, 5, 9, -9]


def test_interruption_returns_the_best_so_far():
    def interrupt(step):
        if step.number == 2:
            raise KeyboardInterrupt

    with pytest.warns(UserWarning, match="best subset so far"):
        run = drive(Forward(n_features=5), observers=[interrupt])
    assert run.ending == "interrupted"
    assert run.subset == run.steps[-1].winner
    assert len(run.subset) == 2


def test_interruption_in_the_first_step_of_a_slow_search_keeps_what_was_judged():
    class Interrupted(DecisionTreeRegressor):
        calls = 0

        def fit(self, X, y):
            type(self).calls += 1
            if type(self).calls > 10:
                raise KeyboardInterrupt
            return super().fit(X, y)

    evaluator = evaluator_for(Interrupted(), *planted_table(), cv=2)
    with pytest.warns(UserWarning, match="best subset so far"):
        run = drive(Forward(n_features=8), evaluator=evaluator)
    assert len(run.subset) == 1


def test_what_the_judge_draws_does_not_change_the_search():
    class Wasteful(Exhaustive):
        def decide(self, contest, evaluator, rng):
            rng.random(1000)
            return super().decide(contest, evaluator, rng)

    class Random(SearchStrategy):
        def run(self, space, rng):
            outcome = yield Contest([space.empty])
            for _ in range(3):
                draw = frozenset(rng.choice(8, 3, replace=False).tolist())
                outcome = yield Contest([draw], incumbent=outcome.best)
            return outcome.best

    plain = search(Random(), Space(8), planted_evaluator(), Exhaustive(), random_state=3)
    wasteful = search(Random(), Space(8), planted_evaluator(), Wasteful(), random_state=3)
    other = search(Random(), Space(8), planted_evaluator(), Exhaustive(), random_state=4)
    assert plain.subset == wasteful.subset != other.subset


def test_losses_in_batches_equal_losses_at_once():
    free = drive(Forward(n_features=3))
    limited = drive(Forward(n_features=3), budget=Budget(max_evaluations=10_000))
    assert [s.loss for s in free.steps] == pytest.approx([s.loss for s in limited.steps])
    assert np.isfinite([s.standard_error for s in free.steps]).all()


def test_evidence_is_about_the_chosen_subset_even_if_the_search_went_on():
    evaluator = planted_evaluator(8)
    result = search(Backward(patient=True), Space(8), evaluator, Exhaustive())
    assert len(result.steps[-1].winner) < len(result.subset) < 8
    loss = evaluator.losses([result.subset]).mean()
    for variable in result.subset:
        without = evaluator.losses([result.subset - {variable}]).mean()
        assert result.evidence[variable].gain == pytest.approx(without - loss)
