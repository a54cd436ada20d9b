"""One call: the answer, its reasons, and what it makes of bad questions."""

import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor

from thresher import ACE, RVErS, Selection, Stepwise, select
from thresher.filters import FCBF


def kinds(selection):
    return {verdict.name: verdict.kind for verdict in selection.verdicts}


@pytest.fixture(scope="module")
def screened(table):
    return select(table[0], table[1], random_state=0)


def test_ace_screens_and_removes_what_repeats(screened):
    found = kinds(screened)
    assert {found["first"], found["copy"]} == {"relevant", "redundant"}
    assert found["second"] == "relevant"
    assert {found["noise"], found["colour"], found["constant"]} == {"irrelevant"}
    assert screened.method == "ACE"
    assert all(verdict.reason for verdict in screened.verdicts)


def test_the_choice_is_explained_in_one_sentence(screened, table):
    assert screened.explanation.startswith("ACE, which tests each column")
    assert "enough for boosted trees or a linear model" in screened.explanation
    for_ridge = select(table[0], table[1], estimator=Ridge(), random_state=0)
    assert "enough for Ridge" in for_ridge.explanation
    for selection in (screened, for_ridge):
        assert selection.explanation.endswith(".")
        assert selection.explanation.count(".") == 1


def test_whole_numbers_taken_for_classes_are_told():
    X = np.random.default_rng(0).normal(size=(60, 2))
    rating = np.arange(60) % 5

    def explanation(y, **wishes):
        return select(X, y, method="gain-ratio", random_state=0, **wishes).explanation

    assert "The 5 whole numbers of the target are taken for classes" in explanation(rating)
    assert "taken for" not in explanation(rating % 2)  # what else would they be
    assert "taken for" not in explanation(rating, task="classification")
    assert "taken for" not in explanation(np.array(list("abcde"))[rating])


def test_the_proof_is_the_screening_of_ace(screened, table):
    assert screened.settings["random_state"] == 0
    seed = np.random.RandomState(np.random.RandomState(0).randint(2**31 - 1, size=5)[0])
    own = ACE(task="regression", random_state=seed.randint(1, 2**31 - 1, size=3)[0])
    alone = own.fit(table[0], table[1]).selection_.verdicts
    explained = screened.view("explain").verdicts
    assert [(v.name, v.score, v.p_value) for v in alone] == [
        (v.name, v.score, v.p_value) for v in explained
    ]
    assert {v.name for v in explained if v.is_selected} <= {v.name for v in alone if v.is_selected}


def test_the_set_is_enough_for_the_estimator(table):
    X, _, y = table
    selection = select(X, y, estimator="naive-bayes", random_state=0)
    assert selection.method == "ACE"
    assert (selection.path.learner, selection.path.loss) == ("GaussianNB", "brier")
    path = selection.path
    enough = [point.n_columns for point in path.points if point.verdict == "enough"]
    # 160 rows cannot tell of fewer columns: all stay
    assert path.chosen == min([*enough, path.points[-1].n_columns])
    assert selection.selected == path.columns(path.chosen)


def test_what_the_estimator_needs_is_selected_though_it_cannot_use_all_of_it():
    # the size of a column says nothing to a linear model of the column itself
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 4))
    y = X[:, 0] + 2 * np.abs(X[:, 1]) + 0.3 * rng.normal(size=300)
    selection = select(X, y, estimator=Ridge(), random_state=0)
    points = {point.n_columns: point.verdict for point in selection.path.points}
    assert "x0" in selection.selected
    assert points[len(selection.selected)] == "enough"
    assert all(verdict != "enough" for n, verdict in points.items() if n < len(selection.selected))
    assert {"x2", "x3"}.isdisjoint(selection.selected)


def test_the_same_seed_repeats_everything_for_any_number_of_workers(table):
    X, y, _ = table
    runs = [
        select(X, y, estimator=Ridge(), random_state=7, validate=2, n_jobs=n) for n in (None, 2)
    ]
    one, two = (own.to_dict() for own in runs)
    for own in (one, two):
        own["cost"].pop("seconds")
        own["validation"].pop("seconds")
        own["settings"] = {k: v for k, v in own["settings"].items() if "n_jobs" not in k}
        for record in own["trace"]:
            record.pop("seconds", None)
    np.testing.assert_equal(one, two)


def test_a_drawn_seed_is_told_and_repeats_the_run(table):
    X, y, _ = table
    first = select(X, y)
    again = select(X, y, random_state=first.settings["random_state"])
    assert again.verdicts == first.verdicts


@pytest.fixture(scope="module")
def validated(table):
    return select(table[0], table[1], random_state=0, validate=2, stability=2)


def test_repetitions_do_not_change_the_selection(screened, validated):
    assert validated.verdicts == screened.verdicts
    assert validated.path == screened.path
    assert validated.views == screened.views


@pytest.mark.parametrize("wrap", [lambda f: f, pl.from_pandas], ids=["pandas", "polars"])
def test_the_target_may_be_named(table, wrap):
    X, y, _ = table
    whole = wrap(X.assign(target=y))
    selection = select(whole, "target", random_state=0)
    assert "target" not in kinds(selection)
    assert "second" in selection.selected


def test_a_file_will_do(table, tmp_path):
    X, _, y = table
    path = tmp_path / "table.csv"
    X.assign(outcome=y).to_csv(path, index=False)
    selection = select(path, "outcome", random_state=0)
    assert len(selection.verdicts) == 6
    assert "first" in selection.selected or "copy" in selection.selected
    with pytest.raises(ValueError, match="y must name the target column"):
        select(path, y)


@pytest.mark.parametrize("wrap", [np.asarray, sparse.csr_array], ids=["array", "sparse"])
def test_arrays_will_do(wrap):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 5))
    assert select(wrap(X), X[:, 3], random_state=0).selected == ("x3",)


@pytest.mark.parametrize("method", ["stepwise", "rvers", "race", "cfs", "relieff", "gain-ratio"])
def test_methods_by_name(table, method):
    X, _, y = table
    selection = select(X, y, method=method, random_state=0)
    assert {"first", "copy"} & set(selection.selected)
    assert selection.explanation.endswith(", as asked.")


def test_a_selector_of_ones_own(table):
    X, y, _ = table
    selector = Stepwise(KNeighborsRegressor(), n_features=2, encode=True)
    selection = select(X, y, method=selector, keep=["noise"], random_state=0)
    assert len(selection.selected) == 2
    assert "noise" in selection.selected
    assert not hasattr(selector, "support_")


def test_groups_stand_or_fall_together_and_kept_columns_stay(table):
    X, y, _ = table
    selection = select(
        X, y, feature_groups={"pair": ["second", "noise"]}, keep=["colour"], random_state=0
    )
    found = kinds(selection)
    assert found["second"] == found["noise"] == "relevant"
    assert found["colour"] == "relevant"


def test_no_more_than_max_features(table):
    X, y, _ = table
    for estimator in (None, "linear"):
        most = select(X, y, max_features=1, estimator=estimator, random_state=0)
        for goal in ("predict", "explain", "all-relevant"):
            found = most.view(goal)
            assert len(found.selected) == 1
            left_out = {v.name: v.kind for v in found.verdicts if "max_features is 1" in v.reason}
            assert left_out["second"] == "redundant"
        assert most.path.chosen == 1
        assert "worse than the best set" in most.claim


def test_the_limit_of_columns_holds_for_those_kept_and_those_in_groups(table):
    X, y, _ = table
    selection = select(
        X, y, max_features=3, feature_groups=[["first", "noise"]], keep=["colour"], random_state=0
    )
    assert set(selection.selected) == {"colour", "first", "noise"}
    assert selection.path.chosen == 3


def test_max_features_does_not_tear_groups_apart(table):
    X, y, _ = table
    selection = select(
        X, y, max_features=1, feature_groups=[["first", "second"]], keep=["copy"], random_state=0
    )
    assert selection.selected == ("copy",)


def test_nothing_is_an_answer():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), rng.normal(size=60)
    selection = select(X, y, estimator=Ridge(), validate=2, random_state=1)
    assert selection.selected == ()
    losses = selection.validation.losses
    assert losses["selected"] == losses["none"] == losses["random"]


def test_observers_hear_of_steps_and_end_the_run(table):
    X, y, _ = table
    steps = []
    selection = select(X, y, progress=lambda step: steps.append(step) or True, random_state=0)
    assert len(steps) == 1
    assert selection.settings["ending"] == "stopped"


def test_everything_survives_a_file(validated, tmp_path):
    validated.save(tmp_path / "result.json")
    loaded = Selection.load(tmp_path / "result.json")
    assert loaded.validation == validated.validation
    assert loaded.stability == validated.stability
    assert loaded.explanation == validated.explanation


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"method": "magic"}, "method must be 'auto', one of"),
        ({"method": GaussianNB()}, "method must be 'auto', a name or one of thresher's selectors"),
        ({"method": ACE}, "method must be 'auto', a name or one of thresher's selectors"),
        ({"method": Stepwise(Ridge()), "estimator": Ridge()}, "has its own"),
        ({"method": "fcbf", "estimator": Ridge()}, "estimator does not apply to FCBF"),
        ({"method": "fcbf", "budget": 5}, "budget: FCBF has no max_time"),
        ({"estimator": GaussianNB()}, "numbers that are not whole"),
        (
            {"estimator": GaussianNB(), "task": "regression"},
            "GaussianNB is a classifier, but the task is regression",
        ),
        (
            {"method": Stepwise(GaussianNB()), "task": "regression"},
            "GaussianNB is a classifier, but the task is regression",
        ),
        ({"method": ACE(task="classification"), "task": "regression"}, "says otherwise"),
        ({"estimator": "naive-bayes"}, "estimator naive-bayes is a classifier"),
        ({"estimator": "magic"}, "estimator must be one of"),
        ({"estimator": Ridge}, "estimator must be an instance"),
        ({"task": "magic"}, "task must be"),
        ({"task": "classification"}, "numbers that are not whole"),
        ({"alpha": 0}, "alpha must be"),
        ({"alpha": 2}, "alpha must be"),
        ({"max_features": 0}, "max_features must be"),
        ({"max_features": 1.5}, "max_features must be"),
        ({"max_features": 1, "keep": ["first", "copy"]}, "keep asks for 2 columns"),
        ({"keep": ["zebra"]}, "zebra"),
        ({"feature_groups": {"g": ["zebra"]}}, "zebra"),
        ({"budget": 0}, "budget must be a positive time"),
        ({"budget": "soon"}, "budget must be seconds, a duration"),
        ({"budget": "0 evaluations"}, "at least one evaluation"),
        ({"validate": 1}, "validate must be 2 to"),
        ({"validate": 1000}, "validate must be 2 to"),
        ({"validate": "five"}, "validate must be a number of folds"),
        ({"stability": 1}, "stability must be at least 2"),
        ({"stability": 2.5}, "stability must be at least 2"),
        ({"random_state": -1}, "random_state must be"),
        ({"progress": "loud"}, "progress must be"),
        ({"n_jobs": 0}, "n_jobs must be a whole number"),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, dict) else None,
)
def test_bad_questions_are_refused_by_name(table, wrong, message):
    with pytest.raises((ValueError, TypeError), match=message):
        select(table[0], table[1], **wrong)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.ones((30, 2)), np.arange(30.0), "constant"),
        (np.eye(30), np.arange(29.0), "29"),
        (np.eye(30), "price", "no data frame"),
        (pd.DataFrame({"a": range(30)}), "price", "'price' is not a column"),
        (np.eye(30), None, "y is None"),
        (np.eye(3), [1.0, 2.0, 3.5], "rows"),
        (np.eye(30), np.ones(30), "1 class|constant"),
        ("no-such-file.csv", "y", "no-such-file.csv"),
    ],
    ids=["constant", "lengths", "name", "unknown", "none", "few", "one class", "file"],
)
def test_bad_data_are_refused(X, y, message):
    with pytest.raises((ValueError, OSError), match=message):
        select(X, y)


def test_rare_classes_are_named_before_any_work():
    y = np.repeat(["a", "b", "rare"], [20, 20, 1])
    with pytest.raises(ValueError, match="validate=5 needs at least 2 rows of each class; 'rare'"):
        select(np.random.default_rng(0).normal(size=(41, 3)), y, validate=5)


def test_warnings_point_at_the_caller(table):
    X, y, _ = table
    selector = RVErS(Ridge(), encode=True, max_evaluations=2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        select(X, y, method=selector, random_state=0)
    assert ["budget" in str(warning.message) for warning in caught] == [True]
    assert caught[0].filename == __file__


def test_very_large_tables_get_a_filter(monkeypatch, table):
    from thresher.workflow import _plan

    monkeypatch.setattr(_plan, "_MANY_CELLS", 100)
    X, _, y = table
    selection = select(X, y)
    assert selection.method == FCBF.__name__
    assert "160 x 6" in selection.explanation


def test_ensembles_are_estimators_like_others(table):
    # an unfitted ensemble has no length, and so no truth value
    X, _, y = table
    forest = RandomForestClassifier(5, random_state=0)
    with pytest.warns(UserWarning, match="budget"):
        by_name = select(
            X, y, method="stepwise", estimator=forest, budget="6 evaluations", random_state=0
        )
    assert by_name.selected


def test_groups_count_by_their_columns(table):
    X, y, _ = table
    with pytest.warns(UserWarning, match="has no room for the group of 3"):
        selection = select(
            X, y, feature_groups=[["first", "second", "noise"]], max_features=2, estimator="linear",
            random_state=0,
        )  # fmt: skip
    assert selection.selected == ()


def test_whoever_masks_is_selected():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 300))
    X = pd.DataFrame({"a": a, "b": b, "copy": b + 0.05 * rng.normal(size=300)})
    y = a + 2 * np.abs(b) + 0.3 * rng.normal(size=300)
    for_ridge = select(X, y, estimator=Ridge(), random_state=0)
    assert len({"b", "copy"} & set(for_ridge.selected)) == 1
    capped = select(X, y, method="ace", max_features=1, random_state=0)
    assert capped.selected == ("a",)
    verdict = {v.name: v for v in capped.verdicts}
    assert any("was left out in turn" in verdict[name].reason for name in ("b", "copy"))
    for selection in (for_ridge, capped):
        maskers = {v.masked_by for v in selection.verdicts} - {None}
        assert maskers <= set(selection.selected)


def test_a_selector_says_what_is_not_said_here(table):
    X, y, _ = table
    counts = np.clip(np.round(y), -5, 5)
    selector = ACE(task="regression", random_state=7, keep=["noise"], max_evaluations=30, alpha=0.1)
    with pytest.warns(UserWarning, match="budget"):
        one = select(X, counts, method=selector, max_features=2, budget="1h")
    with pytest.warns(UserWarning, match="budget"):
        two = select(X, counts, method=selector, max_features=2)
    assert one.verdicts == two.verdicts
    assert one.settings["random_state"] == 7
    assert one.settings["task"] == "'regression'"
    assert one.settings["alpha"] == "0.1"
    assert one.cost.evaluations <= 30
    assert "noise" in one.selected


def test_what_is_said_here_goes_before_what_a_selector_says(table):
    X, y, _ = table
    selection = select(X, y, method=ACE(keep=["noise"]), keep=["colour"], random_state=0)
    assert "colour" in selection.selected
    assert "noise" not in selection.selected


def test_the_estimator_tells_the_task():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    counts = np.round(X[:, 0]) + 3  # few whole numbers, which look like classes
    assert select(X, counts, estimator=Ridge(), random_state=0).selected == ("x0",)


def test_a_small_alpha_gets_the_replicates_it_needs(table):
    X, y, _ = table
    selection = select(X, y, method="ace", alpha=0.04, random_state=0)
    assert selection.settings["n_replicates"] == "25"


def test_kept_columns_count_when_a_table_is_encoded(table):
    X, _, y = table
    empty = X.assign(empty=np.full(len(X), np.nan))
    selection = select(empty, y, keep=["empty"], estimator="knn", random_state=0)
    assert "empty" in selection.selected


def test_what_numpy_says_of_single_operations_is_not_repeated():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2)) * [1.0, 1e200]  # more than a forest can hold
    y = (X[:, 1] > 0).astype(int)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        select(X, y, method="fcbf", validate=2, random_state=0, progress=False)
    assert caught
    assert {warning.category for warning in caught} == {UserWarning}


def test_threads_do_not_change_the_filters_of_warnings(table):
    X, y, _ = table
    before = list(warnings.filters)
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda _: select(X, y, random_state=0).verdicts, range(3)))
    assert found[0] == found[1] == found[2]
    assert list(warnings.filters) == before
