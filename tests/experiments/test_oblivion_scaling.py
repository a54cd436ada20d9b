"""Rows needed: the shortcuts of the experiment against the long way."""

import numpy as np
import pytest

from thresher import Oblivion
from thresher.datasets import make_boolean_concept
from thresher.experiments import _oblivion_scaling as scaling
from thresher.learners import ObliviousTree


@pytest.mark.parametrize("seed", range(20))
def test_a_stretch_is_the_first_that_is_high_throughout(seed):
    rng = np.random.default_rng(seed)
    cap, hold = 300, scaling.HOLD
    chance = np.clip(np.arange(1, cap + hold + 1) / rng.integers(60, 500), 0.0, 1.0)
    accuracies = np.where(rng.random(cap + hold) < chance, 1.0, 0.9)
    tried = []

    def accuracy(n):
        tried.append(n)
        return accuracies[n - 1]

    high = accuracies >= scaling.LEVEL
    starts = [n for n in range(1, cap + 1) if high[n - 1 : n + hold].all()]
    assert scaling.rows_needed(accuracy, cap) == (starts[0] if starts else cap + 1)
    assert len(tried) == len(set(tried)), "nothing is tried twice"
    assert max(tried) <= cap + hold


def test_neighbours_that_come_one_by_one_predict_as_the_tree_over_all_bits():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (30, 5)), rng.integers(0, 2, 30)
    tested, truth = rng.integers(0, 2, (40, 5)), rng.integers(0, 2, 40)
    found = scaling.neighbour_accuracies(X, y, tested, truth)
    varied = range(next(n for n in range(1, 30) if (X[:n] != X[0]).any(axis=0).all()), 31)
    for n in varied:
        predicted = ObliviousTree().fit(X[:n], y[:n]).predict(tested)
        assert found[n - 1] == (predicted == truth).mean()


@pytest.mark.parametrize("seed", range(6))
def test_subsets_are_those_of_the_selector(seed):
    rng = np.random.default_rng(seed)
    concept = scaling.CONCEPTS[seed % 3]
    data = make_boolean_concept(concept, 6, n_rows=20 + 15 * seed, random_state=seed)
    X, y = data.X, np.where(rng.random(len(data.y)) < 0.1, 1 - data.y, data.y)
    X[:, 4] = 1
    found = scaling.oblivion_subsets(X, y)
    for subset, strategy in zip(found, ("improved", "paper"), strict=True):
        chosen = Oblivion(strategy=strategy).fit(X, y).support_
        assert np.flatnonzero(chosen).tolist() == sorted(subset)
