"""The door: which evaluator is chosen, and what bad input gets."""

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from thresher.evaluators import evaluator_for
from thresher.learners import ObliviousTree, ObliviousTreeRegressor
from thresher.testing import check_evaluator

RNG = np.random.default_rng(0)
X = RNG.integers(0, 3, size=(40, 4)).astype(float)
CLASSES = np.arange(40) % 2
NUMBERS = X[:, 0] + RNG.normal(size=40)

FAST = {
    "NeighboursEvaluator": [
        (KNeighborsClassifier(3), CLASSES),
        (KNeighborsRegressor(3, weights="distance", p=1), NUMBERS),
    ],
    "GaussianNBEvaluator": [(GaussianNB(), CLASSES)],
    "DiscreteNBEvaluator": [(BernoulliNB(), CLASSES), (CategoricalNB(), CLASSES)],
    "LinearEvaluator": [(LinearRegression(), NUMBERS), (Ridge(), NUMBERS)],
    "ObliviousEvaluator": [(ObliviousTree(), CLASSES), (ObliviousTreeRegressor(), NUMBERS)],
}


@pytest.mark.parametrize(
    ("name", "model", "y"),
    [(name, model, y) for name, cases in FAST.items() for model, y in cases],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else None,
)
@pytest.mark.parametrize("cv", [4, "loo"])
def test_fast_evaluators_are_chosen_and_conform(name, model, y, cv):
    fast = evaluator_for(model, X, y, cv=cv)
    assert type(fast).__name__ == name
    check_evaluator(fast)
    slow = evaluator_for(model, X, y, cv=cv, fast=False)
    subsets = [{0}, {1, 2}, {0, 1, 2, 3}, set()]
    rows = np.arange(0, 40, 7)
    if name != "NeighboursEvaluator":  # equal distances abound here; its own tests take care
        assert np.allclose(fast.losses(subsets, rows), slow.losses(subsets, rows))


def test_fast_evaluators_step_back_from_weights_scorers_and_missing_values():
    weighted = evaluator_for(GaussianNB(), X, CLASSES, sample_weight=np.ones(40))
    scored = evaluator_for(GaussianNB(), X, CLASSES, scoring="roc_auc")
    assert type(weighted).__name__ == "EstimatorEvaluator"
    assert type(scored).__name__ == "ScorerEvaluator"


def test_encoding_brings_messy_tables_to_fast_evaluators():
    frame = pd.DataFrame({"c": np.where(CLASSES, "a", "b"), "x": X[:, 0], "gap": NUMBERS})
    frame.loc[::5, "gap"] = None
    evaluator = evaluator_for(GaussianNB(), frame, CLASSES, encode=True)
    assert type(evaluator).__name__ == "GaussianNBEvaluator"
    assert evaluator.n_variables == 3
    check_evaluator(evaluator)
    assert evaluator.losses([{0}]).mean() == 0


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y"),
        ([0, 1] * 19 + [0, None], "contains NaN: the target is missing in 1 row"),
        (np.where(np.arange(40) == 7, np.nan, CLASSES), "first in row 7"),
        (np.ones(40), "only 1 class"),
        (CLASSES[:-1], "inconsistent numbers of samples: X has 40 rows, y has 39"),
        (NUMBERS, "continuous"),
        ([1, "a"] * 20, None),
    ],
)
def test_bad_classes_are_refused(y, message):
    if message is None:
        evaluator_for(GaussianNB(), X, y)  # numpy reads both as text: fine
        return
    with pytest.raises(ValueError, match=message):
        evaluator_for(GaussianNB(), X, y)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.where(np.arange(40) == 3, np.inf, NUMBERS), "infinity.*first in row 3"),
        (np.where(np.arange(40) == 3, np.nan, NUMBERS), "contains NaN"),
        (["a", "b"] * 20, "must hold numbers"),
    ],
)
def test_bad_numbers_are_refused(y, message):
    with pytest.raises(ValueError, match=message):
        evaluator_for(LinearRegression(), X, y)


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        (50, "cv=50 needs at least 50 rows"),
        (1, "at least 2 folds"),
        ("five", "cv must be 'loo'"),
        (30, "needs at least 30 rows of some class"),
    ],
)
def test_bad_folds_are_refused(cv, message):
    with pytest.raises(ValueError, match=message):
        evaluator_for(GaussianNB(), X, CLASSES, cv=cv)


@pytest.mark.parametrize(
    ("estimator", "y", "options", "error", "message"),
    [
        (StandardScaler(), CLASSES, {}, TypeError, "no usable predict"),
        (GaussianNB, CLASSES, {}, TypeError, "estimator must be an instance"),
        (KMeans(), CLASSES, {}, TypeError, "classifier or a regressor"),
        (GaussianNB(), CLASSES, {"loss": "hinge"}, ValueError, "loss must be one of 'zero_one'"),
        (GaussianNB(), CLASSES, {"loss": "squared"}, ValueError, "which is a classifier"),
        (Ridge(), NUMBERS, {"scoring": "accuracy"}, ValueError, "which is a regressor"),
        (GaussianNB(), CLASSES, {"loss": "log", "scoring": "f1"}, ValueError, "not both"),
        (LinearSVC(), CLASSES, {"loss": "log"}, ValueError, "has no predict_proba"),
        (
            KNeighborsClassifier(),
            CLASSES,
            {"sample_weight": np.ones(40)},
            ValueError,
            "not take it",
        ),
        (GaussianNB(), CLASSES, {"sample_weight": -np.ones(40)}, ValueError, "not negative"),
        (GaussianNB(), CLASSES, {"sample_weight": np.ones(3)}, ValueError, "sample_weight has 3"),
        (GaussianNB(), CLASSES, {"n_jobs": 0}, ValueError, "n_jobs must not be 0"),
    ],
)
def test_bad_parameters_are_refused(estimator, y, options, error, message):
    with pytest.raises(error, match=message):
        evaluator_for(estimator, X, y, **options).losses([{0}])


def test_missing_values_are_named_before_any_work():
    frame = pd.DataFrame({"ok": X[:, 0], "gap": np.where(CLASSES, np.nan, 1.0)})
    with pytest.raises(
        ValueError, match="NaN: column\\(s\\) 'gap' have missing values.*GaussianNB"
    ):
        evaluator_for(GaussianNB(), frame, CLASSES)
    evaluator_for(HistGradientBoostingClassifier(), frame, CLASSES)


def test_text_columns_are_named_before_any_work():
    frame = pd.DataFrame({"ok": X[:, 0], "text": np.where(CLASSES, "a", "b")})
    with pytest.raises(ValueError, match="'text' are of kind 'string'.*LogisticRegression"):
        evaluator_for(LogisticRegression(), frame, CLASSES)
    with pytest.raises(ValueError, match="cast them to a categorical type"):
        evaluator_for(HistGradientBoostingClassifier(), frame, CLASSES)
