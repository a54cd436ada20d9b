"""RaceSelector: every search under every race, what users hand in, and what they read."""

import json
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GroupKFold, RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

from thresher import RaceSelector, Selection
from thresher.races import Brace, Friedman, Hoeffding, Racing
from thresher.searches import Forward, GaussSeidel, HillClimbing, SchemataPlus

SEARCHES = ["schemata", "schemata+", "forward", "backward", "forward-gs", "backward-gs"]


@pytest.fixture(scope="module")
def classes():
    """Columns 1 and 4 of six tell the class."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6))
    return X, np.where(2.0 * X[:, 1] + 2.0 * X[:, 4] > 0, "yes", "no")


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 6))
    return X, 2.0 * X[:, 1] + X[:, 4] + 0.1 * rng.normal(size=200)


@pytest.mark.parametrize("race", ["brace", "race", "hoeffding"])
@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_under_every_race_selects_what_was_planted(search, race, classes):
    selector = RaceSelector(GaussianNB(), search=search, race=race, random_state=0).fit(*classes)
    assert selector.support_[[1, 4]].all()
    assert selector.n_features_ <= 4
    selection = selector.selection_
    assert [verdict.name for verdict in selection.verdicts] == [f"x{k}" for k in range(6)]
    assert all(verdict.reason for verdict in selection.verdicts)
    assert {v.name for v in selection.verdicts if v.kind == "relevant"} == set(selection.selected)
    assert selection.settings["ending"] == "complete"


@pytest.mark.parametrize("search", SEARCHES)
def test_results_are_json_and_come_back_from_a_file(search, numbers, tmp_path):
    selector = RaceSelector(KNeighborsRegressor(3), search=search, random_state=0).fit(*numbers)
    assert np.flatnonzero(selector.support_).tolist() == [1, 4]
    selector.selection_.save(tmp_path / "s.json")
    assert Selection.load(tmp_path / "s.json") == selector.selection_
    text = json.dumps(selector.selection_.trace, allow_nan=False)
    assert len(json.loads(text)) == len(selector.selection_.trace) > 0
    assert selector.ranking_.min() == 1
    assert (selector.ranking_[selector.support_] == 1).all()


@pytest.mark.parametrize("search", SEARCHES)
def test_the_order_of_the_selected_and_their_reasons_tell_of_the_search(search, numbers):
    selection = RaceSelector(KNeighborsRegressor(3), search=search, random_state=0)
    verdicts = {v.name: v for v in selection.fit(*numbers).selection_.verdicts}
    for name in ("x1", "x4"):
        assert verdicts[name].score is None or verdicts[name].score > 0
    for name in ("x0", "x2", "x3", "x5"):
        assert "cut short" not in verdicts[name].reason


@pytest.mark.parametrize("search", SEARCHES)
def test_kept_columns_and_groups_of_columns(search, numbers):
    X, y = numbers
    selector = RaceSelector(
        KNeighborsRegressor(3), search=search, keep=[0], feature_groups={"pair": [1, 2]},
        random_state=0,
    ).fit(X, y)  # fmt: skip
    assert np.flatnonzero(selector.support_).tolist() == [0, 1, 2, 4]
    reasons = {verdict.name: verdict.reason for verdict in selector.selection_.verdicts}
    assert reasons["x0"] == "kept, as asked"


@pytest.mark.parametrize("search", ["schemata+", "forward-gs"])
def test_a_messy_table_is_encoded(search):
    rng = np.random.default_rng(0)
    level = rng.choice(["low", "mid", "high"], 200)
    frame = pd.DataFrame(
        {
            "noise": rng.normal(size=200),
            "level": pd.Categorical(level),
            "gaps": np.where(rng.random(200) < 0.3, np.nan, rng.normal(size=200)),
            "word": rng.choice(["a", "b", None], 200),
        }
    )
    y = level == "high"
    selector = RaceSelector(GaussianNB(), search=search, encode=True, random_state=0).fit(frame, y)
    assert "level" in selector.selection_.selected
    assert list(selector.transform(frame).columns) == list(selector.get_feature_names_out())


@pytest.mark.parametrize("search", ["schemata", "forward"])
def test_weights_and_groups_of_rows(search, numbers):
    X, y = numbers
    # column 5 explains the rows that count, 1 and 4 the others
    heavy = np.arange(200) % 2 == 0
    noise = np.random.default_rng(0).normal(size=200)
    mixed = np.where(heavy, 3.0 * X[:, 5] + noise, 2.0 * y)
    weights = np.where(heavy, 1.0, 1e-6)
    selector = RaceSelector(
        LinearRegression(), search=search, cv=GroupKFold(5), loss="absolute", random_state=0
    )
    selector.fit(X, mixed, sample_weight=weights, groups=np.arange(200) // 4)
    assert selector.support_[5]
    assert not selector.support_[1]
    assert clone(selector).set_params(cv=5).fit(X, mixed).support_[[1, 5]].all()
    with pytest.raises(ValueError, match="groups"):
        clone(selector).fit(X, y)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("limit", [{"max_evaluations": 1}, {"max_time": 1e-6}], ids=str)
def test_a_spent_budget_is_said_and_leaves_a_usable_result(search, limit, numbers):
    selector = RaceSelector(KNeighborsRegressor(3), search=search, random_state=0, **limit)
    with pytest.warns(UserWarning, match="spent its budget"):
        selector.fit(*numbers)
    assert 1 <= selector.n_features_ == selector.transform(numbers[0]).shape[1]
    assert all(verdict.reason for verdict in selector.selection_.verdicts)
    assert selector.selection_.settings["ending"] == "budget"


def test_a_scorer_races_over_repeated_folds(classes):
    X, y = classes
    folds = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0)
    for search in ("forward", "schemata+"):
        selector = RaceSelector(
            DecisionTreeClassifier(max_depth=3), search=search, scoring="roc_auc", cv=folds,
            max_evaluations=60, random_state=0,
        ).fit(X, y)  # fmt: skip
        assert selector.support_[[1, 4]].all()


def test_a_gamma_as_large_as_the_losses_is_warned_of(numbers):
    X, y = numbers
    selector = RaceSelector(KNeighborsRegressor(3), search="forward", gamma=10.0, random_state=0)
    with pytest.warns(UserWarning, match="gamma=10 is not small") as caught:
        selector.fit(X, y)
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="gamma"):
        RaceSelector(KNeighborsRegressor(3), search="forward").fit(X, y / 1000)


def test_ranks_know_no_gamma(numbers):
    selector = RaceSelector(KNeighborsRegressor(3), search="forward", race="friedman", gamma=10.0)
    assert selector.fit(*numbers).support_[1]


@pytest.mark.parametrize(
    "race",
    [Brace(delta=0.01, min_rows=20), Hoeffding(span=100.0), Friedman(), "friedman", "exhaustive"],
    ids=repr,
)
def test_races_by_instance_and_by_name(race, numbers):
    selector = RaceSelector(KNeighborsRegressor(3), search="forward", race=race, random_state=0)
    assert selector.fit(*numbers).support_[[1, 4]].all()
    assert not isinstance(race, Racing) or repr(race) in selector.selection_.settings["race"]


@pytest.mark.parametrize(
    "search",
    [
        HillClimbing("full"), SchemataPlus(patience=500), GaussSeidel, Forward(n_features=2),
        "thresher.searches.HillClimbing", "thresher.searches:SchemataPlus",
    ],
    ids=repr,
)  # fmt: skip
def test_searches_by_instance_class_and_path(search, numbers):
    selector = RaceSelector(KNeighborsRegressor(3), search=search, random_state=0).fit(*numbers)
    assert np.flatnonzero(selector.support_).tolist() == [1, 4]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "magic"}, "search must be one of 'schemata', .*; got 'magic'"),
        ({"search": "floating"}, "search must be one of"),
        ({"search": "no.such.Search"}, "search='no.such.Search' cannot be imported"),
        ({"search": 7}, "search must be a SearchStrategy"),
        ({"race": "magic"}, "race must be one of 'brace', .*; got 'magic'"),
        ({"race": Brace}, "race must be one of"),
        ({"race": None}, "race must be one of"),
        ({"delta": 0}, "delta must be a number between 0 and 1; got 0"),
        ({"delta": 1.5}, "delta must be a number between 0 and 1; got 1.5"),
        ({"gamma": -1}, "gamma must be a number that is not negative; got -1"),
        ({"min_rows": 1}, "min_rows must be a whole number of at least 2 or None; got 1"),
        ({"min_rows": 201}, "min_rows=201 is more than there are to race over: 200"),
        ({"corrected": 1}, "corrected must be True or False"),
        ({"race": "hoeffding"}, "Hoeffding race needs losses that are bounded"),
        ({"race": "hoeffding", "search": "forward"}, "Hoeffding race needs losses"),
        ({"race": "friedman"}, "Friedman cannot judge schemata"),
        ({"race": Brace(delta=2)}, "delta"),
        ({"search": HillClimbing(tolerance=-1)}, "tolerance must be"),
    ],
    ids=str,
)
def test_bad_parameters(options, message, numbers):
    with pytest.raises((ValueError, TypeError), match=message):
        RaceSelector(LinearRegression(), **options).fit(*numbers)


def test_exhaustive_judges_schemata_too(numbers):
    selector = RaceSelector(KNeighborsRegressor(3), race="exhaustive").fit(*numbers)
    assert np.flatnonzero(selector.support_).tolist() == [1, 4]


def test_one_column_is_selected_by_every_search(numbers):
    X, y = numbers
    for search in SEARCHES:
        selector = RaceSelector(KNeighborsRegressor(3), search=search).fit(X[:, [1]], y)
        assert selector.support_.all()
        assert all(verdict.reason for verdict in selector.selection_.verdicts)


def test_constant_columns_take_no_part(numbers):
    X, y = numbers
    X = np.column_stack([np.ones(200), X])
    selector = RaceSelector(KNeighborsRegressor(3), random_state=0).fit(X, y)
    assert np.flatnonzero(selector.support_).tolist() == [2, 5]
    assert selector.selection_.verdicts[0].reason == "constant"


def test_a_fitted_selector_can_be_pickled(numbers):
    X, y = numbers
    selector = RaceSelector(KNeighborsRegressor(3), search=SchemataPlus(), random_state=0)
    selector.observe(lambda step: None).fit(X, y)
    again = pickle.loads(pickle.dumps(selector))
    assert again.selection_ == selector.selection_
    assert np.array_equal(again.transform(X), selector.transform(X))


@pytest.mark.parametrize("search", SEARCHES)
def test_the_result_depends_on_the_seed_alone(search, classes):
    X, y = classes
    model = KNeighborsClassifier(3)
    fits = [
        RaceSelector(model, search=search, n_jobs=n_jobs, random_state=5).fit(X, y).selection_
        for n_jobs in (1, 2, 1)
    ]
    assert fits[0].verdicts == fits[1].verdicts == fits[2].verdicts
    assert fits[0].cost.losses == fits[1].cost.losses == fits[2].cost.losses


def test_refitted_learners_do_not_depend_on_the_number_of_workers(classes):
    X, y = classes
    tree = DecisionTreeClassifier(max_depth=3)
    one, two = (
        RaceSelector(tree, search="forward-gs", n_jobs=n, random_state=0).fit(X, y).selection_
        for n in (1, 2)
    )
    assert one.verdicts == two.verdicts
    assert tree.random_state is None


@pytest.mark.parametrize("search", SEARCHES)
def test_ctrl_c_gives_the_best_so_far(search, numbers):
    def interrupt(step):
        if step.number == 2:
            raise KeyboardInterrupt

    selector = RaceSelector(KNeighborsRegressor(3), search=search, random_state=0)
    with pytest.warns(UserWarning, match="best subset so far"):
        selector.observe(interrupt).fit(*numbers)
    assert selector.selection_.settings["ending"] == "interrupted"
    assert selector.support_[1]
    assert all(verdict.reason for verdict in selector.selection_.verdicts)


def test_nothing_is_warned_of_in_an_ordinary_fit(numbers):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        selector = RaceSelector(KNeighborsRegressor(3), random_state=0).fit(*numbers)
    assert selector.selection_.settings["ending"] == "complete"
