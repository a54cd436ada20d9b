"""The honest figure and the repetitions behind it."""

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, RepeatedKFold

from thresher import Stepwise, select
from thresher.workflow import Watcher


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 6))
    return X, X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=120)


def heard(*data, **asked):
    """Select, and listen to all warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        selection = select(*data, **asked)
    return selection, [str(warning.message) for warning in caught]


def test_losses_are_those_of_refitting_by_hand(numbers):
    X, y = numbers
    splitter = KFold(4, shuffle=True, random_state=1)
    selector = Stepwise(LinearRegression(), n_features=2, random_state=0)
    selection = select(X, y, method=selector, validate=splitter, random_state=0)
    losses = {"selected": [], "all": [], "none": []}
    for train, test in splitter.split(X):
        chosen = [0, 1]  # what each fold must find
        for name, columns in (("selected", chosen), ("all", range(6))):
            model = LinearRegression().fit(X[train][:, columns], y[train])
            losses[name] += ((model.predict(X[test][:, columns]) - y[test]) ** 2).tolist()
        losses["none"] += ((y[test] - y[train].mean()) ** 2).tolist()
    found = selection.validation
    for name, own in losses.items():
        assert found.losses[name].mean == pytest.approx(np.mean(own))
        assert found.losses[name].low < found.losses[name].mean < found.losses[name].high
    assert found.differences["none"].mean == pytest.approx(
        np.mean(losses["selected"]) - np.mean(losses["none"])
    )
    assert found.n_columns == {"selected": 2, "all": 6, "random": 2, "none": 0}
    assert (found.loss, found.n_folds, found.n_rows) == ("squared", 4, 120)
    assert found.learner == "LinearRegression()"
    assert selection.stability.frequency == {f"x{j}": float(j < 2) for j in range(6)}
    assert selection.stability.index.mean == 1
    assert selection.stability.share == pytest.approx(0.75)


def test_random_columns_are_worse_than_selected_ones_and_better_than_none(numbers):
    X, y = numbers
    found = select(X, y, validate=3, random_state=0).validation
    means = {name: own.mean for name, own in found.losses.items()}
    assert means["selected"] < means["random"] < means["none"]
    assert found.differences["random"].high < 0
    assert "RandomForestRegressor" in found.learner


class Cheat(RegressorMixin, BaseEstimator):
    """Remembers every row, and asks how many of those to predict it has seen."""

    def fit(self, X, y):
        self.seen_ = {row.tobytes(): target for row, target in zip(X, y, strict=True)}
        return self

    def predict(self, X):
        return np.array([self.seen_.get(row.tobytes(), 0.0) for row in np.ascontiguousarray(X)])


def test_rows_held_out_are_seen_neither_by_the_selection_nor_by_the_learner(numbers):
    X, _ = numbers
    y = np.random.default_rng(1).normal(size=120)
    selector = Stepwise(Cheat(), n_features=3, random_state=0)
    found = select(X, y, method=selector, validate=3, random_state=0).validation
    # a single row seen in training would be predicted without any error
    assert found.losses["selected"].mean == pytest.approx(np.mean(y**2))


def test_the_best_of_many_noise_columns_is_no_better_than_chance():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 40)), rng.integers(2, size=100)
    selection = select(
        X, y, method="stepwise", estimator="naive-bayes", validate=5, max_features=5, random_state=0
    )
    seen = [record["loss"] for record in selection.trace if record.get("chosen")][-1]
    found = selection.validation.losses["selected"]
    assert seen < 0.4  # what the search saw is too good to be true
    assert found.low <= 0.5 <= found.high


def test_repeated_folds_count_each_row_once(numbers):
    X, y = numbers
    splitter = RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)
    selection = select(X, y, estimator="linear", validate=splitter, random_state=0)
    assert (selection.validation.n_folds, selection.validation.n_rows) == (6, 120)
    assert selection.stability.n_resamples == 6


def test_resamples_tell_the_stability(numbers):
    X, y = numbers
    stability = select(X, y, stability=4, random_state=0).stability
    assert stability.n_resamples == 4
    assert stability.share == pytest.approx(0.632, abs=0.01)
    assert stability.frequency["x0"] == stability.frequency["x1"] == 1
    assert stability.index.low <= stability.index.mean <= stability.index.high <= 1


def test_classes_and_categories_are_validated_with_their_gaps(table):
    X, _, y = table
    found = select(X, y, validate=2, random_state=0).validation
    assert found.loss == "zero_one"
    assert found.losses["selected"].mean < found.losses["none"].mean
    named = select(X, y, estimator="knn", validate=2, random_state=0).validation
    assert named.learner == "KNeighborsClassifier()"


class Interrupt(Watcher):
    """Presses Ctrl-C when a run of that name begins."""

    def __init__(self, name):
        self.name = name

    def run(self, name, number, total):
        if name == self.name:
            raise KeyboardInterrupt


def interrupted_at(fold, X, y):
    asked = {"estimator": "linear", "validate": 5, "random_state": 0}
    with pytest.warns(UserWarning, match=f"interrupted: {fold - 1} of 5 folds were made"):
        return select(X, y, **asked, progress=Interrupt(f"validation, fold {fold} of 5"))


def test_ctrl_c_between_folds_keeps_what_is_known(numbers):
    selection = interrupted_at(3, *numbers)
    assert set(selection.selected) == {"x0", "x1"}
    assert selection.settings["ending"] == "interrupted"
    assert selection.validation.n_folds == 2
    assert selection.stability.n_resamples == 2


def test_ctrl_c_before_two_folds_leaves_the_validation_out(numbers):
    selection = interrupted_at(2, *numbers)
    assert set(selection.selected) == {"x0", "x1"}
    assert selection.validation is None
    assert selection.stability is None


def test_ctrl_c_before_anything_is_known_is_passed_on(numbers):
    with pytest.raises(KeyboardInterrupt):
        select(*numbers, progress=Interrupt("selection"))


def test_a_budget_of_evaluations_is_shared_and_kept(numbers):
    X, y = numbers
    selector = Stepwise(LinearRegression(), random_state=0)
    alone = select(X, y, method=selector, random_state=0)
    assert alone.cost.evaluations > 8
    with pytest.warns(UserWarning, match="budget"):
        short = select(X, y, method=selector, budget="8 evaluations", random_state=0)
    assert short.cost.evaluations <= 8
    assert short.selected
    assert short.settings["ending"] == "budget"


def test_a_spent_budget_ends_the_repetitions(numbers, monkeypatch):
    from thresher.workflow import _allowance

    X, y = numbers
    now = [0.0]
    monkeypatch.setattr(_allowance.time, "perf_counter", lambda: now[0])

    class Clock(Watcher):
        def run(self, name, number, total):
            now[0] = 100.0 * number  # each run takes 100 seconds

    selector = Stepwise(LinearRegression(), n_features=2)
    with pytest.warns(UserWarning, match="the budget is spent: 2 of 5 folds were made"):
        selection = select(
            X, y, method=selector, validate=5, budget=250, random_state=0, progress=Clock()
        )
    assert selection.validation.n_folds == 2


def test_each_run_gets_the_same_share_of_the_evaluations(numbers):
    X, y = numbers
    selector = Stepwise(LinearRegression(), random_state=0)
    selection, told = heard(
        X, y, method=selector, validate=3, budget="40 evaluations", random_state=0
    )
    assert any("has spent its budget" in message for message in told)
    assert any("cut the selection short in 3 of 3 folds" in message for message in told)
    assert selection.cost.evaluations <= 7
    assert selection.validation.n_folds == 3


def test_a_fold_that_fails_does_not_cost_the_answer():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(18, 3))
    selection, told = heard(X, X[:, 0], validate=2, random_state=0)
    assert any("validation, fold 1 is left out: ValueError: ACE needs" in m for m in told)
    assert any("0 of 2 folds were made; it takes two" in m for m in told)
    assert selection.selected == ("x0",)
    assert selection.validation is None


def test_a_single_fold_says_nothing_and_that_is_told(numbers):
    X, y = numbers
    half = np.arange(120) < 60
    with pytest.warns(UserWarning, match="1 of 1 folds were made; it takes two"):
        selection = select(X, y, estimator="linear", validate=[(half, ~half)], random_state=0)
    assert selection.validation is None


def test_random_columns_are_as_many_as_selected_ones_among_groups(numbers):
    X, y = numbers
    selector = Stepwise(LinearRegression(), n_features=2)
    groups = {"large": ["x2", "x3", "x4", "x5"]}
    found = select(
        X, y, method=selector, feature_groups=groups, validate=3, random_state=0
    ).validation
    assert found.n_columns["selected"] == 2
    assert found.n_columns["random"] <= 2


def test_the_loss_is_the_selectors(numbers):
    X, y = numbers
    selector = Stepwise(LinearRegression(), n_features=2, loss="absolute")
    found = select(X, y, method=selector, validate=3, random_state=0).validation
    assert found.loss == "absolute"
    assert found.losses["none"].mean == pytest.approx(np.abs(y - np.median(y)).mean(), rel=0.1)
