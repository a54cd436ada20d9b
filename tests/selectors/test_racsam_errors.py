"""What RACSAM refuses, and how it says it."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import LinearSVC

from thresher import RACSAM

WRONG = [
    ("n_candidates", [1, 0, 2.5, "many", None, True]),
    ("n_winners", [0, -1, 1.5, None, True]),
    ("max_candidates", [1, 0, 2.5, "many", True]),
    ("p_value", [0, 1, -0.1, 2.0, "small", None, float("nan"), True]),
    ("init", ["zeros", None, 3]),
    ("generator", ["stork", None, 3]),
    ("prefer", ["large", None, True]),
    ("combine", ["vote", None, True]),
    ("n_train", [1, 0, 2.5, None, "half"]),
    ("growth", [-1, 0.5, "fast", True]),
    ("max_train", [1, 0.5, "all", True]),
    ("max_tests", [0, -1, 0.5, None, "all"]),
    ("patience", [0, -1, 1.5, "much", True]),
    ("loss", ["hinge", 3]),
    ("max_time", [0, -1, "long", True]),
    ("max_evaluations", [0, 1.5, "all", True]),
    ("n_jobs", [0, 1.5, "all"]),
    ("keep", [["zebra"], [8]]),
    ("feature_groups", [[[0, 1], [1, 2]], 3]),
    ("random_state", ["seed"]),
]
CASES = [(name, value) for name, values in WRONG for value in values]


@pytest.mark.parametrize(("name", "value"), CASES, ids=[f"{n}={v!r}" for n, v in CASES])
def test_wrong_parameters_are_named(name, value, numbers):
    says = "seed" if name == "random_state" else name
    with pytest.raises((ValueError, TypeError), match=says):
        RACSAM(**{"n_candidates": 20, "max_tests": 20, name: value}).fit(*numbers)


@pytest.mark.parametrize("learner", [3, "lazy", KMeans(), KNeighborsRegressor], ids=str)
def test_wrong_learners_are_refused(learner, numbers):
    with pytest.raises((ValueError, TypeError), match=r"(?i)estimator|classifier|regressor"):
        RACSAM(learner).fit(*numbers)


@pytest.mark.parametrize(
    ("learner", "loss", "message"),
    [
        (None, "zero_one", "loss='zero_one' does not fit LazyRegressor"),
        (KNeighborsRegressor(), "log", "loss='log' does not fit KNeighborsRegressor"),
        (KNeighborsClassifier(), "absolute", "loss='absolute' does not fit KNeighborsClassifier"),
        (LinearSVC(), "log", "LinearSVC"),
    ],
    ids=["default", "regressor", "classifier", "no probabilities"],
)
def test_losses_that_do_not_fit_are_refused(learner, loss, message, numbers):
    X, y = numbers
    y = y > 0 if isinstance(learner, (KNeighborsClassifier, LinearSVC)) else y
    with pytest.raises((ValueError, TypeError), match=message):
        RACSAM(learner, loss=loss).fit(X, y)


def test_a_sample_smaller_than_the_neighbours_is_refused(numbers):
    with pytest.raises(ValueError, match=r"n_neighbors=5 among 3 row\(s\)"):
        RACSAM(KNeighborsRegressor(5), n_train=3, n_candidates=20).fit(*numbers)


def test_classes_for_a_regressor_are_refused(numbers):
    X, y = numbers
    with pytest.raises(ValueError, match="LazyRegressor|regress|number"):
        RACSAM(LinearRegression()).fit(X, np.where(y > 0, "a", "b"))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda X, y: (X[:1], y[:1]), "n_samples = 1"),
        (lambda X, y: (X[:0], y[:0]), "0 sample"),
        (lambda X, y: (X, y[:50]), "200 rows, y has 50"),
        (lambda X, y: (X, None), "y"),
        (lambda X, y: (X, np.where(y > 1, np.nan, y)), "Input y contains NaN"),
        (lambda X, y: (X, np.where(y > 1, None, "a")), "Input y contains NaN"),
        (lambda X, y: (X, np.where(y > 1, np.inf, y)), "infinit"),
        (lambda X, y: (X, np.full(200, "a")), "only 1 class"),
        (lambda X, y: (X, np.column_stack([y, y])), "1d array"),
        (lambda X, y: (np.where(X > 2, np.inf, X), y), "infinity"),
        (lambda X, y: (np.ones((200, 3)), y), "constant"),
    ],
    ids=[
        "one row", "no rows", "lengths", "no target", "gaps", "none", "inf", "class", "2d",
        "infinite", "constant",
    ],
)  # fmt: skip
def test_wrong_tables_are_refused(spoil, message, numbers):
    with pytest.raises(ValueError, match=message):
        RACSAM(n_candidates=20).fit(*spoil(*numbers))


def test_gaps_are_refused_for_a_learner_that_knows_none(numbers):
    X, y = numbers
    with pytest.raises(ValueError, match="NaN|missing"):
        RACSAM(KNeighborsRegressor(3)).fit(np.where(X > 2, np.nan, X), y)
