"""RVE and RVErS: each switch on its own, what users hand in, and what they read."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import GroupKFold, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from thresher import RVE, RVErS, Selection
from thresher.learners import C45Classifier, DiscreteNB
from thresher.races import Hoeffding

from .randomized import both, name_of, selector_of, told

SWITCHES = [
    {},
    {"strategy": "paper"},
    {"biased": False},
    {"remember": False},
    {"stop": "failures"},
    {"drift": True},
    {"judge": "exhaustive"},
    {"judge": "raced"},
    {"judge": "brace"},
    {"judge": Hoeffding()},
    {"holdout": 0.3},
    {"k": 1},
    {"k": 2, "strategy": "paper"},
    {"cost": "cubic"},
    {"cost": lambda n: 3.0 + n},
    {"strategy": "paper", "biased": True},
    {"strategy": "paper", "judge": "raced", "drift": True},
]


every_switch = pytest.mark.parametrize("options", SWITCHES, ids=name_of)


@pytest.fixture(scope="module")
def messy():
    """A frame of everything: the level and the number decide, the rest is noise or nothing."""
    rng = np.random.default_rng(0)
    n = 300
    level = rng.choice(["low", "mid", "high"], n)
    number = rng.normal(size=n)
    frame = pd.DataFrame(
        {
            "noise": rng.normal(size=n),
            "<b>level</b> & co": pd.Categorical(level),
            "gaps": np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n)),
            "word": pd.Series(rng.choice(["a", "b", None], n), dtype=object),
            "same": np.ones(n),
            "number": np.where(rng.random(n) < 0.05, np.nan, number),
            "flag": rng.random(n) < 0.5,
        }
    )
    return frame, np.where((level == "high") | (number > 0.8), "yes", "no")


@every_switch
def test_the_planted_columns_are_found_by_a_fast_learner(options, classes):
    selector = selector_of(RVErS, GaussianNB(), **options).fit(*classes)
    assert selector.support_[[1, 4]].all()
    assert selector.n_features_ <= 5
    told(selector)


@every_switch
def test_the_planted_columns_are_found_by_a_learner_that_is_refitted(options, classes):
    X, y = classes
    tree = DecisionTreeClassifier(max_depth=5, min_samples_leaf=5)
    selector = selector_of(RVErS, tree, cv=3, tolerance=0.01, **options).fit(X, y)
    assert selector.support_[[1, 4]].all()
    told(selector)


@every_switch
def test_a_known_number_is_reached(options, numbers):
    if isinstance(options.get("judge"), Hoeffding):
        options = {"judge": Hoeffding(span=200.0)}
    selector = selector_of(RVE, LinearRegression(), **options).fit(*numbers)
    if "holdout" in options:
        assert selector.support_[[1, 4]].all()
    else:
        assert np.flatnonzero(selector.support_).tolist() == [1, 4]
    told(selector)


@both
def test_results_come_back_from_a_file_and_from_a_pickle(make, numbers, tmp_path):
    X, y = numbers
    selector = selector_of(make, Ridge(), holdout=0.2).observe(lambda step: None).fit(X, y)
    selector.selection_.save(tmp_path / "s.json")
    assert Selection.load(tmp_path / "s.json") == selector.selection_
    again = pickle.loads(pickle.dumps(selector))
    assert again.selection_ == selector.selection_
    assert np.array_equal(again.transform(X), selector.transform(X))


@both
def test_the_seed_decides(make, classes):
    fits = [
        selector_of(make, KNeighborsClassifier(3), random_state=seed).fit(*classes).selection_.trace
        for seed in (1, 1, 2)
    ]
    removed = [[step["removed"] for step in trace] for trace in fits]
    assert removed[0] == removed[1]
    assert removed[0] != removed[2]


@pytest.mark.parametrize("learner", [DiscreteNB(), C45Classifier()], ids=["bayes", "c45"])
@pytest.mark.parametrize("strategy", ["improved", "paper"])
@both
def test_a_messy_table(make, strategy, learner, messy):
    frame, y = messy
    selector = selector_of(make, learner, strategy=strategy, cv=4).fit(frame, y)
    told(selector)
    assert {"<b>level</b> & co", "number"} <= set(selector.selection_.selected)
    assert not selector.support_[4]
    assert selector.selection_.verdicts[4].reason == "constant"
    assert list(selector.transform(frame).columns) == list(selector.get_feature_names_out())


def test_a_messy_table_that_is_encoded(messy):
    frame, y = messy
    selector = selector_of(RVErS, GaussianNB(), encode=True).fit(frame, y)
    assert "<b>level</b> & co" in selector.selection_.selected
    told(selector)


@both
@pytest.mark.parametrize("strategy", ["improved", "paper"])
def test_kept_columns_and_groups_of_columns(make, strategy, numbers):
    X, y = numbers
    selector = selector_of(
        make, LinearRegression(), n_relevant=3, strategy=strategy, keep=[0],
        feature_groups={"pair": [1, 2]},
    ).fit(X, y)  # fmt: skip
    assert selector.support_[[0, 1, 2, 4]].all()
    if make is RVE:  # the kept one and the pair count as one each
        assert np.flatnonzero(selector.support_).tolist() == [0, 1, 2, 4]
    reasons = {verdict.name: verdict.reason for verdict in selector.selection_.verdicts}
    assert reasons["x0"] == "kept, as asked"
    told(selector)


@both
def test_all_columns_may_be_kept(make, numbers):
    selector = selector_of(make, Ridge(), n_relevant=None, keep=range(8)).fit(*numbers)
    assert selector.support_.all()
    assert all(v.reason == "kept, as asked" for v in selector.selection_.verdicts)


def test_half_of_the_columns_where_no_number_is_given(numbers):
    selector = RVE(LinearRegression(), random_state=0).fit(*numbers)
    assert selector.n_features_ == 4
    assert selector.support_[[1, 4]].all()
    assert selector.n_relevant is None
    kept = RVE(LinearRegression(), keep=range(6), random_state=0).fit(*numbers)
    assert np.flatnonzero(kept.support_).tolist() == list(range(6))


@both
@pytest.mark.parametrize("n_columns", [1, 2])
def test_hardly_any_columns(make, n_columns, numbers):
    X, y = numbers
    X = X[:, [1, 0][:n_columns]]
    selector = selector_of(make, Ridge(), n_relevant=1).fit(X, y)
    assert np.flatnonzero(selector.support_).tolist() == [0]
    assert all(verdict.reason for verdict in selector.selection_.verdicts)


@both
def test_weights_and_groups_of_rows(make, numbers):
    X, y = numbers
    # column 5 explains the rows that count, 1 and 4 the others
    heavy = np.arange(200) % 2 == 0
    noise = np.random.default_rng(0).normal(size=200)
    mixed = np.where(heavy, 3.0 * X[:, 5] + noise, 2.0 * y)
    weights = np.where(heavy, 1.0, 1e-6)
    selector = selector_of(
        make, LinearRegression(), n_relevant=1, cv=GroupKFold(5), loss="absolute"
    )
    selector.fit(X, mixed, sample_weight=weights, groups=np.arange(200) // 4)
    assert selector.support_[5]
    assert not selector.support_[1]
    held = clone(selector).set_params(holdout=0.25)
    held.fit(X, mixed, sample_weight=weights, groups=np.arange(200) // 4)
    assert held.support_[5]
    with pytest.raises(ValueError, match="groups"):
        clone(selector).fit(X, y)


@both
@pytest.mark.parametrize("holdout", [None, 0.3])
def test_a_scorer(make, holdout, classes):
    selector = selector_of(make, GaussianNB(), scoring="roc_auc", holdout=holdout).fit(*classes)
    assert selector.support_[[1, 4]].all()
    told(selector)


SPLITS = {
    "loo": lambda: "loo",
    "splitter": lambda: KFold(4),
    "one": lambda: [(np.arange(100), np.arange(100, 200))],
    "iterator": lambda: KFold(3).split(np.zeros(200)),
}


@pytest.mark.parametrize("kind", SPLITS)
@pytest.mark.parametrize("holdout", [None, 0.25])
def test_all_kinds_of_folds(kind, holdout, numbers):
    selector = selector_of(RVErS, Ridge(), cv=SPLITS[kind](), holdout=holdout).fit(*numbers)
    assert selector.support_[[1, 4]].all()
    told(selector)


@both
def test_times_can_be_measured(make, classes):
    selector = selector_of(make, GaussianNB(), cost="measured").fit(*classes)
    assert selector.support_[[1, 4]].all()
    assert selector.cost == "measured"
    told(selector)


def test_learners_that_cost_nothing_are_not_raced(numbers):
    fast = selector_of(RVErS, LinearRegression()).fit(*numbers)
    exhaustive = selector_of(RVErS, LinearRegression(), judge="exhaustive").fit(*numbers)
    losses = [[step["loss"] for step in s.selection_.trace] for s in (fast, exhaustive)]
    assert losses[0] == losses[1]


def test_the_tolerance_is_asked_of_every_removal(numbers):
    X, y = numbers
    strict = selector_of(RVErS, LinearRegression(), tolerance=0.0).fit(X, y)
    assert strict.support_[[1, 4]].all()
    lax = selector_of(RVErS, LinearRegression(), tolerance=1.5)  # column 4 explains 1
    with pytest.warns(UserWarning, match="tolerance=1.5 is not small") as caught:
        lax.fit(X, y)
    assert caught[0].filename == __file__
    assert np.flatnonzero(lax.support_).tolist() == [1]


@pytest.mark.parametrize("limit", [1, 2])
@pytest.mark.parametrize("learner", [GaussianNB(), DecisionTreeClassifier(max_depth=3)], ids=repr)
@both
def test_a_spent_budget_is_said_and_leaves_a_usable_result(make, learner, limit, classes):
    selector = selector_of(make, learner, max_evaluations=limit, judge="exhaustive")
    with pytest.warns(UserWarning, match="spent its budget"):
        selector.fit(*classes)
    assert 1 <= selector.n_features_ == selector.transform(classes[0]).shape[1]
    assert all(verdict.reason for verdict in selector.selection_.verdicts)
    assert selector.selection_.settings["ending"] == "budget"
    assert selector.selection_.cost.evaluations == limit


@both
def test_time_that_is_up_is_said(make, classes):
    with pytest.warns(UserWarning, match="spent its budget"):
        selector = selector_of(make, GaussianNB(), max_time=1e-6).fit(*classes)
    assert selector.support_.all()


@both
@pytest.mark.parametrize("holdout", [None, 0.3])
def test_ctrl_c_gives_the_best_so_far(make, holdout, classes):
    def interrupt(step):
        if step.number == 2:
            raise KeyboardInterrupt

    selector = selector_of(make, GaussianNB(), holdout=holdout)
    with pytest.warns(UserWarning, match="best subset so far"):
        selector.observe(interrupt).fit(*classes)
    assert selector.selection_.settings["ending"] == "interrupted"
    assert selector.support_[[1, 4]].all()
    assert all(verdict.reason for verdict in selector.selection_.verdicts)


def test_ctrl_c_while_a_learner_is_at_work(classes):
    class Impatient(GaussianNB):
        n_fits = 0

        def fit(self, X, y, sample_weight=None):
            Impatient.n_fits += 1
            if Impatient.n_fits == 12:
                raise KeyboardInterrupt
            return super().fit(X, y, sample_weight)

    selector = selector_of(RVErS, Impatient(), cv=3)
    with pytest.warns(UserWarning, match="best subset so far"):
        selector.fit(*classes)
    assert selector.selection_.settings["ending"] == "interrupted"
    assert selector.support_[[1, 4]].all()


@both
def test_a_fit_can_be_repeated(make, classes):
    selector = selector_of(make, DecisionTreeClassifier(max_depth=3), cv=3, holdout=0.2)
    first = selector.fit(*classes).selection_.verdicts
    assert selector.fit(*classes).selection_.verdicts == first
    assert not hasattr(selector, "_held_out") or selector._held_out is None
