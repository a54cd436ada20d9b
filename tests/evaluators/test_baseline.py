"""The empty subset, against scikit-learn's dummies."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, LeaveOneOut, cross_val_predict
from sklearn.naive_bayes import GaussianNB

from thresher.evaluators import evaluator_for

RNG = np.random.default_rng(0)
X = RNG.normal(size=(23, 2))


@pytest.mark.parametrize("cv", [KFold(4), LeaveOneOut()])
@pytest.mark.parametrize(("loss", "strategy"), [("squared", "mean"), ("absolute", "median")])
def test_numbers_are_predicted_by_mean_or_median(cv, loss, strategy):
    y = RNG.integers(0, 9, size=23).astype(float)
    expected = cross_val_predict(DummyRegressor(strategy=strategy), X, y, cv=cv) - y
    losses = evaluator_for(LinearRegression(), X, y, cv=cv, loss=loss).losses([set()])[0]
    assert np.allclose(losses, expected**2 if loss == "squared" else np.abs(expected))


@pytest.mark.parametrize("cv", [KFold(4), LeaveOneOut()])
@pytest.mark.parametrize("loss", ["zero_one", "log", "brier"])
def test_classes_are_predicted_by_their_frequencies(cv, loss):
    y = np.tile([0, 1, 1, 2, 2, 2, 0], 4)[:23]
    proba = cross_val_predict(DummyClassifier(), X, y, cv=cv, method="predict_proba")
    hot = np.eye(3)[y]
    expected = {
        "zero_one": (proba.argmax(axis=1) != y).astype(float),
        "log": -np.log((proba * hot).sum(axis=1)),
        "brier": ((proba - hot) ** 2).sum(axis=1),
    }[loss]
    losses = evaluator_for(GaussianNB(), X, y, cv=cv, loss=loss).losses([set()])[0]
    assert np.allclose(losses, expected)


@pytest.mark.parametrize("cv", [KFold(4), LeaveOneOut()])
@pytest.mark.parametrize("loss", ["absolute", "squared"])
def test_weights_count_like_repeated_rows(cv, loss):
    y = RNG.integers(0, 9, size=23).astype(float)
    times = RNG.integers(1, 4, size=23)
    weights = times.astype(float)
    losses = evaluator_for(
        LinearRegression(), X, y, cv=cv, loss=loss, sample_weight=weights
    ).losses([set()])[0]
    for train, test in cv.split(X):
        repeated = np.repeat(y[train], times[train])
        centre = np.median(repeated) if loss == "absolute" else repeated.mean()
        expected = np.abs(y[test] - centre)
        assert np.allclose(losses[test], expected if loss == "absolute" else expected**2)
