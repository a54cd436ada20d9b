"""What racing models refuses, and in which words."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsClassifier

from thresher import RaceSearchCV
from thresher.races import Brace


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"delta": 1.0}, "delta must be a number between 0 and 1; got 1.0"),
        ({"gamma": -1}, "gamma must be a number that is not negative; got -1"),
        ({"min_rows": 1}, "min_rows must be a whole number of at least 2 or None; got 1"),
        ({"min_rows": 151}, r"min_rows=151 is more than there are to race over: 150 row\(s\)"),
        ({"corrected": 1}, "corrected must be True or False"),
        ({"race": "horse"}, "race must be one of 'brace', .*'exhaustive'.*; got 'horse'"),
        ({"race": Brace}, "race must be one of"),
        ({"race": Brace(delta=2)}, "delta must lie between 0 and 1"),
        ({"race": "hoeffding", "loss": "squared"}, "does not fit"),
        ({"param_grid": []}, "param_grid gives no candidate"),
        ({"param_grid": {"n_neighbors": []}}, "n_neighbors"),
        ({"param_grid": {"width": [1, 2]}}, "Invalid parameter 'width'"),
        ({"refit": "score"}, "refit must be True, False or a callable; got 'score'"),
        ({"scoring": ["accuracy"]}, "scoring must be the name of a scorer"),
        ({"scoring": "accuracy", "loss": "log"}, "give loss or scoring, not both"),
        ({"cv": "many"}, "cv must be 'loo'"),
        ({"n_jobs": 0}, "n_jobs must be a whole number other than 0"),
    ],
)
def test_wrong_parameters_are_named(iris, params, message):
    search = RaceSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3]}).set_params(**params)
    with pytest.raises(ValueError, match=message):
        search.fit(*iris)


def test_losses_without_bounds_and_hoeffding():
    search = RaceSearchCV(Ridge(), {"alpha": [0.1, 1.0]}, race="hoeffding")
    with pytest.raises(ValueError, match="losses that are bounded"):
        search.fit(*load_diabetes(return_X_y=True))


def test_unknown_arguments_of_fit_are_refused(iris):
    search = RaceSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3]})
    with pytest.raises(TypeError, match="takes sample_weight and groups; got"):
        search.fit(*iris, sample_weigth=np.ones(150))


def test_dates_are_refused_because_the_winner_could_not_predict_from_them(iris):
    frame = pd.DataFrame({"x": iris[0][:, 0], "when": pd.date_range("2024", periods=150)})
    search = RaceSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3]})
    with pytest.raises(ValueError, match="'when' hold dates or durations"):
        search.fit(frame, iris[1])


def test_objects_that_are_no_numbers_are_named():
    X = np.array([[1, "a"], [2, "b"], [3, 4]] * 4, dtype=object)
    search = RaceSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3]})
    with pytest.raises(ValueError, match="column x1 of the array is not numeric"):
        search.fit(X, [0, 1, 0] * 4)
