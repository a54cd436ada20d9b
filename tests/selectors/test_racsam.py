"""RACSAM: learners, budgets, what users read, and what it predicts."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeRegressor

from thresher import Selection
from thresher.learners import KernelRegressor, LazyRegressor

from .racsam import FEW, racsam, told

# --- tasks and learners ---------------------------------------------------------------------------


def test_numbers_by_the_default_learner(numbers):
    X, y = numbers
    selector = racsam().fit(X, y)
    assert np.flatnonzero(selector.support_).tolist() == [1, 4]
    assert isinstance(selector.estimators_[0], LazyRegressor)
    assert not hasattr(selector, "classes_")
    assert not hasattr(selector, "predict_proba")
    assert selector.score(X, y) > 0.95
    assert is_regressor(selector)
    told(selector, X)


def test_classes_by_the_default_learner(classes):
    X, y = classes
    selector = racsam().fit(X, y)
    assert selector.support_[[1, 4]].all()
    assert isinstance(selector.estimators_[0], KNeighborsClassifier)
    assert selector.classes_.tolist() == ["no", "yes"]
    assert selector.predict_proba(X).sum(axis=1) == pytest.approx(1.0)
    assert (selector.predict(X) == selector.classes_[selector.predict_proba(X).argmax(1)]).all()
    assert selector.score(X, y) > 0.9
    assert is_classifier(selector)
    told(selector, X)


@pytest.mark.parametrize("combine", ["best", "average"])
def test_a_classifier_without_probabilities(combine, classes):
    X, y = classes
    selector = racsam(LinearSVC(), combine=combine, **FEW).fit(X, y)
    assert not hasattr(selector, "predict_proba")
    assert set(selector.predict(X)) == {"no", "yes"}
    if combine == "average":
        assert len(selector.estimators_) == 3
        parts = zip(selector.estimators_, selector.subsets_, strict=True)
        votes = [model.predict(X[:, subset]) for model, subset in parts]
        majority = np.where((np.array(votes) == "yes").sum(axis=0) >= 2, "yes", "no")
        assert selector.predict(X).tolist() == majority.tolist()
    told(selector, X)


def test_the_mean_of_the_winners(numbers):
    X, y = numbers
    selector = racsam(combine="average").fit(X, y)
    assert len(selector.estimators_) == len(selector.winners_) > 1
    parts = zip(selector.estimators_, selector.subsets_, strict=True)
    expected = np.mean([model.predict(X[:, subset]) for model, subset in parts], axis=0)
    np.testing.assert_allclose(selector.predict(X), expected)
    best = racsam().fit(X, y)
    assert best.support_.tolist() == selector.support_.tolist()
    assert [w.tolist() for w in best.winners_] == [w.tolist() for w in selector.winners_]
    told(selector, X)


def test_the_mean_of_probabilities(classes):
    X, y = classes
    selector = racsam(KNeighborsClassifier(3), combine="average").fit(X, y)
    parts = zip(selector.estimators_, selector.subsets_, strict=True)
    expected = np.mean([model.predict_proba(X[:, subset]) for model, subset in parts], axis=0)
    np.testing.assert_allclose(selector.predict_proba(X), expected)
    assert selector.predict(X).tolist() == selector.classes_[expected.argmax(axis=1)].tolist()


@pytest.mark.parametrize(
    "learner",
    [
        KNeighborsRegressor(3),
        KernelRegressor(),
        Ridge(),
        DecisionTreeRegressor(max_depth=4),
        make_pipeline(Ridge()),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_any_regressor(learner, numbers):
    X, y = numbers
    fast = isinstance(learner, (KNeighborsRegressor, KernelRegressor))
    selector = racsam(learner, **({} if fast else FEW)).fit(X, y)
    assert selector.support_[1]
    assert selector.score(X, y) > 0.5
    told(selector, X)


@pytest.mark.parametrize("loss", ["squared", "absolute"])
def test_losses_of_regression(loss, numbers):
    selector = racsam(loss=loss).fit(*numbers)
    assert np.flatnonzero(selector.support_).tolist() == [1, 4]


@pytest.mark.parametrize("loss", ["log", "brier", "zero_one"])
def test_losses_of_classification(loss, classes):
    selector = racsam(loss=loss).fit(*classes)
    assert selector.support_[[1, 4]].all()


def test_accurate_ones_are_no_smaller_than_small_ones(numbers):
    X, y = numbers
    small, accurate = (racsam(prefer=prefer).fit(X, y) for prefer in ("small", "accurate"))
    assert small.n_features_ <= accurate.n_features_
    assert accurate.support_[[1, 4]].all()
    told(accurate, X)


@pytest.mark.parametrize("generator", ["neighbours", "schemata"])
def test_generators(generator, numbers):
    selector = racsam(generator=generator).fit(*numbers)
    assert selector.support_[[1, 4]].all()


def test_a_rare_class_may_be_missing_in_samples(classes):
    X, _ = classes
    y = np.where(np.arange(len(X)) < 4, "rare", "common")
    selector = racsam(LogisticRegression(), growth=0, n_train=5, **FEW).fit(X, y)
    assert selector.classes_.tolist() == ["common", "rare"]
    told(selector, X)


# --- weights, budgets, seeds ----------------------------------------------------------------------


def test_weights_for_a_learner_that_takes_them(numbers):
    X, y = numbers
    more = {**FEW, "n_candidates": 20, "max_candidates": 24, "max_tests": 30}
    fooled = np.where(np.arange(200) % 2, y, 5.0 * X[:, 6])
    tree = DecisionTreeRegressor(max_depth=3)
    odd = racsam(tree, **more).fit(X, fooled, sample_weight=np.arange(200) % 2 + 1e-3)
    even = racsam(tree, **more).fit(X, fooled, sample_weight=(np.arange(200) + 1) % 2 + 1e-3)
    assert odd.support_[1]
    assert not odd.support_[6]
    assert even.support_[6]
    told(odd, X)


@pytest.mark.parametrize("learner", [None, KNeighborsRegressor(3)], ids=["default", "3-nn"])
def test_weights_for_a_learner_that_does_not(learner, numbers):
    X, y = numbers
    with pytest.raises((TypeError, ValueError), match=r"sample_weight.*does not take it"):
        racsam(learner).fit(X, y, sample_weight=np.ones(200))


def test_groups_are_refused(numbers):
    X, y = numbers
    with pytest.raises(ValueError, match="cannot keep groups together"):
        racsam().fit(X, y, groups=np.arange(200) % 5)


@pytest.mark.parametrize("max_evaluations", [1, 5, 12])
@pytest.mark.parametrize("combine", ["best", "average"])
def test_a_budget_ends_in_something_that_predicts(max_evaluations, combine, numbers):
    X, y = numbers
    selector = racsam(max_evaluations=max_evaluations, combine=combine)
    with pytest.warns(UserWarning, match="spent its budget"):
        selector.fit(X, y)
    assert selector.support_[1]
    told(selector, X, ending="budget")
    assert selector.score(X, y) > 0.3


def test_no_time_at_all(numbers):
    X, y = numbers
    with pytest.warns(UserWarning, match="spent its budget"):
        selector = racsam(max_time=1e-9).fit(X, y)
    assert selector.support_.all()
    assert len(selector.winners_) == 1
    assert selector.predict(X).shape == (200,)


def test_the_seed_decides(numbers):
    traces = []
    for seed in (1, 1, 2):
        selector = racsam(random_state=seed, prefer="accurate").fit(*numbers)
        traces.append([(step["loss"], step["n_candidates"]) for step in selector.selection_.trace])
    assert traces[0] == traces[1] != traces[2]


def test_without_a_seed(numbers):
    X, y = numbers
    selector = racsam(DecisionTreeRegressor(max_depth=3), random_state=None, **FEW).fit(X, y)
    assert selector.estimators_[0].random_state is None
    seeded = racsam(DecisionTreeRegressor(max_depth=3), **FEW).fit(X, y)
    assert seeded.estimators_[0].random_state is not None
    assert selector.learner.random_state is None


def test_one_winner(numbers):
    X, y = numbers
    selector = racsam(n_winners=1, combine="average").fit(X, y)
    assert selector.support_[1]
    assert len(selector.winners_) == len(selector.estimators_) == 1
    assert selector.winners_[0].tolist() == np.flatnonzero(selector.support_).tolist()


# --- what users read ------------------------------------------------------------------------------


def test_reasons_say_how_many_of_the_best_hold_a_column(numbers):
    selector = racsam().fit(*numbers)
    n_winners = len(selector.winners_)
    for p, verdict in enumerate(selector.selection_.verdicts):
        n_holding = sum(p in winner for winner in selector.winners_)
        start = f"in {n_holding or 'none'} of the {n_winners} best subsets"
        assert verdict.reason.startswith(start)
        if selector.support_[p]:
            assert n_holding > 0
            assert "without it its loss would be" in verdict.reason
            assert verdict.kind == "relevant"
        else:
            assert (", but not in the chosen one" in verdict.reason) == (n_holding > 0)
            assert "with it its loss would be" in verdict.reason
            assert verdict.kind == "irrelevant"
    scores = {verdict.name: verdict.score for verdict in selector.selection_.verdicts}
    assert scores["x1"] > scores["x4"] > 0
    assert selector.selection_.selected == ("x1", "x4")


def test_steps_are_printed_if_asked(numbers, capsys):
    selector = racsam(verbose=1).fit(*numbers)
    lines = capsys.readouterr().err.splitlines()
    assert len([line for line in lines if line.startswith("step")]) == len(
        selector.selection_.trace
    )


def test_copies(numbers, tmp_path):
    X, y = numbers
    selector = racsam(KNeighborsRegressor(3), combine="average").fit(X, y)
    again = pickle.loads(pickle.dumps(selector))
    assert again.predict(X).tolist() == selector.predict(X).tolist()
    assert again.selection_ == selector.selection_
    selector.selection_.save(tmp_path / "s.json")
    assert Selection.load(tmp_path / "s.json") == selector.selection_
    fresh = clone(selector)
    assert not hasattr(fresh, "support_")
    assert repr(fresh) == repr(selector)
    assert fresh.set_params(learner__n_neighbors=2).learner.n_neighbors == 2
    assert selector.get_params()["learner__n_neighbors"] == 3
    assert not hasattr(selector.learner, "n_features_in_")  # a clone was fitted


def test_a_second_fit_forgets_the_first(numbers, classes):
    selector = racsam()
    selector.fit(*classes)
    assert selector.predict_proba(classes[0]).shape == (300, 2)
    selector.fit(*numbers)
    assert not hasattr(selector, "classes_")
    assert selector.predict(numbers[0]).dtype == float
    assert np.flatnonzero(selector.support_).tolist() == [1, 4]
    fresh = racsam().fit(*numbers)
    assert fresh.selection_.verdicts == selector.selection_.verdicts
    selector.fit(classes[0][:, :5], classes[1])
    assert selector.support_.shape == (5,)
    assert is_classifier(selector)
    assert set(selector.predict(classes[0][:, :5])) == {"no", "yes"}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (lambda y: (y > 0).astype(int), "classification"),
        (lambda y: y > 0, "classification"),
        (lambda y: pd.Series(np.where(y > 0, "a", "b"), dtype="category"), "classification"),
        (lambda y: np.where(y > 0, "a", "b").astype(object), "classification"),
        (lambda y: y.astype(object), "regression"),
        (lambda y: np.round(100 * y).astype(int), "regression"),
        (pl.Series, "regression"),
    ],
    ids=["integers", "flags", "categories", "objects", "numbers as objects", "counts", "polars"],
)
def test_the_target_tells_the_task(target, expected, numbers):
    X, y = numbers
    selector = racsam(max_tests=20).fit(X, target(y))
    found = "classification" if hasattr(selector, "classes_") else "regression"
    assert found == expected
    assert selector.support_[1]
    assert selector.score(X, np.asarray(target(y))) > 0.8


# --- prediction -----------------------------------------------------------------------------------


def test_frames_and_arrays_give_the_same(numbers):
    X, y = numbers
    names = [f"x{k}" for k in range(8)]
    by_array = racsam().fit(X, y)
    frame = pd.DataFrame(X, columns=names)
    by_frame = racsam().fit(frame, y)
    np.testing.assert_allclose(by_frame.predict(frame), by_array.predict(X))
    assert by_frame.selection_.verdicts == by_array.selection_.verdicts
    np.testing.assert_allclose(
        racsam().fit(pl.DataFrame(frame), y).predict(pl.DataFrame(frame)), by_array.predict(X)
    )


def test_wrong_columns_are_refused(numbers):
    X, y = numbers
    frame = pd.DataFrame(X, columns=list("abcdefgh"))
    by_frame, by_array = racsam().fit(frame, y), racsam().fit(X, y)
    for wrong in (
        frame.drop(columns="a"),
        frame[list("hgfedcba")],
        frame.rename(columns={"a": "z"}),
    ):
        with pytest.raises(ValueError, match="feature"):
            by_frame.predict(wrong)
        with pytest.raises(ValueError, match="feature"):
            by_frame.transform(wrong)
    for wrong in (X[:, :7], np.column_stack([X, y])):
        with pytest.raises(ValueError, match="features"):
            by_array.predict(wrong)
        with pytest.raises(ValueError, match="features"):
            by_array.score(wrong, y)


def test_the_score_may_be_weighted(classes):
    X, y = classes
    selector = racsam().fit(X, y)
    right = selector.predict(X) == y
    assert selector.score(X, y, sample_weight=right.astype(float)) == 1.0
    assert selector.score(X, y) == pytest.approx(right.mean())


def test_nothing_is_predicted_before_a_fit(numbers):
    for method in ("predict", "transform"):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(racsam(), method)(numbers[0])
    assert not hasattr(racsam(KNeighborsClassifier()), "predict_proba")
