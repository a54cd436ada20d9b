"""Selectors with a journal: the same result, nothing twice, and no mix-ups."""

import subprocess
import sys
import warnings
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier

import thresher
from tests.journal.killed import without_clock as plain
from tests.journal.picky import Picky
from tests.selectors.counted import FITS, Counted, small_table
from thresher import (
    ACE,
    RACSAM,
    RVE,
    Oblivion,
    RaceSearchCV,
    RaceSelector,
    RVErS,
    Stepwise,
    WrapperSelector,
    select,
)
from thresher.journal import Journal, JournalError, peek
from thresher.learners import C45Classifier


@pytest.fixture(scope="module")
def table():
    return small_table()


SELECTORS = {
    "stepwise": lambda: Stepwise(Counted(), direction="backward", cv=3, random_state=0),
    "scorer": lambda: Stepwise(Counted(), scoring="roc_auc", n_features=3, cv=3, random_state=0),
    "rve": lambda: RVE(Counted(), n_relevant=2, cv=3, random_state=0),
    "rvers": lambda: RVErS(Counted(), cv=3, random_state=0),
    "rvers with a hold-out": lambda: RVErS(Counted(), holdout=0.2, cv=3, random_state=0),
    "rvers, timed": lambda: RVErS(Counted(), cost="measured", cv=3, random_state=0),
    "schemata": lambda: RaceSelector(Counted(), cv=KFold(5), random_state=0),
    "wrapper": lambda: WrapperSelector(Counted(), search="forward", cv=3, random_state=0),
    "oblivion": lambda: Oblivion(Counted(), cv=3, random_state=0),
    "racsam": lambda: RACSAM(
        Counted(), n_candidates=6, n_winners=2, max_candidates=12, max_tests=5, random_state=0
    ),
}


@pytest.mark.parametrize("name", SELECTORS)
def test_with_a_journal_the_result_is_the_same_and_nothing_is_fitted_twice(name, table, tmp_path):
    without = SELECTORS[name]().fit(*table)
    FITS.clear()
    selector = SELECTORS[name]().set_params(journal=tmp_path / "run.db")
    first = selector.fit(*table).selection_
    n_first = len(FITS)
    FITS.clear()
    again = selector.fit(*table).selection_
    assert plain(again.to_dict()) == plain(first.to_dict())
    if name != "rvers, timed":  # whose schedule depends on the clock
        assert plain(first.to_dict()) == plain(without.selection_.to_dict())
        # those who predict fit once more in the end
        assert len(FITS) <= 1 < n_first


@pytest.mark.parametrize(("seconds", "written"), [(0.5, True), (1e-6, False)])
def test_what_a_fast_evaluator_took_long_for_is_written_down(
    seconds, written, table, tmp_path, monkeypatch
):
    # by a clock that moves on whenever somebody looks at it
    clock = SimpleNamespace(perf_counter=count(step=seconds).__next__)
    monkeypatch.setattr("thresher.run._recalling.time", clock)
    forward = Stepwise(
        KNeighborsClassifier(), n_features=3, cv="loo", journal=tmp_path / "run.db", random_state=0
    )
    first = forward.fit(*table).selection_
    n_results = peek(tmp_path / "run.db").n_results
    assert (n_results > 0) == written
    assert plain(forward.fit(*table).selection_.to_dict()) == plain(first.to_dict())
    assert peek(tmp_path / "run.db").n_results == n_results


def test_learners_trained_in_a_kernel_resume_too(table, tmp_path):
    selector = RVErS(C45Classifier(), random_state=0, journal=tmp_path / "run.db")
    first = selector.fit(*table).selection_
    assert plain(selector.fit(*table).selection_.to_dict()) == plain(first.to_dict())


def test_ace_resumes_in_the_middle(table, tmp_path, monkeypatch):
    from thresher.ace import _importance

    whole = ACE(n_trees=20, random_state=0).fit(*table).selection_
    genuine, done = _importance.one_replicate, []

    def counted(problem, replicates, replicate):
        if len(done) == 7:
            raise SystemExit
        done.append(replicate)
        return genuine(problem, replicates, replicate)

    monkeypatch.setattr(_importance, "one_replicate", counted)
    ace = ACE(n_trees=20, random_state=0, journal=tmp_path / "run.db")
    with pytest.raises(SystemExit):
        ace.fit(*table)
    monkeypatch.setattr(_importance, "one_replicate", genuine)
    assert peek(tmp_path / "run.db").n_results == 1 + 7  # knowing nothing is an explanation, too
    assert plain(ace.fit(*table).selection_.to_dict()) == plain(whole.to_dict())


def test_race_search_resumes(table, tmp_path):
    def search():
        return RaceSearchCV(
            Counted(), {"depth": [1, 2, 3, 5]}, cv=KFold(10), random_state=0,
            journal=tmp_path / "run.db", refit=False,
        ).fit(*table)  # fmt: skip

    first = search()
    FITS.clear()
    again = search()
    assert not FITS
    assert again.best_params_ == first.best_params_
    assert again.n_losses_ == first.n_losses_
    assert np.array_equal(
        again.cv_results_["mean_test_score"], first.cv_results_["mean_test_score"]
    )


def test_workers_and_budgets_may_change(table, tmp_path):
    journal = tmp_path / "run.db"
    whole = RVErS(Counted(), random_state=0).fit(*table).selection_
    with pytest.warns(UserWarning, match="spent its budget"):
        RVErS(Counted(), random_state=0, journal=journal, max_evaluations=5).fit(*table)
    FITS.clear()
    found = RVErS(Counted(), random_state=0, journal=journal, verbose=0).fit(*table).selection_
    assert found.selected == whole.selected
    assert found.cost.evaluations == whole.cost.evaluations
    assert [v.reason for v in found.verdicts] == [v.reason for v in whole.verdicts]


def test_ctrl_c_leaves_a_complete_journal_and_the_best_so_far(table, tmp_path):
    def interrupt(step):
        if step.number == 2:
            raise KeyboardInterrupt

    whole = Stepwise(Counted(), direction="backward", random_state=0).fit(*table).selection_
    journal = tmp_path / "run.db"
    selector = Stepwise(Counted(), direction="backward", random_state=0, journal=journal)
    with pytest.warns(UserWarning, match="interrupted"):
        selector.observe(interrupt).fit(*table)
    assert selector.selection_.settings["ending"] == "interrupted"
    shown = peek(journal)
    assert shown.snapshots["selection"]["selection"]["settings"]["ending"] == "interrupted"
    FITS.clear()
    again = Stepwise(Counted(), direction="backward", random_state=0, journal=journal).fit(*table)
    assert plain(again.selection_.to_dict()) == plain(whole.to_dict())
    n_all = peek(journal).n_results
    assert len(FITS) == n_all - shown.n_results


def test_a_run_that_is_going_shows_where_it_stands(table, tmp_path):
    seen = []

    def look(step):
        seen.append(peek(tmp_path / "run.db").snapshots.get("selection"))

    selector = Stepwise(
        Counted(), direction="backward", random_state=0, journal=tmp_path / "run.db"
    )
    selector.observe(look).fit(*table)
    going = [own["selection"] for own in seen if own is not None]
    assert going
    assert going[0]["settings"]["ending"] == "running"
    assert len(going[0]["verdicts"]) == 6
    assert thresher.Selection.from_dict(going[0]).selected


#: Imports what takes long before it says that it is ready.
AGREED = """
import json, sys
import numpy as np
from sklearn.tree import DecisionTreeClassifier
from thresher import RVErS

def run(journal):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 12))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    found = RVErS(DecisionTreeClassifier(max_depth=4), journal=journal).fit(X, y)
    content = found.selection_.to_dict()
    reasons = [verdict["reason"] for verdict in content["verdicts"]]
    return json.dumps([content["selected"], content["settings"]["seed"], reasons])

if __name__ == "__main__":
    print("ready", flush=True)
    sys.stdin.readline()
    print(run(sys.argv[1]))
"""


def test_two_processes_at_one_journal_come_to_the_same_result(tmp_path):
    journal, here = str(tmp_path / "run.db"), {}
    Journal(journal).close()
    exec(AGREED, here)
    with subprocess.Popen(
        [sys.executable, "-c", AGREED, journal],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as other:  # fmt: skip
        assert other.stdout.readline() == "ready\n"
        other.stdin.write("go\n")
        other.stdin.flush()
        found = here["run"](journal)
        there = other.communicate()[0]
    assert other.returncode == 0
    assert there.strip() == found  # no random_state was given: they agreed on a seed, too


def test_select_writes_everything_to_one_journal(table, tmp_path):
    X, y = table

    def run(journal=None, **more):
        wishes = {"estimator": Counted(), "validate": 2, "random_state": 0, "progress": False}
        return select(X, y, journal=journal, **wishes, **more)

    whole = run()
    FITS.clear()
    first = run(tmp_path / "run.db")
    n_fits = len(FITS)
    FITS.clear()
    again = run(tmp_path / "run.db")
    assert plain(again.to_dict()) == plain(first.to_dict()) == plain(whole.to_dict())
    assert n_fits > 0
    assert not FITS
    with pytest.raises(JournalError, match="max_features was null and is 2"):
        run(tmp_path / "run.db", max_features=2)
    shown = peek(tmp_path / "run.db").snapshots["selection"]["selection"]
    assert shown["settings"]["ending"] == "complete"
    assert shown["validation"]["n_folds"] == 2


def test_select_takes_its_seed_from_the_journal(table, tmp_path):
    X, y = table
    first = select(X, y, journal=tmp_path / "run.db", progress=False)
    again = select(X, y, journal=tmp_path / "run.db", progress=False)
    assert plain(again.to_dict()) == plain(first.to_dict())


def test_a_full_disk_does_not_end_a_search(table, tmp_path, monkeypatch):
    import thresher.journal._journal as module

    genuine = module._open

    def small(path):
        database = genuine(path)
        n_pages = database.execute("PRAGMA page_count").fetchone()[0]
        database.execute(f"PRAGMA max_page_count = {n_pages + 1}")
        return database

    whole = RVErS(Counted(), random_state=0).fit(*table).selection_
    monkeypatch.setattr(module, "_open", small)
    selector = RVErS(Counted(), random_state=0, journal=tmp_path / "run.db")
    with pytest.warns(UserWarning, match="cannot be used any more"):
        selector.fit(*table)
    assert plain(selector.selection_.to_dict()) == plain(whole.to_dict())
    monkeypatch.setattr(module, "_open", genuine)
    n_kept = peek(tmp_path / "run.db").n_results
    assert n_kept > 0
    FITS.clear()
    assert plain(selector.fit(*table).selection_.to_dict()) == plain(whole.to_dict())
    assert peek(tmp_path / "run.db").n_results > n_kept


def test_other_columns_left_by_a_screening_are_not_mixed_up(tmp_path):
    from sklearn.datasets import make_classification

    X, y = make_classification(
        200, 20, n_informative=8, n_redundant=4, class_sep=0.6, random_state=38
    )

    def run(budget, journal=None):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return select(
                X, y, estimator=Counted(4), random_state=0, budget=budget, journal=journal,
                progress=False,
            )  # fmt: skip

    whole = run("2000 evaluations")
    run("20 evaluations", tmp_path / "run.db")
    assert plain(run("2000 evaluations", tmp_path / "run.db").to_dict()["trace"]) == plain(
        whole.to_dict()["trace"]
    )


def test_what_nobody_asked_for_cannot_fail(table):
    found = {}
    for n_jobs in (1, 2):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            selector = RVErS(Picky(), on_error="skip", random_state=0, n_jobs=n_jobs).fit(*table)
        found[n_jobs] = plain({**selector.selection_.to_dict(), "settings": {}, "cost": {}})
    assert found[1]["failures"]
    assert found[1] == found[2]
    assert all(len(own["error"]) < 2100 for own in found[1]["failures"])


def test_a_long_message_of_a_failure_comes_back(table, tmp_path):
    selector = RVErS(Picky(), on_error="skip", random_state=0, journal=tmp_path / "run.db")
    with pytest.warns(UserWarning, match="not four"):
        first = selector.fit(*table).selection_
    with pytest.warns(UserWarning, match="not four"):
        assert plain(selector.fit(*table).selection_.to_dict()) == plain(first.to_dict())


def test_splits_that_are_listed_can_be_journalled(table, tmp_path):
    def fit():
        splits = KFold(3).split(table[0])
        return Stepwise(Counted(), cv=splits, random_state=0, journal=tmp_path / "run.db").fit(
            *table
        )

    first = fit().selection_
    again = fit().selection_
    assert plain(again.trace) == plain(first.trace)
    assert again.verdicts == first.verdicts


def test_a_full_disk_is_told_even_in_a_validation(table, tmp_path, monkeypatch):
    genuine, n_added = Journal.add, []

    def full(self, key, what, entry):
        n_added.append(what)
        if what.startswith("validation, fold 2"):
            self._database.execute("PRAGMA query_only = ON")
        genuine(self, key, what, entry)

    monkeypatch.setattr(Journal, "add", full)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = select(
            *table, estimator=Counted(), validate=2, random_state=0, progress=False,
            journal=tmp_path / "run.db",
        )  # fmt: skip
    assert found.validation.n_folds == 2
    assert any("cannot be used any more" in str(own.message) for own in caught)
