"""Whatever is wrong is named: the column or the parameter, what was expected, what was found."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

from thresher import ACE, Stepwise, WrapperSelector
from thresher.filters import FCBF
from thresher.learners import PocketPerceptron

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(RNG.normal(size=(30, 3)), columns=["a", "b", "c"])
Y = np.arange(30) % 2


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (FRAME.assign(b=np.inf), Y, "infinity.*'b'"),
        (FRAME.assign(b=np.where(Y, 1.0, np.nan)), Y, "NaN: column\\(s\\) 'b'"),
        (FRAME.assign(a=1, b=2, c=3), Y, "all 3 column\\(s\\) of X are constant"),
        (FRAME.set_axis(["a", "b", "a"], axis=1), Y, "more than once: 'a'"),
        (FRAME.assign(b=np.where(Y, "u", "v")), Y, "'b' are of kind 'string'"),
        (FRAME.assign(b=[[1]] * 30), Y, "'b'"),
        (FRAME, np.where(Y, np.nan, 0.0), "target is missing in 15 row"),
        (FRAME, np.zeros(30), "only 1 class"),
        (FRAME, Y[:10], "inconsistent numbers of samples"),
        (FRAME, [], "y is empty"),
        (FRAME, pd.Series(Y, dtype="boolean").mask(Y == 1), "target is missing in 15 row"),
        (FRAME, pa.array(["a", None] * 15), "target is missing in 15 row"),
        (FRAME, pd.date_range("2024", periods=30), "holds dates"),
        (FRAME, np.ma.masked_array(Y, mask=Y == 1), "masked array"),
        (FRAME, [(1, 2)] * 30, "y should be a 1d array|must hold numbers or labels"),
        (np.ma.masked_array(FRAME, mask=FRAME > 1), Y, "X is a masked array"),
        (pl.from_pandas(FRAME).lazy(), Y, "call .collect\\(\\) first"),
        (FRAME.assign(b=[(1, 2)] * 30), Y, "'b' holds nested values"),
        (FRAME.assign(b=pd.Series([10**400] * 30, dtype=object)), Y, "'b' holds a number too"),
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
        ({"n_features": True}, "n_features must be a whole number"),
        ({"tolerance": -0.1}, "tolerance must be a number that is not negative; got -0.1"),
        ({"tolerance": "0.1"}, "tolerance must be a number"),
        ({"tolerance": float("nan")}, "tolerance must be a number"),
        ({"rule": "any"}, "rule must be"),
        ({"floating": "no"}, "floating must be True or False; got 'no'"),
        ({"judge": "solomon"}, "judge must be one of '.*'exhaustive'.*; got 'solomon'"),
        ({"judge": 7}, "judge must be a Judge"),
        ({"judge": "."}, "judge='.' is not a path"),
        ({"feature_groups": {"g": []}}, "'g' names no column"),
        ({"feature_groups": {"g": ["zebra"]}}, "'zebra', which is not a column"),
        ({"feature_groups": {"g": [True]}}, "'g' must hold names or positions"),
        ({"feature_groups": {"g": None}}, "'g' must be a list of columns"),
        ({"feature_groups": 5}, "feature_groups must map names to columns"),
        ({"keep": ["zebra"]}, "keep names 'zebra'"),
        ({"keep": [False, False, True]}, "keep must hold names or positions of columns; got False"),
        ({"keep": [1.5]}, "keep must hold names or positions of columns; got 1.5"),
        ({"keep": None}, "keep must be a list"),
        ({"cv": 1}, "at least 2 folds"),
        ({"cv": True}, "cv must be 'loo', an integer"),
        ({"cv": KFold}, "cv must be 'loo', an integer"),
        ({"cv": [1, 2]}, "does not give pairs of training and test rows"),
        ({"cv": [([0, 1, 2], [99])]}, "test rows of fold 0 must lie in 0 .. 29; found 99 .. 99"),
        ({"cv": [([], [0])]}, "fold 0 has no training rows"),
        ({"cv": [([0, 1.5], [2])]}, "training rows of fold 0 must be positions"),
        ({"cv": []}, "gives no fold"),
        ({"loss": "zero-two"}, "loss must be one of"),
        ({"loss": b"x"}, "loss must be the name of a loss"),
        ({"scoring": "nonsense"}, "nonsense"),
        ({"scoring": ["accuracy"]}, "scoring must be the name of a scorer"),
        ({"max_time": -1}, "max_time must be positive"),
        ({"max_time": "1"}, "max_time must be positive"),
        ({"max_evaluations": 0}, "max_evaluations must be a whole number"),
        ({"max_evaluations": 1.5}, "max_evaluations must be a whole number"),
        ({"n_jobs": 0}, "n_jobs must be a whole number"),
        ({"n_jobs": float("inf")}, "n_jobs must be a whole number"),
    ],
    ids=str,
)
def test_bad_parameters(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        Stepwise(GaussianNB(), **options).fit(FRAME, Y)


@pytest.mark.parametrize(
    ("search", "message"),
    [
        ("sideways", "search must be one of 'backward', 'best-first', 'floating', 'forward'"),
        ("no.such.module.Strategy", "cannot be imported"),
        ("thresher.searches.Nothing", "cannot be imported"),
        (object(), "search must be a SearchStrategy"),
        ("thresher.searches.Space", "Space"),
    ],
)
def test_bad_strategies(search, message):
    with pytest.raises((ValueError, TypeError), match=message):
        WrapperSelector(GaussianNB(), search=search).fit(FRAME, Y)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (FRAME.assign(b=np.inf), Y, "infinity.*'b'"),
        (FRAME.assign(a=1, b=2, c=3), Y, "all 3 column\\(s\\) of X are constant"),
        (FRAME.set_axis(["a", "b", "a"], axis=1), Y, "more than once: 'a'"),
        (FRAME.assign(b=[[1]] * 30), Y, "'b'"),
        (FRAME, np.where(Y, np.nan, 0.0), "target is missing in 15 row"),
        (FRAME, np.where(Y, np.inf, FRAME["a"]), "infinity"),
        (FRAME, np.zeros(30), "only 1 class"),
        (FRAME, np.full(30, 0.1), "y is constant"),
        (FRAME, Y[:20], "inconsistent numbers of samples: 30 and 20"),
        (FRAME, [], "y is empty"),
        (FRAME, None, "y"),
        (FRAME, pd.date_range("2024", periods=30), "holds dates"),
        (FRAME, np.ma.masked_array(Y, mask=Y == 1), "masked array"),
        (FRAME, [(1, 2)] * 30, "y should be a 1d array|must hold numbers or labels"),
        (FRAME, FRAME, "1d array|must hold numbers or labels"),
        (FRAME, [f"u{k}" for k in range(30)], "30 classes in 30 rows"),
        (FRAME, pa.array(["a", None] * 15), "target is missing in 15 row"),
        (np.ma.masked_array(FRAME, mask=FRAME > 1), Y, "X is a masked array"),
        (pl.from_pandas(FRAME).lazy(), Y, "call .collect\\(\\) first"),
        (FRAME.iloc[:9], Y[:9], "at least 10 rows; got n_samples = 9"),
        (FRAME.iloc[:0], [], "a minimum of 1 is required"),
        (FRAME[[]], Y, "a minimum of 1 is required"),
        (np.ones(30), Y, "2D array"),
    ],
    ids=[
        "infinity", "constant", "duplicates", "nested", "missing target", "infinite target",
        "one class", "constant target", "short target", "empty target", "no target", "dates",
        "masked target", "tuples", "table as target", "labels", "missing labels", "masked table",
        "lazy", "nine rows", "no rows", "no columns", "one dimension",
    ],
)  # fmt: skip
def test_bad_tables_and_targets_for_ace(X, y, message):
    with pytest.raises(ValueError, match=message):
        ACE(n_trees=2, random_state=0).fit(X, y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_replicates": 1}, "n_replicates must be a whole number of at least 2; got 1"),
        ({"n_replicates": 20.0}, "n_replicates must be a whole number"),
        ({"n_replicates": 10}, "n_replicates must be at least 19 for alpha = 0.05"),
        ({"n_trees": 0}, "n_trees must be a whole number of at least 1; got 0"),
        ({"n_trees": True}, "n_trees must be a whole number"),
        ({"alpha": 0}, "alpha must be a number between 0 and 1; got 0"),
        ({"alpha": 1}, "alpha must be a number between 0 and 1; got 1"),
        ({"alpha": "5 %"}, "alpha must be a number between 0 and 1"),
        ({"alpha": float("nan")}, "alpha must be a number between 0 and 1"),
        ({"masking_alpha": -0.1}, "masking_alpha must be a number between 0 and 1"),
        ({"correction": "holm"}, "correction must be 'max-t', 'bonferroni', 'bh' or 't'"),
        ({"correction": None}, "correction must be"),
        ({"redundancy": "no"}, "redundancy must be True, False or 'surrogates'; got 'no'"),
        ({"redundancy": 1}, "redundancy must be True, False or 'surrogates'; got 1"),
        ({"max_iterations": 0}, "max_iterations must be a whole number of at least 1"),
        ({"task": "ranking"}, "task must be 'auto', 'classification' or 'regression'"),
        ({"task": "classification"}, "numbers that are not whole"),
        ({"feature_groups": {"g": ["zebra"]}}, "'zebra', which is not a column"),
        ({"feature_groups": {"g": []}}, "'g' names no column"),
        ({"keep": ["zebra"]}, "keep names 'zebra'"),
        ({"keep": None}, "keep must be a list"),
        ({"max_time": 0}, "max_time must be positive"),
        ({"n_jobs": 0}, "n_jobs must be a whole number"),
        ({"random_state": "dice"}, "random_state must be a whole number"),
    ],
    ids=str,
)
def test_bad_parameters_of_ace(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        ACE(**{"n_trees": 2, "random_state": 0, **options}).fit(FRAME, FRAME["a"])


def test_a_failed_fit_of_ace_leaves_nothing_behind():
    selector = ACE()
    with pytest.raises(ValueError, match="y is constant"):
        selector.fit(FRAME, np.full(30, 0.5))
    assert not hasattr(selector, "support_")


@pytest.mark.parametrize("estimator", [StandardScaler(), None, "forest", GaussianNB])
def test_estimators_that_cannot_predict(estimator):
    with pytest.raises(TypeError, match="estimator must be an instance with fit, predict"):
        Stepwise(estimator).fit(FRAME, Y)


@pytest.mark.filterwarnings("ignore:R\\^2 score is not well-defined")
def test_scorers_that_are_undefined_name_their_fold():
    with pytest.raises(ValueError, match="the scorer gave nan for Ridge in fold 0"):
        Stepwise(Ridge(), scoring="r2", cv="loo").fit(FRAME, Y)


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


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.full(30, 1e308), "finite, also in sum"),
        ("heavy", "sample_weight must hold numbers"),
        (np.ones(30) * 1j, "sample_weight must hold numbers; got .* complex128"),
        ([None, {}] * 15, "sample_weight must hold numbers"),
        (np.r_[1.0, np.zeros(29)], "training rows of fold 0 weigh nothing"),
    ],
)
def test_absurd_weights(weights, message):
    with pytest.raises(ValueError, match=message):
        Stepwise(Ridge()).fit(FRAME, Y + 0.5, sample_weight=weights)


def test_losses_that_overflow():
    y = np.where(Y, 1e300, -1e300) * FRAME["a"]
    with pytest.raises(ValueError, match="y holds numbers as large as 2.33e.300.* below 1e.70"):
        Stepwise(Ridge(), keep=["a"], n_features=1).fit(FRAME, y)
    with pytest.raises(ValueError, match="below 1e.140"):
        Stepwise(Ridge(), loss="absolute").fit(FRAME, y)


class Exaggerating(Ridge):
    def predict(self, X):
        return super().predict(X) * 1e100


def test_losses_whose_variance_overflows():
    with pytest.raises(ValueError, match="so large that its square is not a finite number"):
        Stepwise(Exaggerating(), n_features=1).fit(FRAME, FRAME["a"])


@pytest.mark.parametrize(
    ("scoring", "estimator"), [("roc_auc", Ridge()), ("neg_log_loss", PocketPerceptron())]
)
def test_scorers_that_ask_for_too_much(scoring, estimator):
    with pytest.raises(ValueError, match="predict_proba|does not fit"):
        Stepwise(estimator, scoring=scoring).fit(FRAME, Y)


def test_rows_of_different_lengths():
    with pytest.raises(ValueError, match="rows are of the same length"):
        Stepwise(GaussianNB()).fit([[1, 2], [3]], [0, 1])


@pytest.mark.parametrize("make", [lambda: Stepwise(GaussianNB()), FCBF, ACE])
def test_targets_of_different_lengths(make):
    with pytest.raises(ValueError, match="y must hold one number or label for each row"):
        make().fit(FRAME, [[0], [0, 1]] * 15)


def test_targets_of_enormous_numbers():
    with pytest.raises(ValueError, match="y must hold"):
        FCBF().fit(FRAME, [10**400, 1] * 15)


def test_whole_numbers_that_are_names_are_not_positions():
    frame = FRAME.set_axis([1, 0, 20], axis=1)
    kept = Stepwise(GaussianNB(), keep=[0], n_features=1).fit(frame, Y)
    assert kept.selection_.selected == ("0",)
    assert kept.support_.tolist() == [False, True, False]
    with pytest.raises(ValueError, match="keep names 2, which is not a column"):
        Stepwise(GaussianNB(), keep=[2]).fit(frame, Y)
