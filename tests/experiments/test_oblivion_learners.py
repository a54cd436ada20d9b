"""What the learners of the experiments say, against the library's own."""

import numpy as np
import pytest

from thresher import Oblivion
from thresher.datasets import make_boolean_concept
from thresher.experiments import _oblivion_learners as learners
from thresher.learners import ObliviousTree


def test_neighbours_that_come_one_by_one_predict_as_the_tree_over_all_bits():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (30, 5)), rng.integers(0, 2, 30)
    tested, truth = rng.integers(0, 2, (40, 5)), rng.integers(0, 2, 40)
    found = learners.neighbour_accuracies(X.astype(np.uint8), y, tested.astype(np.uint8), truth)
    varied = range(next(n for n in range(1, 30) if (X[:n] != X[0]).any(axis=0).all()), 31)
    for n in varied:
        predicted = ObliviousTree().fit(X[:n], y[:n]).predict(tested)
        assert found[n - 1] == (predicted == truth).mean()


@pytest.mark.parametrize("seed", range(12))
def test_subsets_are_those_of_the_selector(seed):
    rng = np.random.default_rng(seed)
    concept = learners.CONCEPTS[seed % 3]
    data = make_boolean_concept(concept, 6, n_rows=12 + 9 * seed, random_state=seed)
    X, y = data.X, np.where(rng.random(len(data.y)) < 0.1, 1 - data.y, data.y)
    X[:, 4] = 1
    found = learners.oblivion_subsets(X.astype(np.uint8), y)
    for subset, strategy in zip(found, ("improved", "paper"), strict=True):
        chosen = Oblivion(strategy=strategy).fit(X, y).support_
        assert np.flatnonzero(chosen).tolist() == sorted(subset)


def test_one_bit_is_kept():
    X = np.array([[0], [1], [0], [1], [1]], dtype=np.uint8)
    assert learners.oblivion_subsets(X, X[:, 0].astype(np.int64)) == ({0}, {0})


def test_all_learners_see_the_same_rows():
    neighbour, tree, ours, published = learners.accuracies("m-of-n", 2, 5, 60)
    again = learners.accuracies("m-of-n", 2, 5, 60)
    for n in (1, 2, 10, 60):
        assert [f(n) for f in (neighbour, tree, ours, published)] == [f(n) for f in again]
    assert min(tree(60), ours(60), published(60)) > 0.95 >= neighbour(5)


def test_more_rows_that_may_be_asked_for_leave_the_first_as_they_are():
    few = learners.accuracies("conjunction", 3, 1, 40)
    many = learners.accuracies("conjunction", 3, 1, 90)
    assert [f(40) for f in few] == [f(40) for f in many]
