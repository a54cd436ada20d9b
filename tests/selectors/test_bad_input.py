"""Whatever is wrong is named: the column or the parameter, what was expected, what was found."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

from thresher import Stepwise, WrapperSelector

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(RNG.normal(size=(30, 3)), columns=["a", "b", "c"])
Y = np.arange(30) % 2


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (FRAME.assign(b=np.inf), Y, "infinity.*'b'"),
        (FRAME.assign(b=np.nan), Y, "NaN: column\\(s\\) 'b'"),
        (FRAME.assign(a=1, b=2, c=3), Y, "all 3 column\\(s\\) of X are constant"),
        (FRAME.set_axis(["a", "b", "a"], axis=1), Y, "more than once: 'a'"),
        (FRAME.assign(b="text"), Y, "'b' are of kind 'string'"),
        (FRAME.assign(b=[[1]] * 30), Y, "'b'"),
        (FRAME, np.where(Y, np.nan, 0.0), "target is missing in 15 row"),
        (FRAME, np.zeros(30), "only 1 class"),
        (FRAME, Y[:10], "inconsistent numbers of samples"),
        (FRAME.iloc[:3], [0, 1, 0], "cv=5 needs at least 5 rows"),
        (FRAME.iloc[:0], [], "a minimum of 1 is required"),
        (FRAME[[]], Y, "a minimum of 1 is required"),
        (np.ones(30), Y, "2D array"),
    ],
)
def test_bad_tables_and_targets(X, y, message):
    with pytest.raises(ValueError, match=message):
        Stepwise(GaussianNB()).fit(X, y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"direction": "up"}, "direction must be 'forward' or 'backward'; got 'up'"),
        ({"n_features": 9}, "n_features must lie in 1 .. 3"),
        ({"tolerance": -0.1}, "tolerance must not be negative"),
        ({"rule": "any"}, "rule must be"),
        ({"judge": "solomon"}, "judge must be one of 'exhaustive'"),
        ({"judge": 7}, "judge must be a Judge"),
        ({"feature_groups": {"g": []}}, "'g' names no column"),
        ({"feature_groups": {"g": ["zebra"]}}, "'zebra', which is not a column"),
        ({"keep": ["zebra"]}, "keep names 'zebra'"),
        ({"cv": 1}, "at least 2 folds"),
        ({"loss": "zero-two"}, "loss must be one of"),
        ({"scoring": "nonsense"}, "nonsense"),
        ({"max_time": -1}, "max_time must be positive"),
        ({"max_evaluations": 0}, "max_evaluations must be at least 1"),
        ({"n_jobs": 0}, "n_jobs must not be 0"),
    ],
    ids=str,
)
def test_bad_parameters(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        Stepwise(GaussianNB(), **options).fit(FRAME, Y)


@pytest.mark.parametrize(
    ("search", "message"),
    [
        ("sideways", "search must be one of 'backward', 'floating', 'forward'"),
        ("no.such.module.Strategy", "cannot be imported"),
        ("thresher.searches.Nothing", "cannot be imported"),
        (object(), "search must be a SearchStrategy"),
        ("thresher.searches.Space", "Space"),
    ],
)
def test_bad_strategies(search, message):
    with pytest.raises((ValueError, TypeError), match=message):
        WrapperSelector(GaussianNB(), search=search).fit(FRAME, Y)


def test_estimators_that_cannot_predict():
    with pytest.raises(TypeError, match="no usable predict"):
        Stepwise(StandardScaler()).fit(FRAME, Y)


def test_a_failed_fit_leaves_nothing_behind():
    selector = Stepwise(GaussianNB())
    with pytest.raises(ValueError, match="infinity"):
        selector.fit(FRAME.assign(b=np.inf), Y)
    assert not hasattr(selector, "support_")


def test_a_hundred_thousand_distinct_strings():
    n = 100_000
    frame = pd.DataFrame({"id": [f"u{i}" for i in range(n)], "x": RNG.normal(size=n)})
    y = (frame["x"] > 0).to_numpy().astype(int)
    with pytest.raises(ValueError, match="'id' are of kind 'string'"):
        Stepwise(HistGradientBoostingClassifier()).fit(frame, y)
    selector = Stepwise(GaussianNB(), encode=True, cv=2).fit(frame, y)
    assert selector.selection_.selected == ("x",)


def test_other_fit_parameters():
    with pytest.raises(TypeError, match="takes sample_weight and groups; got \\['magic'\\]"):
        Stepwise(GaussianNB()).fit(FRAME, Y, magic=1)
