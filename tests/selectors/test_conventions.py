"""What scikit-learn's own checks do not ask: containers, switches, dates, weights and groups."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import sklearn
from sklearn.model_selection import LeaveOneGroupOut
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from thresher import RACSAM, RVE, Oblivion, RaceSearchCV, Selection, Stepwise
from thresher.filters import CFS

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 4))
Y = np.where(X[:, 0] + X[:, 1] > 0, "high", "low")


def test_an_arrow_table_becomes_pandas_if_asked_for():
    table = pa.table({name: X[:, j] for j, name in enumerate("abcd")})
    found = CFS().set_output(transform="pandas").fit(table, Y).transform(table)
    assert isinstance(found, pd.DataFrame)
    assert len(found) == 80


def test_switches_may_be_numpys():
    assert Stepwise(GaussianNB(), floating=np.False_).fit(X, Y).support_.any()
    with pytest.raises(ValueError, match="max_evaluations must be a whole number"):
        Stepwise(GaussianNB(), max_evaluations=np.True_).fit(X, Y)


@pytest.mark.parametrize("seed", ["a", -1, 2**32, True])
def test_a_wrong_seed_is_named(seed):
    with pytest.raises(ValueError, match="random_state must be a whole number"):
        RVE(GaussianNB(), random_state=seed).fit(X, Y)


def test_transform_does_not_mind_infinity_whether_gaps_were_seen_or_not():
    gaps, infinite = X.copy(), X.copy()
    gaps[0, 0] = np.nan
    selector = CFS().fit(gaps, Y)
    infinite[0, np.flatnonzero(~selector.support_)[0]] = np.inf
    for own in (CFS().fit(X, Y), selector):
        assert own.transform(infinite).shape == (80, own.n_features_)


def dated(n_rows=120):
    days = np.random.default_rng(1).normal(size=n_rows)
    dates = pd.Timestamp("2020-01-01") + pd.to_timedelta((1000 * days).round(), unit="D")
    noise = np.random.default_rng(2).normal(size=n_rows) * 1e-3
    return pd.DataFrame({"date": dates, "noise": noise}), np.where(days > 0, "late", "early")


@pytest.mark.parametrize(
    "selector",
    [
        Oblivion(KNeighborsClassifier(3)),
        RACSAM(KNeighborsClassifier(3), n_candidates=4, random_state=0),
    ],
    ids=lambda selector: type(selector).__name__,
)
def test_dates_are_predicted_from_as_they_were_learnt(selector):
    frame, y = dated()
    assert selector.fit(frame, y).score(frame, y) > 0.9


def test_predictions_do_not_depend_on_the_output_of_transform():
    plain = Oblivion().fit(X, Y)
    framed = Oblivion().set_output(transform="pandas").fit(X, Y)
    assert framed.predict(X).tolist() == plain.predict(X).tolist()


def test_scores_take_weights():
    selector = Oblivion().fit(X, Y)
    wrong = selector.predict(X) != Y
    weight = np.where(wrong, 0.0, 1.0)
    assert selector.score(X, Y, sample_weight=weight) == 1.0


def test_leave_one_out_refuses_groups_that_it_would_ignore():
    search = RaceSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]})
    groups = np.repeat(np.arange(20), 4)
    with pytest.raises(ValueError, match="groups: leave-one-out keeps no rows together"):
        search.fit(X, Y, groups=groups)
    search.set_params(cv=LeaveOneGroupOut()).fit(X, Y, groups=groups)
    assert search.n_splits_ == 20


def test_weights_have_one_dimension():
    with pytest.raises(ValueError, match=r"sample_weight must have one dimension; got .*40, 2"):
        RVE(GaussianNB()).fit(X, Y, sample_weight=np.ones((40, 2)))


def test_weights_may_have_the_name_that_the_estimator_asked_for():
    weight = np.where(X[:, 2] > 0, 5.0, 0.1)
    plain = RVE(GaussianNB(), random_state=0).fit(X, Y, sample_weight=weight)
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = GaussianNB().set_fit_request(sample_weight="importance")
        named = RVE(estimator, random_state=0).fit(X, Y, importance=weight)
    assert named.selection_.verdicts == plain.selection_.verdicts


def test_what_was_cut_short_is_plain_json_and_comes_back_equal(tmp_path):
    with pytest.warns(UserWarning, match="budget"):
        selection = Stepwise(GaussianNB(), max_evaluations=3).fit(X, Y).selection_
    json.dumps(selection.to_dict(), allow_nan=False)
    selection.save(tmp_path / "result.json")
    assert Selection.load(tmp_path / "result.json") == selection


@pytest.mark.parametrize("grid", [{"n_neighbors": [3]}, {}])
def test_a_single_candidate_is_scored_and_refitted(grid):
    search = RaceSearchCV(KNeighborsClassifier(3), grid).fit(X, Y)
    assert search.best_params_ == {name: values[0] for name, values in grid.items()}
    assert 0.5 < search.best_score_ <= 1
    assert search.predict(X).shape == (80,)


def test_the_largest_class_is_named_as_the_user_names_it():
    with pytest.raises(ValueError, match="the largest, 'k0', has only 1"):
        RVE(GaussianNB()).fit(X[:6], [f"k{i}" for i in range(6)])
