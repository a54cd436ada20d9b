"""The evaluator that refits, against scikit-learn's own cross-validation."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from thresher.evaluators import evaluator_for
from thresher.testing import check_evaluator


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 5))
    y = np.where(X[:, 0] + 0.5 * X[:, 1] + 0.3 * rng.normal(size=60) > 0, "yes", "no")
    return X, y


def test_row_losses_are_those_of_cross_val_predict(table):
    X, y = table
    model = make_pipeline(StandardScaler(), LogisticRegression())
    for cv in (4, "loo", KFold(3, shuffle=True, random_state=0)):
        evaluator = evaluator_for(model, X, y, cv=cv, loss="log")
        splitter = KFold(60) if cv == "loo" else cv
        proba = cross_val_predict(model, X[:, [0, 2]], y, cv=splitter, method="predict_proba")
        truth = (y == "yes").astype(int)
        assert np.allclose(evaluator.losses([{0, 2}])[0], -np.log(proba[np.arange(60), truth]))


def test_scorers_give_one_loss_per_fold(table):
    X, y = table
    cv = StratifiedKFold(4)
    model = DecisionTreeClassifier(random_state=0)
    for scoring in ("roc_auc", "f1_macro", "balanced_accuracy"):
        evaluator = evaluator_for(model, X, y, cv=cv, scoring=scoring)
        assert evaluator.unit == "fold"
        expected = -cross_val_score(model, X[:, [1, 3]], y, cv=cv, scoring=scoring)
        assert np.allclose(evaluator.losses([{1, 3}])[0], expected)
        check_evaluator(evaluator)


def test_a_scorer_that_needs_more_than_a_dummy_has_is_no_obstacle(table):
    def by_decision(model, X, y):
        return float(model.decision_function(X).std())

    evaluator = evaluator_for(LogisticRegression(), *table, scoring=by_decision)
    losses = evaluator.losses([set(), {0}])
    assert np.isinf(losses[0]).all()
    assert np.isfinite(losses[1]).all()


def test_mean_scorers_become_row_losses(table):
    X, y = table
    evaluator = evaluator_for(
        DecisionTreeClassifier(random_state=0), X, y, scoring="accuracy", cv=5
    )
    assert evaluator.unit == "row"
    expected = cross_val_score(DecisionTreeClassifier(random_state=0), X[:, [0]], y, cv=5).mean()
    assert 1 - evaluator.losses([{0}]).mean() == pytest.approx(expected)


def test_categorical_columns_reach_the_estimator_unchanged(table):
    X, y = table
    frame = pd.DataFrame({"level": pd.Categorical(np.where(X[:, 0] > 0, "u", "v")), "x": X[:, 1]})
    model = HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5)
    evaluator = evaluator_for(model, frame, y, cv=3)
    expected = cross_val_predict(model, frame[["level"]], y, cv=3)
    assert np.array_equal(evaluator.losses([{0}])[0], (expected != y).astype(float))


def test_pipelines_see_the_columns_they_are_given(table):
    X, y = table
    frame = pd.DataFrame({"level": np.where(X[:, 0] > 0, "u", "v"), "x": X[:, 1]})
    model = make_pipeline(
        ColumnTransformer([("o", OneHotEncoder(), ["level"])], remainder="passthrough"),
        LogisticRegression(),
    )
    losses = evaluator_for(model, frame, y).losses([{0}, {0, 1}])
    assert losses.shape == (2, 60)


def test_sample_weights_count_in_fitting_and_in_the_mean(table):
    X, y = table
    weights = np.linspace(0.1, 2.0, 60)
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    evaluator = evaluator_for(model, X, y, cv=KFold(3), sample_weight=weights)
    losses = evaluator.losses([{0, 1}])[0]
    for train, test in KFold(3).split(X):
        fitted = model.fit(X[train][:, [0, 1]], y[train], sample_weight=weights[train])
        assert np.array_equal(losses[test], fitted.predict(X[test][:, [0, 1]]) != y[test])
    assert np.array_equal(evaluator.weights, weights)


def test_sample_weights_reach_the_last_step_of_a_pipeline(table):
    X, y = table
    model = make_pipeline(StandardScaler(), LogisticRegression())
    weighted = evaluator_for(model, X, y, sample_weight=np.linspace(0.01, 5, 60), loss="log")
    plain = evaluator_for(model, X, y, loss="log")
    assert not np.allclose(weighted.losses([{0}]), plain.losses([{0}]))


def test_groups_reach_the_splitter(table):
    X, y = table
    groups = np.repeat(np.arange(6), 10)
    model = DecisionTreeClassifier(random_state=0)
    evaluator = evaluator_for(model, X, y, cv=GroupKFold(3), groups=groups)
    expected = cross_val_predict(model, X[:, [0]], y, cv=GroupKFold(3), groups=groups)
    assert np.array_equal(evaluator.losses([{0}])[0], (expected != y).astype(float))


def test_rows_that_are_never_held_out_have_no_loss(table):
    X, y = table
    cv = ShuffleSplit(2, test_size=10, random_state=0)
    losses = evaluator_for(DecisionTreeClassifier(random_state=0), X, y, cv=cv).losses([{0}])[0]
    tested = np.unique(np.concatenate([test for _, test in cv.split(X)]))
    assert np.array_equal(np.flatnonzero(~np.isnan(losses)), tested)


def test_workers_do_not_change_losses(table):
    X, y = table
    model = RandomForestClassifier(5)
    one, two = (
        evaluator_for(model, X, y, cv=3, loss="brier", n_jobs=n, random_state=4).losses(
            [{0}, {1, 2}]
        )
        for n in (1, 2)
    )
    assert np.array_equal(one, two)


def test_counts_of_work(table):
    X, y = table
    evaluator = evaluator_for(DecisionTreeClassifier(), X, y, cv=4)
    evaluator.losses([{0}, {1}, {2}])
    assert (evaluator.n_losses, evaluator.n_fits) == (180, 12)
    evaluator = evaluator_for(DecisionTreeClassifier(), X, y, cv="loo")
    evaluator.losses([{0}], rows=[5, 6])
    assert (evaluator.n_losses, evaluator.n_fits) == (2, 2)


def test_regression_with_any_estimator(table):
    X, _ = table
    y = X[:, 0] ** 2
    model = DecisionTreeRegressor(random_state=0)
    expected = np.abs(cross_val_predict(model, X[:, [0]], y, cv=4) - y)
    evaluator = evaluator_for(model, X, y, cv=4, loss="absolute")
    assert np.allclose(evaluator.losses([{0}])[0], expected)
    check_evaluator(evaluator)


def test_an_estimator_that_fails_says_on_which_columns():
    class Picky(DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None):
            if X.shape[1] == 2:
                raise RuntimeError("not today")
            return super().fit(X, y)

    X, y = np.eye(10), np.arange(10) % 2
    evaluator = evaluator_for(Picky(), X, y, cv=2)
    with pytest.raises(RuntimeError, match="not today") as caught:
        evaluator.losses([{0}, {3, 4}])
    assert "2 column(s): 'x3', 'x4'" in caught.value.__notes__[0]


def test_predictions_that_are_not_numbers_are_refused():
    class Broken(DecisionTreeRegressor):
        def predict(self, X):
            return np.full(len(X), np.nan)

    X, y = np.eye(10), np.arange(10.0)
    with pytest.raises(ValueError, match="not a finite number on 1 column"):
        evaluator_for(Broken(), X, y).losses([{0}])
