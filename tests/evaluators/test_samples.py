"""Rows predicted from samples of the others: what fitting a clone to the sample gives."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone, is_classifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from thresher.evaluators import Flips, evaluator_for
from thresher.learners import KernelRegressor, LazyRegressor, LocallyWeightedRegressor

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 5))
NUMBERS = X[:, 0] - np.abs(X[:, 3]) + 0.1 * RNG.normal(size=60)
CLASSES = np.select([NUMBERS < -1.0, NUMBERS < 0.0], ["low", "mid"], "top")
SUBSETS = [frozenset(s) for s in ({0}, {3}, {0, 3}, {1, 2, 4}, range(5), ())]

LEARNERS = {
    "lazy": LazyRegressor(),
    "3-nn classifier": KNeighborsClassifier(3),
    "3-nn regressor": KNeighborsRegressor(3, weights="distance"),
    "kernel": KernelRegressor(),
    "locally weighted": LocallyWeightedRegressor(),
    "refitted tree": DecisionTreeRegressor(max_depth=3, random_state=0),
    "refitted classifier": DecisionTreeClassifier(max_depth=3, random_state=0),
}
every_learner = pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS)


def samples(seed, n_train=20, n_tested=4):
    order = np.random.default_rng(seed).permutation(60)
    return order[:n_tested], np.sort(order[n_tested : n_tested + n_train])


def target_of(learner):
    return CLASSES if is_classifier(learner) else NUMBERS


def evaluator_of(learner, **options):
    loss = "zero_one" if is_classifier(learner) else "absolute"
    settings = {"cv": "loo", "loss": loss, **options}
    return evaluator_for(learner, X, target_of(learner), **settings)


def refitted(learner, subset, rows, train, weights=None):
    y = target_of(learner)
    if not subset:
        if is_classifier(learner):
            names, counts = np.unique(y[train], return_counts=True)
            return (y[rows] != names[counts.argmax()]).astype(float)
        return np.abs(y[rows] - np.median(y[train]))
    columns = sorted(subset)
    extra = {} if weights is None else {"sample_weight": weights[train]}
    model = clone(learner).fit(X[np.ix_(train, columns)], y[train], **extra)
    predicted = model.predict(X[np.ix_(rows, columns)])
    return (
        (predicted != y[rows]).astype(float) if is_classifier(learner) else abs(predicted - y[rows])
    )


@every_learner
@pytest.mark.parametrize("cv", ["loo", 3])
def test_losses_are_those_of_a_clone_fitted_to_the_sample(learner, cv):
    evaluator = evaluator_of(learner, cv=cv)
    for seed in range(3):
        rows, train = samples(seed)
        found = evaluator.sample_losses(SUBSETS, rows, train)
        expected = [refitted(learner, subset, rows, train) for subset in SUBSETS]
        assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@every_learner
def test_samples_are_counted(learner):
    evaluator = evaluator_of(learner)
    evaluator.sample_losses(SUBSETS, *samples(0))
    assert evaluator.n_losses == len(SUBSETS) * 4
    assert evaluator.n_fits == len(SUBSETS)


@every_learner
def test_folds_and_samples_do_not_disturb_each_other(learner):
    evaluator = evaluator_of(learner, cv=3)
    before = evaluator.losses(SUBSETS[:3])
    rows, train = samples(1)
    first = evaluator.sample_losses(SUBSETS[:3], rows, train)
    evaluator.sample_losses(SUBSETS[:3], *samples(2))
    assert evaluator.losses(SUBSETS[:3]).tolist() == before.tolist()
    assert evaluator.sample_losses(SUBSETS[:3], rows, train).tolist() == first.tolist()


@every_learner
def test_flips_and_lists_and_threads_agree(learner):
    rows, train = samples(3)
    flips = Flips(frozenset({0}), [0, 1, 3])
    listed = evaluator_of(learner).sample_losses(list(flips), rows, train)
    assert_allclose(evaluator_of(learner).sample_losses(flips, rows, train), listed, rtol=1e-9)
    if "Tree" not in type(learner).__name__:
        shared = evaluator_of(learner, n_jobs=2).sample_losses(list(flips), rows, train)
        assert shared.tolist() == listed.tolist()


def test_weights_reach_the_fit():
    tree = LEARNERS["refitted tree"]
    weights = np.where(np.arange(60) % 2, 5.0, 0.5)
    evaluator = evaluator_of(tree, sample_weight=weights)
    rows, train = samples(4)
    found = evaluator.sample_losses(SUBSETS[:4], rows, train)
    expected = [refitted(tree, subset, rows, train, weights) for subset in SUBSETS[:4]]
    assert_allclose(found, expected)
    assert found.tolist() != evaluator_of(tree).sample_losses(SUBSETS[:4], rows, train).tolist()


@pytest.mark.parametrize("loss", ["log", "brier"])
def test_classes_that_a_sample_lacks_have_no_probability(loss):
    train = np.flatnonzero(CLASSES != "mid")[:20]
    rows = np.setdiff1d(np.arange(60), train)[:6]
    fast = evaluator_of(KNeighborsClassifier(3), loss=loss)
    slow = evaluator_of(KNeighborsClassifier(3), loss=loss, fast=False)
    assert_allclose(
        fast.sample_losses(SUBSETS, rows, train), slow.sample_losses(SUBSETS, rows, train)
    )


@pytest.mark.parametrize("learner", [LinearSVC(), LogisticRegression()], ids=["svc", "logistic"])
def test_a_sample_of_one_class_predicts_that_class(learner):
    train = np.flatnonzero(CLASSES == "top")[:10]
    rows = np.setdiff1d(np.arange(60), train)[:12]
    found = evaluator_of(learner).sample_losses(SUBSETS[:2], rows, train)
    assert found.tolist() == [(CLASSES[rows] != "top").astype(float).tolist()] * 2


@pytest.mark.parametrize(
    ("learner", "options"),
    [
        (LinearRegression(), {}),
        (GaussianNB(), {}),
        (DecisionTreeClassifier(), {"scoring": "roc_auc_ovr", "loss": None, "cv": 2}),
    ],
    ids=["linear", "naive bayes", "scorer"],
)
def test_evaluators_that_learn_from_folds_only_say_so(learner, options):
    evaluator = evaluator_of(learner, **options)
    assert not evaluator.takes_samples
    with pytest.raises(TypeError, match="learns from the rows of its folds only"):
        evaluator.sample_losses([{0}], *samples(0))


@pytest.mark.parametrize("make", [KNeighborsClassifier, KNeighborsRegressor])
def test_fewer_rows_than_neighbours_are_refused(make):
    evaluator = evaluator_of(make(5))
    assert evaluator.sample_losses([{0}], np.arange(2), np.arange(10, 15)).shape == (1, 2)
    with pytest.raises(ValueError, match=r"n_neighbors=5 among 4 row\(s\)"):
        evaluator.sample_losses([{0}], np.arange(2), np.arange(10, 14))


@pytest.mark.parametrize("learner", [LazyRegressor(), KernelRegressor(), DecisionTreeRegressor()])
def test_one_row_to_learn_from(learner):
    found = evaluator_of(learner).sample_losses([{0}, {1, 2}], np.arange(3), np.array([9]))
    assert_allclose(found, np.tile(np.abs(NUMBERS[:3] - NUMBERS[9]), (2, 1)))


@pytest.mark.parametrize(
    ("subsets", "rows", "train", "message"),
    [
        ([{0}], [1], [], "train is empty"),
        ([{9}], [1], [2, 3, 4], "positions of variables"),
        ([{0}], [60], [2, 3, 4], "rows must lie in 0 .. 59"),
        ([{0}], [1], [2, 3, -1], "rows must lie in 0 .. 59"),
        ([{0}], [0.5], [2, 3, 4], "rows must be whole numbers"),
    ],
)
def test_wrong_arguments(subsets, rows, train, message):
    with pytest.raises(ValueError, match=message):
        evaluator_of(KNeighborsRegressor(3)).sample_losses(subsets, np.array(rows), np.array(train))
