import multiprocessing
import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification, make_regression
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, StratifiedKFold
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from thresher import Selection, Stepwise, WrapperSelector
from thresher.learners import C45Classifier


@pytest.fixture(scope="module")
def classes():
    return make_classification(
        200, 10, n_informative=4, n_redundant=2, n_classes=2, class_sep=0.7, random_state=3
    )


@pytest.fixture(scope="module")
def numbers():
    return make_regression(200, 10, n_informative=4, noise=20.0, random_state=3)


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize(
    ("model", "scoring"),
    [
        (GaussianNB(), "neg_log_loss"),
        (BernoulliNB(), "neg_log_loss"),
        (KNeighborsClassifier(7, weights="distance"), "neg_log_loss"),
        (DecisionTreeClassifier(max_depth=3, random_state=0), "neg_brier_score"),
        (DecisionTreeClassifier(max_depth=2, random_state=0), "roc_auc"),
        (LinearRegression(), "neg_mean_squared_error"),
        (Ridge(3.0), "neg_mean_absolute_error"),
        (KNeighborsRegressor(5), "neg_mean_squared_error"),
    ],
    ids=lambda v: type(v).__name__ if hasattr(v, "fit") else v,
)
def test_the_subset_is_that_of_scikit_learn(model, scoring, direction, classes, numbers):
    X, y = classes if sklearn.base.is_classifier(model) else numbers
    X, y = X[:120, :7], y[:120]
    folds = StratifiedKFold(3) if sklearn.base.is_classifier(model) else KFold(3)
    cv = list(folds.split(X, y))
    theirs = SequentialFeatureSelector(
        model, n_features_to_select=4, direction=direction, scoring=scoring, cv=cv
    ).fit(X, y)
    ours = Stepwise(model, n_features=4, direction=direction, scoring=scoring, cv=cv).fit(X, y)
    assert np.array_equal(ours.support_, theirs.support_)


def test_frames_go_in_and_come_out():
    X, y = load_iris(return_X_y=True, as_frame=True)
    for frame in (X, pl.from_pandas(X)):
        selector = Stepwise(GaussianNB(), n_features=2).fit(frame, y)
        cut = selector.transform(frame)
        assert type(cut) is type(frame)
        assert list(cut.columns) == list(selector.get_feature_names_out())
    assert isinstance(selector.set_output(transform="pandas").transform(X), pd.DataFrame)


def test_names_that_changed_since_fit_are_refused():
    X, y = load_iris(return_X_y=True, as_frame=True)
    selector = Stepwise(GaussianNB(), n_features=2).fit(X, y)
    with pytest.raises(ValueError, match="feature names should match"):
        selector.transform(X.rename(columns={"petal width (cm)": "other"}))


def test_categorical_frames_with_missing_values_and_a_learner_that_takes_them():
    rng = np.random.default_rng(0)
    level = rng.choice(["low", "mid", "high"], 150)
    frame = pd.DataFrame(
        {
            "noise": rng.normal(size=150),
            "level": pd.Categorical(level),
            "gaps": np.where(rng.random(150) < 0.3, np.nan, rng.normal(size=150)),
        }
    )
    y = (level == "high").astype(int)
    model = HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=5)
    selector = Stepwise(model, cv=3, random_state=0).fit(frame, y)
    assert selector.selection_.selected == ("level",)


def test_encoding_makes_any_learner_take_a_messy_table():
    rng = np.random.default_rng(0)
    level = rng.choice(["low", "mid", "high"], 150)
    frame = pl.DataFrame(
        {
            "id": [f"user {i}" for i in range(150)],
            "level": level,
            "when": pd.date_range("2024-01-01", periods=150).to_numpy(),
            "gaps": [None if i % 3 else float(i % 7) for i in range(150)],
        }
    )
    y = (level == "high").astype(int)
    selector = Stepwise(GaussianNB(), encode=True).fit(frame, y)
    assert selector.selection_.selected == ("level",)
    assert selector.n_features_in_ == 4


def test_groups_of_columns_stand_or_fall_together(numbers):
    X, y = numbers
    best = Stepwise(LinearRegression(), n_features=1).fit(X, y).get_support(indices=True)[0]
    mate = (best + 1) % 10
    selector = Stepwise(
        LinearRegression(), n_features=1, feature_groups={"pair": [int(best), int(mate)]}
    ).fit(X, y)
    assert set(selector.get_support(indices=True)) == {best, mate}
    kinds = {v.name: v.kind for v in selector.selection_.verdicts}
    assert kinds[f"x{best}"] == kinds[f"x{mate}"] == "relevant"


def test_kept_columns_are_always_selected(numbers):
    X, y = numbers
    worst = int(np.argmax(Stepwise(LinearRegression(), n_features=3).fit(X, y).ranking_))
    selector = Stepwise(LinearRegression(), n_features=3, keep=[worst]).fit(X, y)
    assert selector.support_[worst]
    assert selector.n_features_ == 3


def test_groups_of_rows_are_not_groups_of_columns(classes):
    X, y = classes
    rows = np.repeat(np.arange(40), 5)
    selector = Stepwise(GaussianNB(), cv=GroupKFold(4), n_features=2).fit(X, y, groups=rows)
    assert selector.n_features_ == 2
    with pytest.raises(ValueError, match="groups"):
        Stepwise(GaussianNB(), cv=GroupKFold(4), n_features=2).fit(X, y)


def test_sample_weights_are_accepted_directly_and_matter(classes):
    X, y = classes
    weights = np.where(X[:, 0] > 0, 1.0, 1e-6)
    plain = Stepwise(GaussianNB(), n_features=3, loss="log").fit(X, y)
    weighted = Stepwise(GaussianNB(), n_features=3, loss="log").fit(X, y, sample_weight=weights)
    losses = [[step["loss"] for step in s.selection_.trace] for s in (plain, weighted)]
    assert not np.allclose(*losses)


def test_metadata_routing_asks_who_wants_the_weights(classes):
    X, y = classes
    weights = np.ones(200)
    with sklearn.config_context(enable_metadata_routing=True):
        with pytest.raises(ValueError, match="sample_weight"):
            Stepwise(GaussianNB(), n_features=1).fit(X, y, sample_weight=weights)
        model = GaussianNB().set_fit_request(sample_weight=True)
        pipeline = make_pipeline(Stepwise(model, n_features=1), clone(model))
        pipeline.fit(X, y, sample_weight=weights)


def test_it_works_in_a_pipeline_under_a_grid_search(classes):
    X, y = classes
    pipeline = make_pipeline(Stepwise(GaussianNB()), GaussianNB())
    search = GridSearchCV(pipeline, {"stepwise__n_features": [1, 3]}, cv=3).fit(X, y)
    assert search.best_params_["stepwise__n_features"] in (1, 3)


def test_sparse_tables(numbers):
    X, y = numbers
    dense = Stepwise(Ridge(), n_features=3).fit(X, y)
    sparse = Stepwise(Ridge(), n_features=3).fit(sp.csr_array(X), y)
    assert np.array_equal(dense.support_, sparse.support_)
    assert sp.issparse(sparse.transform(sp.csr_array(X)))


def test_scikit_learn_callbacks_see_each_step_and_may_stop(classes):
    callback = pytest.importorskip("sklearn.callback")
    X, y = classes

    class Watcher:
        def __init__(self):
            self.sizes = []

        def setup(self, estimator, context):
            self.ready = True

        def teardown(self, estimator, context):
            self.done = True

        def on_fit_task_begin(self, estimator, context):
            pass

        def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
            if fitted_estimator is not None:
                self.sizes.append(int(fitted_estimator.get_support().sum()))
            return len(self.sizes) == 3

    assert isinstance(Watcher(), callback.FitCallback)
    watcher = Watcher()
    selector = Stepwise(GaussianNB(), n_features=6).set_callbacks(watcher).fit(X, y)
    assert watcher.sizes == [0, 1, 2]
    assert watcher.done
    assert selector.n_features_ in (1, 2)
    assert selector.selection_.settings["ending"] == "stopped"


def test_budgets_are_kept_and_said(classes):
    X, y = classes
    with pytest.warns(UserWarning, match="spent its budget after 12 evaluations"):
        selector = Stepwise(GaussianNB(), n_features=5, max_evaluations=12).fit(X, y)
    assert selector.selection_.cost.evaluations == 12


def test_the_trace_tells_every_step(classes):
    X, y = classes
    trace = Stepwise(GaussianNB(), n_features=3).fit(X, y).selection_.trace
    assert [record["n_variables"] for record in trace] == [0, 1, 2, 3]
    assert [len(record["added"]) for record in trace] == [0, 1, 1, 1]
    assert all(record["standard_error"] > 0 for record in trace)


def test_results_are_written_and_read(classes, tmp_path):
    selection = Stepwise(GaussianNB()).fit(*classes).selection_
    selection.save(tmp_path / "s.json")
    assert Selection.load(tmp_path / "s.json") == selection


def test_the_result_does_not_depend_on_n_jobs_or_the_run(classes):
    X, y = classes
    model = RandomForestClassifier(5)
    one = WrapperSelector(model, cv=3, random_state=0).fit(X[:, :4], y)
    two = WrapperSelector(model, cv=3, random_state=0, n_jobs=2).fit(X[:, :4], y)
    assert one.selection_.verdicts == two.selection_.verdicts
    assert model.random_state is None


def test_selected_names_come_best_first(numbers):
    X, y = numbers
    selector = Stepwise(LinearRegression(), n_features=4).fit(X, y)
    added = [record["added"][0] for record in selector.selection_.trace[1:]]
    assert list(selector.selection_.selected) == added


def test_ranking_is_a_permutation_behind_the_selected(numbers):
    X, y = numbers
    for direction in ("forward", "backward"):
        ranking = Stepwise(LinearRegression(), n_features=4, direction=direction).fit(X, y).ranking_
        assert sorted(ranking) == [1] * 4 + list(range(2, 8))


def test_constant_columns_are_named_and_left_out(numbers):
    X, y = numbers
    frame = pd.DataFrame(X).add_prefix("c").assign(same=1.0, gone=None, text="k")
    frame = frame.astype({"gone": "float64"})
    selector = Stepwise(LinearRegression(), direction="backward", encode=True).fit(frame, y)
    why = {verdict.name: verdict.reason for verdict in selector.selection_.verdicts}
    assert why["same"] == why["gone"] == why["text"] == "constant"
    assert selector.ranking_[-3:].tolist() == [max(selector.ranking_)] * 3
    kept = Stepwise(Ridge(), n_features=3, keep=["same"]).fit(frame[["c0", "c1", "c2", "same"]], y)
    assert "same" in kept.selection_.selected


def test_observers_are_told_and_do_not_hinder_pickling(numbers):
    seen = []

    def local(step):  # which pickle cannot find
        seen.append(step)

    selector = Stepwise(LinearRegression(), n_features=2).observe(local).fit(*numbers)
    assert len(seen) == 3
    assert pickle.loads(pickle.dumps(selector)).n_features_ == 2


def test_data_frames_reach_workers(classes):
    X, y = classes
    frame = pl.DataFrame(X[:, :4], schema=list("abcd"))
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    one, two = (Stepwise(model, cv=2, n_jobs=n).fit(frame, y).selection_ for n in (1, 2))
    assert one.verdicts == two.verdicts


def test_targets_of_any_library(classes):
    X, y = classes
    words = np.where(y, "yes", "no")
    for target in (
        pd.Series(words),
        pl.Series(words),
        pa.array(words.tolist()),
        words.astype(object),
        pd.Series(words, dtype="category"),
    ):
        selector = Stepwise(DecisionTreeClassifier(max_depth=1), n_features=1, random_state=0)
        assert selector.fit(X, target).n_features_ == 1


def test_columns_that_are_constant_need_not_be_fit_for_the_estimator(classes):
    X, y = classes
    frame = pd.DataFrame(X).add_prefix("c").assign(text="k", gone=np.nan)
    selector = Stepwise(GaussianNB(), n_features=2).fit(frame, y)
    assert {v.reason for v in selector.selection_.verdicts[-2:]} == {"constant"}
    assert selector.transform(frame).shape == (200, 2)
    gaps = np.column_stack([X, np.full(len(X), np.nan)])
    assert np.array_equal(selector.fit(gaps, y).transform(gaps), X[:, selector.support_[:-1]])


def test_reasons_tell_what_their_own_step_did(classes):
    X, y = classes
    selection = Stepwise(GaussianNB(), n_features=5, floating=True, loss="log").fit(X, y).selection_
    loss_at = [record["loss"] for record in selection.trace]
    for verdict in selection.verdicts:
        if verdict.kind == "relevant":
            before = max(r["step"] for r in selection.trace[: verdict.step] if r["accepted"])
            gain = loss_at[before] - loss_at[verdict.step]
            assert verdict.reason.endswith(f"the loss by {abs(gain):.3g}")
            assert ("lowers" in verdict.reason) == (gain > 0)


def test_a_search_cut_short_accounts_for_what_it_chose(classes):
    X, y = classes
    with pytest.warns(UserWarning, match="spent its budget"):
        selection = Stepwise(GaussianNB(), n_features=5, max_evaluations=16).fit(X, y).selection_
    chosen = [record for record in selection.trace if record["chosen"]]
    assert len(chosen) == 1
    assert chosen[0]["added"] == [selection.selected[-1]]
    assert all(v.reason for v in selection.verdicts)
    assert not any("not judged" in v.reason for v in selection.verdicts if v.kind == "relevant")


def test_large_integers_are_not_taken_for_constant(classes):
    _, y = classes
    big = (2**60 + np.arange(200)).reshape(-1, 1)
    assert Stepwise(DecisionTreeClassifier(max_depth=1), n_features=1).fit(big, y).n_features_ == 1


def test_threads_work_in_a_forked_process(classes):
    X, y = classes
    fit = Stepwise(GaussianNB(), n_features=2, n_jobs=2).fit
    fit(X, y)
    child = multiprocessing.get_context("fork").Process(target=fit, args=(X, y))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer Pythons warn of forking beside threads
        child.start()
    child.join(timeout=300)
    assert child.exitcode == 0


class RefittedTree(C45Classifier):
    """The same tree, which no fast evaluator knows."""


def test_backward_elimination_with_regrown_trees_is_that_of_refitting():
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 3, (120, 6))
    X = pd.DataFrame(cells.astype(str)).rename(columns=str)
    y = (cells[:, 1] * cells[:, 4] + (rng.random(120) < 0.1)) % 3
    fast, slow = (
        Stepwise(tree, direction="backward", n_jobs=1, random_state=0).fit(X, y)
        for tree in (C45Classifier(), RefittedTree())
    )
    assert fast.n_features_ < 6
    assert np.array_equal(fast.ranking_, slow.ranking_)
    steps = [
        [{key: step[key] for key in step if "seconds" not in key} for step in each.selection_.trace]
        for each in (fast, slow)
    ]
    assert steps[0] == steps[1]
