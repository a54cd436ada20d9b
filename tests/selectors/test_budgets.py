"""Budgets of evaluations and time, kept to within one evaluation."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from tests.selectors.counted import Counted
from thresher import RACSAM, Oblivion, RaceSearchCV, RaceSelector, RVErS, Stepwise


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 6))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)


def test_race_search_keeps_to_a_budget(table):
    grid = {"depth": list(range(1, 9))}
    with pytest.warns(UserWarning, match="RaceSearchCV has spent its budget"):
        search = RaceSearchCV(
            Counted(), grid, cv=KFold(20), race="exhaustive", max_evaluations=3, random_state=0
        ).fit(*table)
    spent = search.cv_results_["n_rows"].sum() / 100
    assert 8 / 20 <= spent <= 4
    assert search.best_params_["depth"] in grid["depth"]
    with pytest.warns(UserWarning, match="spent its budget"):
        search = RaceSearchCV(
            Counted(), grid, cv=KFold(20), race="exhaustive", max_time=1e-6, random_state=0
        ).fit(*table)
    assert search.cv_results_["n_rows"].tolist() == [5, *[0] * 7]  # one fit, and no more


def test_candidates_that_were_not_tested_in_time_are_last(table):
    X, y = table
    grid = {"max_depth": [1, 3, 2, 4, 5]}
    tree = DecisionTreeClassifier(random_state=0)
    weights = np.linspace(0.5, 2.0, 100)
    search = RaceSearchCV(
        tree, grid, cv=KFold(3), race="exhaustive", max_evaluations=1, random_state=0
    )
    with pytest.warns(UserWarning, match="3 candidate.s. are still in, 2 have not been tested"):
        search.fit(X, y, sample_weight=weights)
    results = search.cv_results_
    assert (results["n_rows"] > 0).tolist() == [True] * 3 + [False] * 2
    for name in ("mean_test_score", "std_test_score", "standard_error"):
        assert np.isnan(results[name]).tolist() == [False] * 3 + [True] * 2
    assert results["rank_test_score"].tolist()[3:] == [4, 4]
    assert search.best_index_ == np.argmin(results["rank_test_score"])
    few = clone(search).set_params(param_grid={"max_depth": [1, 3, 2]})
    with pytest.warns(UserWarning, match="3 candidate.s. are still in, and this"):
        few.fit(X, y, sample_weight=weights)
    same = few.cv_results_["mean_test_score"]
    np.testing.assert_array_equal(results["mean_test_score"][:3], same)


def test_race_search_keeps_what_it_has_on_ctrl_c(table, monkeypatch):
    from thresher.evaluators import ModelsEvaluator

    genuine, calls = ModelsEvaluator.part_losses, []

    def interrupted(self, models, part):
        calls.append(part)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return genuine(self, models, part)

    monkeypatch.setattr(ModelsEvaluator, "part_losses", interrupted)
    search = RaceSearchCV(
        Counted(), {"depth": [1, 2, 3]}, cv=KFold(20), race="exhaustive", random_state=0
    )
    with pytest.warns(UserWarning, match="RaceSearchCV was interrupted"):
        search.fit(*table)
    assert set(search.cv_results_["n_rows"]) == {25}
    calls[:] = range(5)
    with pytest.raises(KeyboardInterrupt):  # nothing is known yet
        search.fit(*table)


@pytest.mark.parametrize(
    "selector",
    [
        RaceSelector(KNeighborsClassifier(), search="forward", max_evaluations=4, random_state=0),
        RaceSelector(KNeighborsClassifier(), search="schemata", max_evaluations=4, random_state=0),
        RaceSelector(Counted(), search="backward", max_evaluations=4, random_state=0),
        RACSAM(max_evaluations=4, n_candidates=50, random_state=0),
        RVErS(Counted(), max_evaluations=4, random_state=0),
        Stepwise(Counted(), max_evaluations=4, random_state=0),
        Oblivion(max_evaluations=4, random_state=0),
    ],
    ids=lambda selector: f"{type(selector).__name__}, {getattr(selector, 'search', '')}",
)
def test_evaluations_are_kept_to_within_one(selector, table):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        selector.fit(*table)
    assert selector.selection_.cost.evaluations <= 5
    assert selector.selection_.selected
