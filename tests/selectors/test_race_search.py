"""Racing models, against scikit-learn's own exhaustive search."""

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_friedman1
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    RepeatedStratifiedKFold,
)
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from thresher import RaceSearchCV
from thresher.learners import KernelRegressor, LocallyWeightedRegressor
from thresher.races import Brace

TREE = DecisionTreeClassifier(random_state=0)
DEPTHS = {"max_depth": [1, 2, 4]}
WIDTHS = {
    "model": [KernelRegressor(), LocallyWeightedRegressor()],
    "model__width": [2.0**-k for k in range(10)],
}


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def tumours():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:200, :10], y[:200]


@pytest.fixture(scope="module")
def curve():
    X, y = make_friedman1(300, 5, noise=0.5, random_state=0)
    return X, y


@pytest.mark.parametrize(
    ("model", "grid", "cv", "scoring"),
    [
        (KNeighborsClassifier(), {"n_neighbors": [1, 5, 25]}, LeaveOneOut(), "accuracy"),
        (TREE, DEPTHS, RepeatedKFold(n_splits=5, n_repeats=2, random_state=0), "accuracy"),
        (TREE, DEPTHS, RepeatedStratifiedKFold(n_splits=4, random_state=0), "roc_auc"),
        (
            make_pipeline(StandardScaler(), LogisticRegression()),
            {"logisticregression__C": [0.001, 0.1, 10.0]},
            KFold(5, shuffle=True, random_state=0),
            "neg_log_loss",
        ),
    ],
    ids=["k-NN", "tree", "roc_auc", "pipeline"],
)
def test_the_winner_and_all_scores_are_those_of_grid_search(tumours, model, grid, cv, scoring):
    expected = GridSearchCV(model, grid, cv=cv, scoring=scoring).fit(*tumours)
    every = RaceSearchCV(model, grid, cv=cv, scoring=scoring, race="exhaustive").fit(*tumours)
    assert every.cv_results_["params"] == expected.cv_results_["params"]
    for key in ("mean_test_score", "rank_test_score"):
        assert np.allclose(every.cv_results_[key], expected.cv_results_[key])
    assert every.best_score_ == pytest.approx(expected.best_score_)
    assert every.n_splits_ == expected.n_splits_
    raced = RaceSearchCV(model, grid, cv=cv, scoring=scoring, random_state=0).fit(*tumours)
    assert raced.best_params_ == every.best_params_ == expected.best_params_
    assert raced.score(*tumours) == pytest.approx(expected.score(*tumours))


def test_a_race_among_memory_based_models_takes_a_fraction_of_the_losses(curve):
    pipeline = Pipeline([("model", KernelRegressor())])
    every = RaceSearchCV(pipeline, WIDTHS, race="exhaustive").fit(*curve)
    assert every.n_losses_ == 20 * 300
    for seed in range(3):
        raced = RaceSearchCV(pipeline, WIDTHS, random_state=seed).fit(*curve)
        assert raced.n_losses_ < 0.3 * every.n_losses_
        assert raced.best_index_ == every.best_index_


@pytest.mark.parametrize("race", ["brace", "race", "hoeffding", "friedman", Brace(0.01)])
def test_every_rule_finds_a_clear_winner(curve, race):
    grid = {"width": [0.001, 0.1, 30.0]}
    search = RaceSearchCV(KernelRegressor(), grid, race=race, random_state=0).fit(*curve)
    assert search.best_params_ == {"width": 0.1}


def test_results_tell_who_left_when_against_whom(curve):
    search = RaceSearchCV(KernelRegressor(), {"width": [0.001, 0.1, 30.0]}, random_state=0)
    frame = pd.DataFrame(search.fit(*curve).cv_results_)
    assert frame["param_width"].tolist() == [0.001, 0.1, 30.0]
    assert frame["rank_test_score"].min() == frame["rank_test_score"][1] == 1
    gone = frame[frame.index != 1]
    assert (gone["left_at"] == gone["n_rows"]).all()
    assert (gone["left_against"] == 1).all()
    assert (gone["p_value"] < 0.001).all()
    stayed = frame.loc[1]
    assert np.isnan(stayed["left_at"])
    assert np.isnan(stayed["p_value"])
    assert stayed["left_against"] == -1
    assert stayed["standard_error"] == pytest.approx(
        stayed["std_test_score"] / np.sqrt(stayed["n_rows"] - 1)
    )
    assert search.best_score_ == stayed["mean_test_score"] < 0


def test_ranks_put_who_stayed_first_and_then_who_ran_longer(curve):
    search = RaceSearchCV(KNeighborsRegressor(), {"n_neighbors": [1, 3, 5, 100]}, random_state=0)
    results = search.fit(*curve).cv_results_
    order = np.argsort(results["rank_test_score"])
    assert order[0] == search.best_index_
    assert (np.diff(results["n_rows"][order][1:]) <= 0).all()


def test_parameters_that_a_candidate_does_not_have_are_masked(iris):
    grid = [{"n_neighbors": [1, 3]}, {"weights": ["distance"]}]
    results = RaceSearchCV(KNeighborsClassifier(), grid).fit(*iris).cv_results_
    assert results["param_n_neighbors"].mask.tolist() == [False, False, True]
    assert results["param_n_neighbors"].dtype.kind == "i"
    assert results["param_weights"].mask.tolist() == [True, True, False]
    assert pd.DataFrame(results)["param_weights"][2] == "distance"


@pytest.mark.parametrize(
    "search",
    [
        RaceSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3, 50]}),
        RaceSearchCV(RandomForestClassifier(3), {"max_depth": [1, 5]}, cv=4),
        RaceSearchCV(RandomForestClassifier(3), {"max_depth": [1, 5]}, cv=6, scoring="f1_macro"),
    ],
    ids=["rows", "folds", "scores"],
)
def test_workers_do_not_change_the_result(iris, search):
    one, two = (clone(search).set_params(random_state=1, n_jobs=n).fit(*iris) for n in (1, 2))
    for key, values in one.cv_results_.items():
        same = two.cv_results_[key]
        assert values == same if key == "params" else np.array_equal(values, same, equal_nan=True)
    assert one.n_losses_ == two.n_losses_
    assert np.array_equal(one.predict(iris[0]), two.predict(iris[0]))


def test_a_seed_makes_open_random_states_equal_for_all_and_the_winner(iris):
    grid = {"min_samples_leaf": [1, 1]}
    search = RaceSearchCV(RandomForestClassifier(3), grid, cv=3, race="exhaustive", random_state=0)
    scores = search.fit(*iris).cv_results_["mean_test_score"]
    assert scores[0] == scores[1]
    assert isinstance(search.best_estimator_.random_state, int)
    assert search.set_params(random_state=None).fit(*iris).best_estimator_.random_state is None


@pytest.mark.parametrize("model", [Ridge(), DecisionTreeRegressor(random_state=0)])
def test_sample_weights_count_in_fitting_and_in_the_mean(curve, model):
    X, y = curve
    weights = np.linspace(0.1, 3.0, len(y))
    name = "alpha" if isinstance(model, Ridge) else "max_depth"
    search = RaceSearchCV(model, {name: [1, 5]}, cv=KFold(5), race="exhaustive")
    search.fit(X, y, sample_weight=weights)
    for k, value in enumerate((1, 5)):
        loss = np.empty(len(y))
        candidate = clone(model).set_params(**{name: value})
        for train, test in KFold(5).split(X):
            candidate.fit(X[train], y[train], sample_weight=weights[train])
            loss[test] = (candidate.predict(X[test]) - y[test]) ** 2
        expected = -np.average(loss, weights=weights)
        assert search.cv_results_["mean_test_score"][k] == pytest.approx(expected)
    best = clone(model).set_params(**search.best_params_).fit(X, y, sample_weight=weights)
    assert np.allclose(search.predict(X), best.predict(X))


def test_sample_weights_reach_the_last_step_of_a_pipeline(curve):
    X, y = curve
    weights = np.linspace(0.01, 5, len(y))
    model = make_pipeline(StandardScaler(), Ridge())
    search = RaceSearchCV(model, {"ridge__alpha": [0.1, 1e5]}, cv=5)
    weighted = search.fit(X, y, sample_weight=weights).predict(X)
    assert not np.allclose(weighted, search.fit(X, y).predict(X))


def test_groups_reach_the_splitter(tumours):
    groups = np.repeat(np.arange(10), 20)
    cv = GroupKFold(5)
    search = RaceSearchCV(TREE, DEPTHS, cv=cv, race="exhaustive").fit(*tumours, groups=groups)
    expected = GridSearchCV(TREE, DEPTHS, cv=cv).fit(*tumours, groups=groups)
    assert np.allclose(
        search.cv_results_["mean_test_score"], expected.cv_results_["mean_test_score"]
    )


def test_metadata_routing(tumours):
    weights, groups = np.ones(200), np.repeat(np.arange(10), 20)
    with config_context(enable_metadata_routing=True):
        search = RaceSearchCV(TREE, DEPTHS, cv=GroupKFold(5))
        with pytest.raises(Exception, match="sample_weight"):
            search.fit(*tumours, sample_weight=weights, groups=groups)
        asked = clone(TREE).set_fit_request(sample_weight=True)
        search.set_params(estimator=asked).fit(*tumours, sample_weight=weights, groups=groups)
        assert search.score(*tumours) > 0.5
        assert RaceSearchCV(asked, DEPTHS, cv=3).fit(*tumours).score(*tumours) > 0.5


def test_categorical_columns_reach_the_estimator_unchanged(iris):
    X, y = iris
    frame = pd.DataFrame({"level": pd.Categorical(np.where(X[:, 2] > 2, "u", "v")), "x": X[:, 3]})
    model = HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5)
    search = RaceSearchCV(model, {"max_depth": [1, 3]}, cv=KFold(5, shuffle=True, random_state=0))
    search.fit(frame, y)
    assert search.best_score_ > 0.9
    assert search.feature_names_in_.tolist() == ["level", "x"]
    assert search.n_features_in_ == 2
    assert search.predict(frame).shape == (150,)


def test_constant_columns_are_no_obstacle(iris):
    X, y = iris
    wide = np.column_stack([np.ones(150), X])
    search = RaceSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}).fit(wide, y)
    assert search.best_estimator_.n_features_in_ == 5


def test_columns_that_repeat_a_candidate_do_not_hold_up_the_race(iris):
    search = RaceSearchCV(KNeighborsClassifier(), {"n_neighbors": [5, 5]}).fit(*iris)
    assert search.best_index_ == 0


def test_without_refit_there_is_a_result_but_no_model(iris):
    search = RaceSearchCV(TREE, DEPTHS, cv=5, refit=False).fit(*iris)
    assert search.best_params_["max_depth"] in DEPTHS["max_depth"]
    assert not hasattr(search, "best_estimator_")
    assert not hasattr(search, "predict")


def test_a_callable_chooses_what_is_refitted(iris):
    search = RaceSearchCV(TREE, DEPTHS, cv=5, refit=lambda results: len(results["params"]) - 1)
    search.fit(*iris)
    assert search.best_params_ == {"max_depth": 4}
    assert search.best_estimator_.max_depth == 4
    assert search.best_score_ == search.cv_results_["mean_test_score"][2]


def test_score_is_that_of_the_loss_if_one_is_given(curve):
    grid = {"width": [0.1, 1.0]}
    plain = RaceSearchCV(KernelRegressor(), grid, random_state=0).fit(*curve)
    assert plain.score(*curve) == plain.best_estimator_.score(*curve)
    search = RaceSearchCV(KernelRegressor(), grid, loss="absolute", random_state=0).fit(*curve)
    error = np.abs(search.predict(curve[0]) - curve[1]).mean()
    assert search.score(*curve) == pytest.approx(-error)


def test_clones_and_parameters():
    search = RaceSearchCV(TREE, DEPTHS, race=Brace(), cv=3)
    params = clone(search).get_params()
    assert params["estimator__random_state"] == 0
    assert params["param_grid"] == DEPTHS
    assert params["cv"] == 3


def test_verbose_prints_who_leaves_on_stderr(iris, capsys):
    RaceSearchCV(KNeighborsClassifier(), {"n_neighbors": [5, 120]}, verbose=1).fit(*iris)
    printed = capsys.readouterr()
    assert "out: {'n_neighbors': 120}" in printed.err
    assert "1 left" in printed.err
    assert not printed.out
