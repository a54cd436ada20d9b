"""Fast losses of perceptrons are those of refitting."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.model_selection import KFold, PredefinedSplit, ShuffleSplit

from thresher.datasets import make_seven_of_ten
from thresher.evaluators import Flips, Removals, evaluator_for
from thresher.learners import PocketPerceptron, ThermalPerceptron
from thresher.testing import check_evaluator

MODELS = {
    "thermal": ThermalPerceptron(decay=0.95),
    "unshuffled": ThermalPerceptron(decay=0.95, shuffle=False, learning_rate=0.1),
    "generator": ThermalPerceptron(decay=0.95, random_state=np.random.RandomState(3)),
    "pocket": PocketPerceptron(n_epochs=10),
    "no ratchet": PocketPerceptron(n_epochs=10, ratchet=False, random_state=9),
}
CVS = {
    "folds": KFold(4, shuffle=True, random_state=0),
    "repeated": ShuffleSplit(3, random_state=0),
    "hold-out": PredefinedSplit(np.where(np.arange(60) < 35, -1, 0)),
}
SUBSETS = [{0}, {0, 1}, set(), {5, 3, 1}, set(range(6))]


def some_table(n_rows=60, n_columns=6, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns)) * 10.0 ** np.arange(n_columns)
    X[:, 2] = rng.integers(0, 2, size=n_rows)
    score = X[:, 0] + X[:, 1] / 10 + X[:, 2] + 0.5 * rng.normal(size=n_rows)
    return X, np.digitize(score, np.quantile(score, np.arange(1, n_classes) / n_classes))


def fast_evaluator(*args, **options):
    evaluator = evaluator_for(*args, **options)
    assert type(evaluator).__name__ == "PerceptronEvaluator"
    return evaluator


def both(*args, **options):
    return fast_evaluator(*args, **options), evaluator_for(*args, **options, fast=False)


# --- against refitting ----------------------------------------------------------------------------


@pytest.mark.parametrize("cv", CVS.values(), ids=CVS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_losses_are_those_of_refitting(model, n_classes, cv):
    X, y = some_table(n_classes=n_classes)
    fast, slow = both(model, X, y, cv=cv, random_state=5)
    assert_array_equal(fast.losses(SUBSETS), slow.losses(SUBSETS))
    assert (fast.n_losses, fast.n_fits) == (slow.n_losses, slow.n_fits)
    rows = [41, 40, 59, 40]
    assert_array_equal(fast.losses(SUBSETS, rows), slow.losses(SUBSETS, rows))
    flips, removals = Flips(frozenset({0, 3}), range(6)), Removals(frozenset({1, 2}), [{1}, {1, 2}])
    for family in (flips, removals):
        assert_array_equal(fast.losses(family), slow.losses(list(family)))


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_folds_come_as_parts(model):
    X, y = some_table()
    fast, slow = both(model, X, y, random_state=5)
    assert len(fast.parts) == len(slow.parts) == 5
    for part in range(5):
        assert_array_equal(fast.parts[part], slow.parts[part])
        assert_array_equal(fast.part_losses(SUBSETS, part), slow.part_losses(SUBSETS, part))
    masks = np.random.default_rng(1).random((12, 6)) < 0.4
    masks[3] = False
    parts = np.random.default_rng(2).integers(0, 5, size=12)
    assert_array_equal(fast.draw_losses(masks, parts), slow.draw_losses(masks, parts))
    assert (fast.n_losses, fast.n_fits) == (slow.n_losses, slow.n_fits)


def test_labels_frames_and_groups_of_columns():
    X, y = some_table(n_classes=3)
    frame = pd.DataFrame(X, columns=list("abcdef")).astype({"c": bool})
    labels = np.array(["low", "middle", "high"])[y]
    options = {"feature_groups": {"pair": ["a", "e"]}, "random_state": 0}
    fast, slow = both(ThermalPerceptron(decay=0.95), frame, labels, **options)
    assert fast.n_variables == 5
    subsets = [{0}, {0, 2}, {1, 2, 4}]
    assert_array_equal(fast.losses(subsets), slow.losses(subsets))


def test_a_class_without_training_rows_is_always_misclassified():
    X, y = some_table(n_classes=3)
    folds = [(np.flatnonzero(y != 1), np.flatnonzero(y == 1)), (np.arange(50), np.arange(50, 60))]
    fast, slow = both(PocketPerceptron(n_epochs=5), X, y, cv=folds, random_state=0)
    losses = fast.losses([{0, 1, 2}])
    assert_array_equal(losses, slow.losses([{0, 1, 2}]))
    assert_array_equal(losses[0, (y == 1) & (np.arange(60) < 50)], 1.0)


def test_seven_of_ten_on_a_hold_out():
    data = make_seven_of_ten(400, n_features=30, random_state=0)
    cv = [(np.arange(200), np.arange(200, 400))]
    fast, slow = both(ThermalPerceptron(), data.X, data.y, cv=cv, random_state=0)
    subsets = [set(range(30)), set(data.relevant), set(data.relevant[1:])]
    losses = fast.losses(subsets)[:, 200:]
    assert_array_equal(losses, slow.losses(subsets)[:, 200:])
    every, relevant, fewer = losses.mean(axis=1)
    assert relevant <= 0.02
    assert every <= 0.15
    assert fewer > relevant + 0.03


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_two_threads_give_the_same_bits_as_one(model):
    X, y = some_table(n_classes=3)
    one, two = (fast_evaluator(model, X, y, n_jobs=n, random_state=1) for n in (1, 2))
    flips = Flips(frozenset({1, 2}), range(6))
    assert_array_equal(one.losses(flips), two.losses(flips))
    check_evaluator(two)


def test_without_any_seed_one_is_drawn_for_all_subsets():
    X, y = some_table()
    evaluator = fast_evaluator(PocketPerceptron(n_epochs=3), X, y)
    assert_array_equal(evaluator.losses(SUBSETS), evaluator.losses(SUBSETS))
    before = np.random.get_state()[1].copy()  # noqa: NPY002 - the one that users may have seeded
    model = PocketPerceptron(n_epochs=3, random_state=np.random.RandomState(1))
    assert_array_equal(
        fast_evaluator(model, X, y).losses([{0}]), both(model, X, y)[1].losses([{0}])
    )
    assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


# --- what is supported ----------------------------------------------------------------------------


class Renamed(ThermalPerceptron):
    """A subclass may learn in its own way."""


def test_other_problems_are_left_to_refitting():
    X, y = some_table()
    for option in ({"cv": "loo"}, {"scoring": "roc_auc"}, {"fast": False}):
        evaluator = evaluator_for(PocketPerceptron(n_epochs=2), X, y, **option)
        assert type(evaluator).__name__ != "PerceptronEvaluator"
    assert type(evaluator_for(Renamed(), X, y)).__name__ == "EstimatorEvaluator"
    for model, name in (
        (ThermalPerceptron(decay=2), "decay"),
        (PocketPerceptron(n_epochs=0), "n_epochs"),
        (PocketPerceptron(random_state="x"), "random_state"),
    ):
        with pytest.raises(ValueError, match=name):
            evaluator_for(model, X, y).losses([{0}])
    with pytest.raises(ValueError, match="squares are not finite"):
        evaluator_for(ThermalPerceptron(), X * 1e200, y).losses([{0}])
    one_class = [(np.flatnonzero(y == 0), np.flatnonzero(y == 1))]
    with pytest.raises(ValueError, match="y has only 1 class"):
        evaluator_for(ThermalPerceptron(), X, y, cv=one_class).losses([{0}])
    with pytest.raises(ValueError, match="sample_weight"):
        evaluator_for(ThermalPerceptron(), X, y, sample_weight=np.ones(60))
