"""Estimators that fail on some subsets, give NaN, or hang."""

import time

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import ShuffleSplit
from sklearn.tree import DecisionTreeClassifier

from tests.journal.killed import without_clock
from thresher import RACSAM, RVE, Oblivion, RaceSearchCV, RaceSelector, RVErS, Stepwise
from thresher.journal import peek


class Fails(ClassifierMixin, BaseEstimator):
    """Raises or hangs on subsets of some sizes."""

    def __init__(self, how="raises", sizes=(3,)):
        self.how = how
        self.sizes = sizes

    def fit(self, X, y):
        if X.shape[1] in self.sizes:
            if self.how == "raises":
                raise RuntimeError(f"not with {X.shape[1]} columns")
            if self.how == "hangs":
                time.sleep(60)
        self.model_ = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(X)


class GivesNaN(RegressorMixin, BaseEstimator):
    def fit(self, X, y):
        self.bad_ = X.shape[1] == 2
        self.model_ = LinearRegression().fit(X, y)
        return self

    def predict(self, X):
        return np.full(len(X), np.nan) if self.bad_ else self.model_.predict(X)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 4))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)


def test_by_default_a_failure_ends_the_search_and_names_the_columns(table):
    with pytest.raises(RuntimeError, match="not with 3 columns") as caught:
        Stepwise(Fails(), direction="backward").fit(*table)
    assert "on 3 column(s): 'x1', 'x2', 'x3'" in caught.value.__notes__[0]


@pytest.mark.parametrize(
    "selector",
    [
        Stepwise(Fails(), direction="backward", on_error="skip"),
        RVErS(Fails(), on_error="skip", random_state=0),
        RVE(Fails(), n_relevant=2, on_error="skip", random_state=0),
        RaceSelector(Fails(), search="backward", on_error="skip", random_state=0),
        Oblivion(Fails(), cv=3, on_error="skip"),
        RACSAM(
            Fails(), n_candidates=8, n_winners=3, max_candidates=30, on_error="skip", random_state=0
        ),
    ],
    ids=lambda selector: type(selector).__name__,
)
def test_a_search_goes_on_past_subsets_that_fail(table, selector):
    with pytest.warns(UserWarning, match=r"fit\(s\) failed and were passed over"):
        selector.fit(*table)
    failures = selector.selection_.failures
    assert failures
    assert {own["error"] for own in failures} == {"RuntimeError: not with 3 columns"}
    assert all("3 column(s): " in own["subset"] for own in failures)
    assert selector.n_features_ != 3


def test_a_subset_that_fails_never_wins(table):
    with pytest.warns(UserWarning, match="failed"):
        found = Stepwise(Fails(sizes=(2, 3)), direction="forward", on_error="skip").fit(*table)
    assert found.n_features_ == 1


def test_nan_counts_as_a_failure():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    y = X[:, 0] + X[:, 1] + 0.1 * rng.normal(size=60)
    with pytest.raises(ValueError, match="not a finite number on 2 column"):
        Stepwise(GivesNaN(), direction="forward").fit(X, y)
    with pytest.warns(UserWarning, match="not a finite number"):
        found = Stepwise(GivesNaN(), direction="forward", on_error="skip").fit(X, y)
    assert found.n_features_ == 1


def test_if_everything_fails_that_is_an_error(table):
    always = Fails(sizes=(1, 2, 3, 4))
    with pytest.raises((ValueError, RuntimeError), match="not with"):
        Stepwise(always, direction="backward", on_error="skip").fit(*table)
    with pytest.raises((ValueError, RuntimeError), match="not with"):
        RaceSearchCV(always, {"how": ["raises", "raises"]}, cv=3, on_error="skip").fit(*table)


def test_a_candidate_that_fails_loses_the_race(table):
    grid = {"how": ["fine", "raises"], "sizes": [(4,)]}
    with pytest.warns(UserWarning, match="failed and were passed over"):
        search = RaceSearchCV(Fails(), grid, cv=5, on_error="skip", random_state=0).fit(*table)
    assert search.best_params_["how"] == "fine"
    assert search.failures_[0]["error"] == "RuntimeError: not with 4 columns"
    with pytest.raises(RuntimeError, match="not with 4 columns"):
        RaceSearchCV(Fails(), grid, cv=5, random_state=0).fit(*table)


def test_a_fit_that_hangs_is_ended(table):
    hangs = Fails(how="hangs", sizes=(1,))
    X, y = table
    once = ShuffleSplit(1, random_state=0)  # each fit that hangs costs a worker
    backward = Stepwise(hangs, direction="backward", cv=once, on_error="skip", timeout=1.0)
    with pytest.warns(UserWarning, match="timeout"):
        backward.fit(X[:, :2], y)
    assert backward.n_features_ == 2
    assert backward.selection_.failures[0]["error"].startswith("timeout")
    with pytest.raises(TimeoutError) as caught:
        backward.set_params(on_error="raise").fit(X[:, :2], y)
    assert "1 column(s)" in caught.value.__notes__[-1]


def test_failures_are_written_down_and_come_back(table, tmp_path):
    def fit():
        selector = RVErS(Fails(), on_error="skip", random_state=0, journal=tmp_path / "run.db")
        with pytest.warns(UserWarning, match="failed"):
            return selector.fit(*table).selection_

    first = fit()
    n_results = peek(tmp_path / "run.db").n_results
    again = fit()
    assert without_clock(again.to_dict()) == without_clock(first.to_dict())
    assert again.failures == first.failures
    assert peek(tmp_path / "run.db").n_results == n_results


def test_failures_are_in_the_file_and_on_the_page(table, tmp_path):
    from thresher import Selection

    with pytest.warns(UserWarning, match="failed"):
        found = Stepwise(Fails(), direction="backward", on_error="skip").fit(*table).selection_
    found.save(tmp_path / "result.json")
    assert Selection.load(tmp_path / "result.json").failures == found.failures
    found.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "Fits that failed" in page
    assert "RuntimeError: not with 3 columns" in page


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        ("on_error", "ignore", "on_error must be 'raise' or 'skip'; got 'ignore'"),
        ("timeout", 0, "timeout must be positive seconds or None; got 0"),
        ("journal", 3, "journal must be a path or None; got 3"),
    ],
)
def test_wrong_parameters_are_named(table, parameter, value, message):
    with pytest.raises(ValueError, match=message):
        Stepwise(Fails(), **{parameter: value}).fit(*table)
