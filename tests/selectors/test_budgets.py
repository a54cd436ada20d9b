"""Budgets of evaluations and time, kept to within one evaluation."""

import warnings

import numpy as np
import pytest
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier

from tests.selectors.test_journal import Counted
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
    assert set(search.cv_results_["n_rows"]) == {5}  # one fold for everyone, and no more


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
    with pytest.raises(KeyboardInterrupt):  # before all were tested, nothing is known
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
