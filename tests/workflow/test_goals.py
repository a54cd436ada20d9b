"""Three goals from the same evidence, and the path to the fewest columns that are enough."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge

from tests.journal.killed import without_clock
from thresher import ACE, Selection, select
from thresher.journal import Journal
from thresher.selection import GOALS
from thresher.sufficiency._learners import BoostedTrees, LinearModel
from thresher.workflow import Watcher, _enough, _procedure


@pytest.fixture(scope="module")
def found(table):
    return select(table[0], table[1], random_state=0)


@pytest.fixture(scope="module", params=["number", "classes", "estimator", "kept", "limited"])
def selection(request, table):
    X, number, classes = table
    asked = {
        "number": {},
        "classes": {},
        "estimator": {"estimator": "naive-bayes"},
        "kept": {"keep": ["colour"], "feature_groups": {"pair": ["second", "noise"]}},
        "limited": {"max_features": 1},
    }[request.param]
    y = classes if request.param in ("classes", "estimator") else number
    return select(X, y, random_state=0, **asked)


def kinds(selection):
    return {verdict.name: verdict.kind for verdict in selection.verdicts}


def test_what_explains_is_among_all_that_is_relevant(selection):
    explained, relevant = (set(selection.view(goal).selected) for goal in GOALS[1:])
    if selection.settings["call"].count("max_features"):
        assert len(explained) == len(relevant) == len(selection.selected) == 1
    assert explained <= relevant
    assert "supporting" not in {*kinds(selection.view("explain")).values()}
    assert "supporting" not in {*kinds(selection.view("all-relevant")).values()}


def test_views_lead_back_and_forth(selection):
    assert set(selection.views) == set(GOALS)
    assert selection.goal == "predict"
    assert selection.view("predict") == selection
    for goal in GOALS:
        for other in GOALS:
            assert selection.view(other).view(goal) == selection.view(goal)
        loaded = Selection.from_dict(selection.to_dict())
        assert without_clock(loaded.view(goal).to_dict()) == without_clock(
            selection.view(goal).to_dict()
        )


def test_whoever_masks_is_selected_in_the_same_view(selection):
    for goal in GOALS:
        view = selection.view(goal)
        assert {v.masked_by for v in view.verdicts} - {None} <= set(view.selected)
        assert all(v.masked_by is None for v in view.verdicts if v.kind != "redundant")


def test_the_selected_columns_are_those_of_the_chosen_point(selection):
    path = selection.path
    assert selection.selected == path.columns(path.chosen)
    assert path.points[-1].n_columns == 5, "all but the constant column"
    assert len(path.order) == 5
    for cluster in selection.clusters:
        assert set(cluster) <= set(kinds(selection))


@pytest.mark.parametrize("goal", GOALS)
def test_asking_for_a_goal_is_the_view_of_any_other(table, found, goal):
    asked = select(table[0], table[1], goal=goal, random_state=0)
    assert asked.goal == goal
    view = found.view(goal)
    assert (asked.selected, asked.verdicts, asked.path, asked.views) == (
        view.selected, view.verdicts, view.path, view.views
    )  # fmt: skip
    assert asked.claim == view.claim


def test_copies_are_relevant_only_where_all_that_is_relevant_is_asked_for(found):
    assert {"first", "copy", "second"} == set(found.view("all-relevant").selected)
    for goal in ("predict", "explain"):
        assert len({"first", "copy"} & set(found.view(goal).selected)) == 1
    assert ("first", "copy") in found.clusters


def test_every_column_has_a_reason_that_fits_its_verdict(found):
    for goal in GOALS:
        for verdict in found.view(goal).verdicts:
            assert verdict.reason
            assert "e+" not in verdict.reason
            if verdict.kind == "redundant":
                assert "redundant given" in verdict.reason or "matters by itself" in verdict.reason


@pytest.mark.parametrize(
    ("seed", "kind"), [(0, "number"), (1, "number"), (2, "class"), (3, "class")]
)
def test_of_noise_nothing_is_selected_for_any_goal(seed, kind):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(150, 12))
    y = rng.normal(size=150) if kind == "number" else rng.integers(0, 2, 150)
    selection = select(X, y, random_state=seed)
    for goal in GOALS:
        assert selection.view(goal).selected == ()
        assert set(kinds(selection.view(goal)).values()) == {"irrelevant"}
    assert "no column is shown to predict better than none" in selection.claim.lower()
    assert "none of 12 columns is proved to matter" in selection.view("explain").claim.lower()


@pytest.mark.parametrize("goal", GOALS)
def test_columns_asked_for_stay_for_every_goal(table, goal):
    selection = select(
        table[0], table[1], goal=goal, keep=["colour"], feature_groups=[["second", "noise"]],
        random_state=0,
    )  # fmt: skip
    assert {"colour", "second", "noise"} <= set(selection.selected)
    assert kinds(selection)["colour"] == "relevant"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"goal": "win"}, "goal must be one of 'predict', 'explain', 'all-relevant'; got 'win'"),
        ({"goal": 3}, "goal must be one of"),
        ({"tolerance": -0.1}, "tolerance must be a number from 0 to 1; got -0.1"),
        ({"tolerance": 1.5}, "tolerance must be a number from 0 to 1; got 1.5"),
        ({"tolerance": float("nan")}, "tolerance must be a number from 0 to 1; got nan"),
        ({"tolerance": True}, "tolerance must be a number from 0 to 1; got True"),
        ({"tolerance": "0.1"}, "tolerance must be a number from 0 to 1; got '0.1'"),
        ({"goal": "predict", "method": "stepwise"}, "goal applies to method='auto' only"),
        ({"tolerance": 0.1, "method": ACE()}, "tolerance applies to method='auto' only"),
    ],
    ids=str,
)
def test_wrong_wishes_are_refused(table, wrong, message):
    with pytest.raises(ValueError, match=message):
        select(table[0], table[1], **wrong)


@pytest.mark.parametrize("n_features", [0, -1, True, 1.5, 7])
def test_sizes_that_cannot_be_are_refused(found, n_features):
    with pytest.raises(ValueError, match="n_features must be"):
        found.at(n_features=n_features)


@pytest.mark.parametrize("tolerance", [-0.1, 1.5, float("nan"), True])
def test_tolerances_that_cannot_be_are_refused(found, tolerance):
    with pytest.raises(ValueError, match="tolerance must be a number from 0 to 1"):
        found.at(tolerance=tolerance)


def test_another_size_is_a_set_of_the_path(found):
    one = found.at(n_features=1)
    assert one.selected == found.path.order[:1]
    assert kinds(one)["second"] == "redundant"
    assert one.view("predict").selected == found.selected
    assert found.at(n_features=len(found.selected)).selected == found.selected


def test_a_tolerance_may_be_the_whole_loss_or_nothing(table):
    X, y, _ = table
    exact, careless = (select(X, y, tolerance=t, random_state=0) for t in (0.0, 1.0))
    assert len(careless.selected) <= len(exact.selected)
    assert exact.path.tolerance == 0.0
    # no set is shown to be no worse at all, unless it is the best one
    assert exact.path.chosen in (exact.path.best, exact.path.points[-1].n_columns)


@pytest.mark.parametrize(
    ("estimator", "learner", "loss"),
    [("knn", "KNeighborsClassifier", "brier"), (Ridge(), "Ridge", "squared")],
    ids=["knn", "ridge"],
)
def test_the_loss_is_that_of_the_estimator(table, estimator, learner, loss):
    y = table[1] if loss == "squared" else table[2]
    selection = select(table[0], y, estimator=estimator, random_state=0)
    assert (selection.path.learner, selection.path.loss) == (learner, loss)
    assert "second" in selection.selected
    assert learner in selection.explanation


class AtPath(Watcher):
    """Does something as soon as the path begins, after so many sizes."""

    def __init__(self, act, after=2):
        self.act, self.after = act, after

    def stage(self, name, done, total):
        if name.startswith("fewer columns") and done == self.after:
            self.act()


def interrupt():
    raise KeyboardInterrupt


def is_screening(selection, whole, goal="explain"):
    known = {name: whole.view(name) for name in GOALS[1:]}
    assert selection.goal == goal
    assert selection.path is None
    assert set(selection.views) == set(known)
    for name, view in known.items():
        own = selection.view(name)
        # which columns say nearly the same is found out on the path
        assert set(own.selected) >= set(view.selected)
        assert [(v.name, v.score, v.p_value) for v in own.verdicts] == [
            (v.name, v.score, v.p_value) for v in view.verdicts
        ]
    with pytest.raises(ValueError, match="goal 'predict': this selection holds the evidence for"):
        selection.view("predict")
    return True


@pytest.mark.parametrize("after", [0, 3])
def test_interrupted_on_the_path_the_screening_is_the_answer(table, found, after):
    X, y, _ = table
    selection = select(X, y, progress=AtPath(interrupt, after), random_state=0)
    assert selection.settings["ending"] == "interrupted"
    assert is_screening(selection, found)
    assert "proved to matter" in selection.claim


@pytest.mark.parametrize("goal", GOALS[1:])
def test_a_goal_without_losses_needs_no_path(table, found, goal):
    X, y, _ = table
    selection = select(X, y, goal=goal, progress=AtPath(interrupt), random_state=0)
    assert is_screening(selection, found, goal)


def test_a_level_that_could_not_be_held_is_not_claimed(table):
    X, y, _ = table
    with pytest.warns(UserWarning, match="at level 0.33 instead of 0.05"):
        short = select(X, y, budget="4 evaluations", random_state=0)
    assert short.goal == "explain"
    assert short.claim.endswith("(family-wise level 33.33 %)")
    assert Selection.from_dict(short.to_dict()).claim == short.claim


def test_where_the_time_ends_on_the_path_the_screening_is_the_answer(table, found, clock):
    X, y, _ = table
    watcher = AtPath(lambda: clock.jump(1e6))
    with pytest.warns(UserWarning, match="before it was known how many columns are enough"):
        selection = select(X, y, budget="10h", progress=watcher, random_state=0)
    assert selection.settings["ending"] == "budget"
    assert is_screening(selection, found)
    assert selection.cost.seconds >= 1e6


def test_evaluations_on_the_path_are_bounded_too(table, found, monkeypatch):
    X, y, _ = table
    own = ACE(task="regression", random_state=0).fit(X, y).selection_
    n_path = found.cost.evaluations - own.cost.evaluations
    assert n_path > 10
    enough = int(own.cost.evaluations / 0.6) + 2
    whole = select(X, y, budget=f"{enough + n_path} evaluations", random_state=0)
    assert whole.settings["ending"] == "complete"
    assert whole.verdicts == found.verdicts
    # as if the screening had left no more than 5 for the path
    monkeypatch.setattr(_procedure, "_SCREENING", 1.0)
    limit = own.cost.evaluations + 5
    with pytest.warns(UserWarning, match="before it was known how many columns are enough"):
        short = select(X, y, budget=f"{limit} evaluations", random_state=0)
    assert short.settings["ending"] == "budget"
    assert is_screening(short, found)
    assert short.cost.evaluations == limit


def test_a_limit_of_columns_holds_where_the_path_ends_early(table):
    X, y, _ = table
    selection = select(X, y, max_features=1, progress=AtPath(interrupt), random_state=0)
    assert len(selection.selected) == 1


def counted(monkeypatch):
    """Trials of sets, in this process."""
    tried = []
    for kind in (BoostedTrees, LinearModel):
        genuine = kind.try_sets

        def try_sets(self, sets, fold_of_row, genuine=genuine):
            tried.append(len(sets[0]))
            return genuine(self, sets, fold_of_row)

        monkeypatch.setattr(kind, "try_sets", try_sets)
    return tried


def test_a_journal_spares_everything_the_second_time(table, tmp_path, monkeypatch):
    X, y, _ = table
    tried, written = counted(monkeypatch), []
    genuine = Journal.add

    def add(self, key, what, entry):
        written.append(what)
        genuine(self, key, what, entry)

    monkeypatch.setattr(Journal, "add", add)

    def run():
        tried.clear()
        written.clear()
        selection = select(X, y, estimator="linear", random_state=0, journal=tmp_path / "run.db")
        return without_clock(selection.to_dict()), len(tried), len(written)

    first, n_tried, n_written = run()
    assert n_tried > 10 < n_written
    again, *rest = run()
    assert again == first
    assert rest == [0, 0]


def test_an_interrupted_path_goes_on_where_it_was(table, tmp_path, monkeypatch):
    X, y, _ = table
    tried = counted(monkeypatch)
    journal = tmp_path / "run.db"
    whole = select(X, y, random_state=0)
    n_whole = len(tried)
    tried.clear()
    select(X, y, random_state=0, journal=journal, progress=AtPath(interrupt, after=4))
    n_before = len(tried)
    assert n_before > 0
    tried.clear()
    resumed = select(X, y, random_state=0, journal=journal)
    assert len(tried) == n_whole - n_before
    assert (resumed.selected, resumed.verdicts, resumed.path) == (
        whole.selected, whole.verdicts, whole.path
    )  # fmt: skip


@pytest.mark.parametrize("estimator", [None, "knn"])
def test_the_number_of_workers_changes_nothing(table, estimator):
    one, two = (
        select(table[0], table[2], estimator=estimator, random_state=0, n_jobs=n) for n in (1, 2)
    )
    plain = [replace(own, cost=found_cost(own), settings={}, trace=()) for own in (one, two)]
    assert plain[0] == plain[1]


def found_cost(selection):
    return replace(selection.cost, seconds=0.0)


def test_another_seed_selects_the_same_of_an_easy_table():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 8)), columns=list("abcdefgh"))
    X["copy of a"] = X["a"]
    y = 2 * X["a"] + 2 * X["b"] + X["c"] + 0.3 * rng.normal(size=300)
    one, two = (select(X, y, random_state=seed) for seed in (0, 1))
    for goal in ("predict", "explain"):
        assert set(one.view(goal).selected) == set(two.view(goal).selected) == {"a", "b", "c"}
    assert one.path == two.path
    assert one.clusters == two.clusters == (("a", "copy of a"),)


@pytest.mark.parametrize("kind", ["number", "classes"])
def test_of_long_tables_the_path_sees_some_rows(table, monkeypatch, kind):
    X, number, classes = table
    y = number if kind == "number" else classes
    nearly = X.assign(nearly=np.where(np.arange(len(X)) == 7, 1.0, 0.0))
    monkeypatch.setattr(_enough, "MOST_ROWS", 100)
    one, two = (
        select(
            nearly, y, keep=["colour"], feature_groups=[["second", "noise"]], estimator=estimator,
            random_state=0,
        )
        for estimator in (None, "linear" if kind == "number" else "naive-bayes")
    )  # fmt: skip
    for selection in (one, two):
        assert 100 <= selection.path.n_rows <= 102, "of each class its share, but of a rare one all"
        assert {"colour", "second", "noise"} <= set(selection.selected)
        assert {"first", "copy"} & set(selection.selected)
        assert len(selection.path.order) == 6


def test_of_columns_that_say_the_same_one_explains():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 300))
    gaps = np.where(np.arange(300) < 3, np.nan, a)
    X = pd.DataFrame({"gaps": gaps, "a": a, "again": a + 0.05 * rng.normal(size=300), "b": b})
    explained = select(X, a + b + 0.3 * rng.normal(size=300), random_state=0).view("explain")
    assert set(explained.selected) == {"again", "b"} or set(explained.selected) == {"a", "b"}
    assert "gaps" not in explained.selected
    [cluster] = [own for own in explained.clusters if "a" in own]
    assert set(cluster) == {"gaps", "a", "again"}
    masked = {v.name: v.masked_by for v in explained.verdicts if v.kind == "redundant"}
    assert set(masked) == set(cluster) - set(explained.selected)
    assert set(masked.values()) <= set(explained.selected)
