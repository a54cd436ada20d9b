"""Whatever is wrong is named, by every filter."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

from tests.filters.tables import numbers
from thresher.filters import CFS, FCBF, GainRatio, ReliefF

FILTERS = [CFS(), CFS(correlation="pearson"), FCBF(), GainRatio(), ReliefF(random_state=0)]
all_filters = pytest.mark.parametrize("method", FILTERS, ids=repr)
X, Y, NUMBERS = numbers(n_rows=60, n_columns=5)
FRAME = pd.DataFrame(X, columns=list("abcde"))
NAN, INF = float("nan"), float("inf")


@all_filters
@pytest.mark.parametrize(
    ("table", "y", "message"),
    [
        (FRAME, np.zeros(60), "only 1 class"),
        (FRAME, np.full(60, 0.5), "y is constant"),
        (FRAME, np.where(Y, NAN, 0.5), "target is missing in"),
        (FRAME, np.where(Y, INF, NUMBERS), "infinity"),
        (FRAME, Y[:20], "inconsistent numbers of samples: 60 and 20"),
        (FRAME, [], "y is empty"),
        (FRAME, None, "y"),
        (FRAME, FRAME, "1d array|must hold numbers or labels"),
        (FRAME.iloc[:1], [0], "at least 2 rows; got n_samples = 1|only 1 class"),
        (FRAME.assign(b=INF), Y, "infinity.*'b'"),
        (FRAME.assign(a=1, b=2, c=3, d=NAN, e=0), Y, "all 5 column\\(s\\) of X are constant"),
        (FRAME.set_axis(list("abcda"), axis=1), Y, "more than once: 'a'"),
        (FRAME.assign(b=[[1]] * 60), Y, "'b'"),
        (FRAME[[]], Y, "a minimum of 1 is required"),
        (np.ones(60), Y, "2D array"),
    ],
    ids=[
        "one class", "constant target", "missing target", "infinite target", "short target",
        "empty target", "no target", "table as target", "one row", "infinity", "constants",
        "duplicates", "nested", "no columns", "one dimension",
    ],
)  # fmt: skip
def test_bad_tables_and_targets(method, table, y, message):
    broken = clone(method)
    with pytest.raises(ValueError, match=message):
        broken.fit(table, y)
    assert not hasattr(broken, "support_")


TASK = ["ranking", None, 1, ["auto"], {}]
WHOLE = [0, -1, None, True, 2.0, "3", NAN, [3], (1,), {}]
SHARED = {"task": TASK, "n_jobs": [0, 1.5, "2", True, [1]], "random_state": ["dice", -1, 1.5]}
GROUPS = {
    "feature_groups": [5, {"g": []}, {"g": ["zebra"]}, {"g": None}, {"g": [True]}],
    "keep": [None, ["zebra"], [1.5], [True]],
}
LEVELS = {
    "cuts": ["width", 1, 0, None, True, 2.5, NAN, ["mdl"]],
    "missing": ["ignore", None, 0, ["spread"], {}],
    "n_target_bins": [*WHOLE, 1],
}
BUDGETS = {"max_time": [0, -1, "1", NAN, True, [1]], "max_evaluations": [0, -1, 1.5, "1", True]}
NUMBER = [None, "0.1", NAN, INF, True, [0.1], {}]
N_FEATURES = [0, -1, 6, True, None, "3", 1.5, [2], {}, "all"]
WRONG = {
    CFS: {
        **SHARED, **GROUPS, **LEVELS, **BUDGETS,
        "correlation": ["spearman", None, 1, ["auto"], {}],
        "standardize": [None, 1, "yes", []],
        "locally_predictive": [None, 0, "no", []],
    },
    FCBF: {**SHARED, **GROUPS, **LEVELS, "threshold": NUMBER, "n_features": [*N_FEATURES, (1, 2)]},
    GainRatio: {
        **SHARED, **GROUPS, **LEVELS, **BUDGETS,
        "threshold": NUMBER,
        "n_features": [*N_FEATURES, (1, 2)],
        "criterion": ["gini", None, 1, ["gain-ratio"], {}],
        "encode": [None, 1, "yes"],
    },
    ReliefF: {
        **SHARED, **GROUPS,
        "n_neighbors": WHOLE,
        "n_features": [*N_FEATURES, (1, 2)],
        "threshold": NUMBER[1:],
        "n_samples": [0, -1, 1.5, "10", True, NAN, [5], 61],
        "sigma": [0, -1.0, "2", NAN, INF, True, []],
        "alpha": [0, 1, None, "5 %", NAN, True, [0.05]],
        "n_permutations": [*WHOLE, 5],
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [(kind, name, value) for kind, n in WRONG.items() for name, v in n.items() for value in v],
    ids=lambda v: getattr(v, "__name__", None) or str(v),
)
def test_wrong_parameters_are_named(kind, name, value):
    wrong = kind(**{name: value})
    with pytest.raises(ValueError, match=f"(?i){name}|'g'"):
        wrong.fit(FRAME, Y)
    assert not hasattr(wrong, "support_")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_features": (0, 2)}, "n_features must lie in 1 .. 5"),
        ({"n_features": (3, 2)}, "n_features must lie in 1 .. 5"),
        ({"n_features": (2, 6)}, "n_features must lie in 1 .. 5"),
        ({"n_features": (1, 2, 3)}, "n_features must be"),
        ({"n_features": None}, "n_features must be"),
        ({"n_features": "many"}, "n_features must be"),
        ({"n_features": True}, "n_features must be"),
        ({"n_features": (1, 2), "keep": ["a", "b", "c"]}, "less than the 3 columns to keep"),
        ({"cv": 1}, "at least 2 folds"),
        ({"loss": "zero-two"}, "loss must be one of"),
        ({"loss": 5}, "loss must be"),
        ({"scoring": "nonsense"}, "nonsense"),
        ({"scoring": ["accuracy"]}, "scoring must be"),
    ],
    ids=str,
)
def test_wrong_parameters_with_an_estimator(options, message):
    with pytest.raises(ValueError, match=message):
        GainRatio(GaussianNB(), **options).fit(FRAME, Y)


@pytest.mark.parametrize("estimator", [StandardScaler(), "forest", GaussianNB, 5], ids=str)
def test_estimators_that_cannot_predict(estimator):
    with pytest.raises(TypeError, match="estimator must be an instance with fit, predict"):
        GainRatio(estimator).fit(FRAME, Y)


@pytest.mark.parametrize("search", ["sideways", "no.such.Strategy", None, 5, object(), ["greedy"]])
def test_wrong_searches(search):
    with pytest.raises((ValueError, TypeError), match="search"):
        CFS(search=search).fit(FRAME, Y)


@all_filters
def test_a_table_with_other_columns_cannot_be_transformed(method):
    fitted = clone(method).fit(FRAME, Y)
    with pytest.raises(ValueError, match="feature names"):
        fitted.transform(FRAME.rename(columns={"a": "z"}))
    with pytest.raises(ValueError, match="features"):
        clone(method).fit(X, Y).transform(X[:, :2])


@all_filters
def test_two_rows_are_enough(method):
    found = clone(method).fit(FRAME.iloc[:2], ["u", "v"])
    assert found.support_.shape == (5,)
    assert all(verdict.reason for verdict in found.selection_.verdicts)
