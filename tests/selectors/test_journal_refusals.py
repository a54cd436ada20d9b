"""Journals of another run: refused, and the difference named."""

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold

from tests.selectors.counted import Counted, small_table
from thresher import ACE, RVErS, Stepwise, select
from thresher.journal import JournalError, peek


@pytest.fixture(scope="module")
def table():
    return small_table()


def change_value(X, y):
    X = X.copy()
    X.loc[5, "c"] += 1e-9
    return X, y


REFUSED = {
    "a value": (change_value, {}, "column 'c' has other values"),
    "a column less": (lambda X, y: (X.drop(columns="d"), y), {}, "column 'd' is missing now"),
    "a name": (lambda X, y: (X.rename(columns={"d": "z"}), y), {}, "column 'z' is new"),
    "the order": (lambda X, y: (X[list("bacdef")], y), {}, "the columns are in another order"),
    "the target": (lambda X, y: (X, 1 - y), {}, "target has other values"),
    "rows": (lambda X, y: (X[:90], y[:90]), {}, "n_rows was 100 and is 90"),
    "folds": (lambda X, y: (X, y), {"cv": 4}, "cv was 5 and is 4"),
    "a deep parameter": (lambda X, y: (X, y), {"estimator__depth": 2}, "estimator depth was 3"),
    "the seed": (lambda X, y: (X, y), {"random_state": 1}, "seed was"),
    "the search": (lambda X, y: (X, y), {"direction": "forward"}, 'direction was "backward"'),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_journal_of_something_else_is_refused_and_the_difference_named(what, table, tmp_path):
    changed, params, told = REFUSED[what]
    selector = Stepwise(
        Counted(), direction="backward", random_state=0, journal=tmp_path / "run.db"
    ).fit(*table)
    n_results = peek(tmp_path / "run.db").n_results
    with pytest.raises(JournalError, match="belongs to another run") as caught:
        selector.set_params(**params).fit(*changed(*table))
    assert told in str(caught.value)
    assert peek(tmp_path / "run.db").n_results == n_results


def test_another_version_is_refused(table, tmp_path, monkeypatch):
    from thresher.selectors import _account

    ace = ACE(n_trees=5, random_state=0, journal=tmp_path / "run.db").fit(*table)
    monkeypatch.setattr(_account, "_version", lambda name: "9.9")
    with pytest.raises(JournalError, match=r'thresher was .* and is "9.9"'):
        ace.fit(*table)


def test_folds_that_are_drawn_anew_are_refused_with_the_remedy(table, tmp_path):
    cv = KFold(5, shuffle=True)
    selector = Stepwise(Counted(), cv=cv, random_state=0, journal=tmp_path / "run.db").fit(*table)
    with pytest.raises(JournalError, match="give a splitter that shuffles a random_state"):
        selector.fit(*table)


def test_select_wants_the_journal_for_itself(table, tmp_path):
    method = RVErS(LogisticRegression(), journal=tmp_path / "run.db")
    with pytest.raises(ValueError, match="give it to select, not to the method"):
        select(*table, method=method, progress=False)


def test_a_validation_with_other_folds_is_refused(table, tmp_path):
    from sklearn.model_selection import ShuffleSplit

    wishes = {"validate": ShuffleSplit(2), "random_state": 0, "progress": False}
    select(*table, journal=tmp_path / "run.db", **wishes)
    with pytest.raises(JournalError, match="validation has other folds: give a splitter"):
        select(*table, journal=tmp_path / "run.db", **wishes)
