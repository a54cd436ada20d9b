"""The simple genetic algorithm: what it finds, and what it asks for."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from thresher.races import Brace, Exhaustive
from thresher.run import Budget, search
from thresher.searches import Genetic, Space
from thresher.searches._genetic import scaled_fitness
from thresher.testing import check_strategy
from thresher.testing._planted import planted_evaluator

from .told import told


def distance_to(planted):
    return lambda subset: float(len(subset ^ planted))


def judged_in(contests):
    return [subset for contest in contests for subset in contest.candidates]


@pytest.mark.parametrize("seed", range(5))
def test_planted_subsets_are_found(seed):
    found, _ = told(Genetic(), 10, distance_to({1, 4, 7}), seed=seed)
    assert len(found ^ {1, 4, 7}) <= 1
    planted = frozenset(range(0, 40, 5))
    far, _ = told(Genetic(n_population=60, n_generations=100), 40, distance_to(planted), seed=seed)
    assert far == planted


def test_the_result_is_the_best_subset_ever_judged():
    for seed in range(5):
        loss_of = distance_to({0, 3, 9, 11})
        found, contests = told(Genetic(n_generations=5), 30, loss_of, seed=seed)
        assert loss_of(found) == min(map(loss_of, judged_in(contests)))


def test_selection_makes_generations_better():
    loss_of = distance_to(frozenset(range(8)))
    _, contests = told(Genetic(n_population=40, n_generations=30), 50, loss_of)
    means = [np.mean([loss_of(subset) for subset in c.candidates]) for c in contests]
    assert np.mean(means[-5:]) < np.mean(means[:5]) - 2.0


def test_no_subset_is_judged_twice_and_none_is_empty():
    found, contests = told(Genetic(mutation=0.5), 4, len)
    judged = judged_in(contests)
    assert len(set(judged)) == len(judged) <= 2**4 - 1
    assert all(judged)
    assert len(found) == 1


def test_required_variables_are_in_all_and_alone_where_that_is_best():
    found, contests = told(Genetic(), 6, len, required={2, 5})
    assert found == {2, 5}
    assert all(subset >= {2, 5} for subset in judged_in(contests))


def test_first_subsets_are_small_where_there_are_many_variables():
    for options, most in (({}, 45), ({"max_size": 7}, 7), ({"max_size": 5000}, 2000)):
        strategy = Genetic(n_population=300, n_generations=1, **options)
        _, contests = told(strategy, 2000, len)
        sizes = np.array([len(subset) for subset in contests[0].candidates])
        assert sizes.min() >= 1
        assert 0.9 * most <= sizes.max() <= most


@pytest.mark.parametrize(("mutation", "expected"), [(None, 2.0), (0.033, 33.0), (0.0, 0.0)])
def test_mutation_flips_as_many_as_it_says(mutation, expected):
    strategy = Genetic(n_population=200, mutation=mutation)
    parents = np.zeros((200, 1000), dtype=bool)
    children = strategy._children(parents, np.ones(200), np.random.default_rng(0))
    assert children.shape == (199, 1000)
    assert children.sum(axis=1).mean() == pytest.approx(expected, abs=0.15 * expected)


@pytest.mark.parametrize(("crossover", "share"), [(0.0, 0.0), (1.0, 0.5), (0.6, 0.3)])
def test_crossover_exchanges_all_behind_one_place(crossover, share):
    strategy = Genetic(n_population=400, crossover=crossover, mutation=0.0)
    parents = np.repeat([[False] * 30, [True] * 30], 200, axis=0)
    children = strategy._children(parents, np.ones(400), np.random.default_rng(0))
    changes = (children[:, 1:] != children[:, :-1]).sum(axis=1)
    assert set(changes.tolist()) <= {0, 1}
    assert changes.mean() == pytest.approx(share, abs=0.1)


def test_fitness_is_scaled_to_twice_the_mean_and_never_negative():
    losses = np.array([0.1, 0.2, 0.25, 0.4, 0.9])
    for scaled in (scaled_fitness(losses), scaled_fitness(3.0 * losses - 7.0)):
        assert scaled.mean() == pytest.approx(1.0)
        assert scaled.min() == pytest.approx(0.0)
        assert_allclose(scaled, 1.0 + (0.37 - losses) / 0.53)
    assert scaled_fitness(np.array([0.0, 0.9, 1.0, 1.1])).max() == pytest.approx(2.0)
    assert_allclose(scaled_fitness(np.full(20, 0.1)), 1.0)  # whose mean is not 0.1
    assert_allclose(scaled_fitness(np.full(4, np.inf)), 1.0)
    assert_allclose(scaled_fitness(np.array([0.1, 0.3, np.inf])), [2.0, 0.5, 0.5])


def test_losses_that_nobody_knows_are_the_worst():
    def partly(subset):
        return float("nan") if 0 in subset else float(len(subset ^ {1, 2}))

    assert told(Genetic(), 6, partly)[0] == {1, 2}
    assert told(Genetic(n_generations=2), 3, lambda subset: float("nan"))[0]


def test_small_spaces():
    check_strategy(Genetic())
    check_strategy(Genetic(n_population=3, n_generations=1))
    assert told(Genetic(), 1, len)[0] == {0}
    assert told(Genetic(), 3, len, required=range(3)) == (frozenset(range(3)), [])


@pytest.mark.parametrize("judge", [Exhaustive(), Brace()], ids=repr)
def test_the_same_seed_gives_the_same_run(judge):
    strategy, evaluator = Genetic(n_generations=8), planted_evaluator()
    runs = [search(strategy, Space(8), evaluator, judge, random_state=s) for s in (3, 3, 4)]
    traces = [[(step.winner, step.loss) for step in found.steps] for found in runs]
    assert traces[0] == traces[1] != traces[2]
    for found in runs:
        assert found.subset >= {0}
        assert found.subset in [step.winner for step in found.steps if step.accepted]
        assert len(found.steps) <= strategy.n_steps(Space(8))


@pytest.mark.parametrize("n_evaluations", [1, 10, 30])
def test_a_budget_leaves_a_legal_subset(n_evaluations):
    budget = Budget(max_evaluations=n_evaluations)
    found = search(Genetic(), Space(8, {6}), planted_evaluator(), Exhaustive(), budget=budget)
    assert found.ending == "budget"
    assert found.subset >= {6}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_population": 1}, "n_population must be a whole number of at least 2; got 1"),
        ({"n_generations": 0}, "n_generations must be a whole number of at least 1; got 0"),
        ({"n_generations": 2.5}, "n_generations must be a whole number"),
        ({"max_size": 0}, "max_size must be a whole number of at least 1; got 0"),
        ({"crossover": 1.5}, "crossover must be a probability, from 0 to 1; got 1.5"),
        ({"mutation": -0.1}, "mutation must be a probability, from 0 to 1; got -0.1"),
        ({"mutation": float("nan")}, "mutation must be a probability"),
    ],
    ids=str,
)
def test_bad_parameters_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        told(Genetic(**options), 3, len)
