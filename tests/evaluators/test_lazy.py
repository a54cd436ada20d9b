"""Fast losses of lazy learning are those of refitting."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import KFold
from sklearn.pipeline import Pipeline

from thresher.evaluators import Flips, Fold, evaluator_for
from thresher.learners import LazyRegressor
from thresher.testing import check_evaluator

CVS = {"loo": "loo", "folds": KFold(4, shuffle=True, random_state=0)}
LEARNERS = {
    "default": LazyRegressor(),
    "combined": LazyRegressor(("linear", "quadratic"), n_combined=4, products=True),
    "means": LazyRegressor(("constant",), max_neighbors=7),
}


def some_table(n_rows=40, n_columns=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n_rows, n_columns)) * [1, 10, 0.1, 1, 1][:n_columns]
    X[7] = X[3]  # twins
    X[:, 3] = 0.3
    X[11, 3] = 0.4  # constant without one row
    return X, np.sin(6 * X[:, 0]) + X[:, -1] + rng.normal(size=n_rows) / 10


def messy_table(n_rows=28, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "size": np.where(rng.random(n_rows) < 0.2, np.nan, rng.normal(5, 3, n_rows)),
            "rare": rng.choice(list("abcdefghij"), n_rows),
            "kind": pd.Categorical(rng.choice(["b", "a"], n_rows)),
            "only": np.where(np.arange(n_rows) == 4, "here", None),
            "flag": rng.random(n_rows) < 0.5,
        }
    )
    frame.loc[rng.random(n_rows) < 0.1, "rare"] = None
    frame.loc[2, "rare"] = "alone"
    return frame, frame["flag"] + frame["size"].fillna(0) / 3 + rng.normal(size=n_rows) / 10


def fast_evaluator(*args, **options):
    evaluator = evaluator_for(*args, **options)
    assert type(evaluator).__name__ == "LazyEvaluator"
    return evaluator


def refitted(model, X, y, subset, train, test):
    """Squared losses of rows, the slow way; subsets are columns."""
    columns = sorted(subset)
    part = X.iloc[:, columns] if isinstance(X, pd.DataFrame) else pd.DataFrame(X[:, columns])
    fitted = clone(model).fit(part.iloc[train].rename(columns=str), y[train])
    return (fitted.predict(part.iloc[test].rename(columns=str)) - y[test]) ** 2


# --- against refitting ----------------------------------------------------------------------------


@pytest.mark.parametrize("cv", CVS.values(), ids=CVS)
@pytest.mark.parametrize("loss", ["absolute", "squared"])
@pytest.mark.parametrize("model", LEARNERS.values(), ids=LEARNERS)
def test_losses_are_those_of_refitting(model, loss, cv):
    X, y = some_table()
    fast = fast_evaluator(model, X, y, loss=loss, cv=cv)
    slow = evaluator_for(model, X, y, loss=loss, cv=cv, fast=False)
    subsets = [frozenset(s) for s in ({0}, {3}, {0, 1}, {4, 3, 1}, range(5))]
    assert_array_equal(fast.losses(subsets), slow.losses(subsets))
    flips = Flips(frozenset({0, 3}), range(5))
    assert_array_equal(fast.losses(flips, rows=[11, 3]), slow.losses(flips, rows=[11, 3]))


@pytest.mark.parametrize("cv", CVS.values(), ids=CVS)
@pytest.mark.parametrize("model", LEARNERS.values(), ids=LEARNERS)
def test_categories_and_missing_cells_are_those_of_refitting(model, cv):
    frame, y = messy_table()
    fast = fast_evaluator(model, frame, y, cv=cv)
    slow = evaluator_for(model, frame, y, cv=cv, fast=False)
    subsets = [frozenset(s) for s in ({3}, {1, 2}, {0, 1, 4}, range(5))]
    assert_array_equal(fast.losses(subsets), slow.losses(subsets))


@pytest.mark.parametrize("cv", CVS.values(), ids=CVS)
def test_a_flip_moves_all_columns_of_a_group(cv):
    frame, y = messy_table()
    groups = {"outer": ["size", "flag"], "inner": ["kind", "only"]}
    model = LazyRegressor()
    fast = fast_evaluator(model, frame, y, cv=cv, feature_groups=groups)
    slow = evaluator_for(model, frame, y, cv=cv, feature_groups=groups, fast=False)
    flips = Flips(frozenset({0, 2}), range(3))
    assert_array_equal(fast.losses(flips), slow.losses(flips))


@pytest.mark.parametrize("messy", [False, True], ids=["numbers", "messy"])
def test_any_sample_of_rows_can_be_learned_from(messy):
    X, y = messy_table(40) if messy else some_table()
    y = np.asarray(y)
    evaluator = fast_evaluator(LazyRegressor(), X, y, cv=4)
    rng = np.random.default_rng(1)
    for n_train in (3, 12, 25):
        order = rng.permutation(40)
        train, test = order[:n_train], order[30:]
        found = evaluator._held_out(
            [frozenset({0, 1}), frozenset({4, 1})], Fold(-1, train, test), test
        )
        again = evaluator.sample_losses([{0, 1}, {4, 1}], test, train)
        expected = [refitted(LazyRegressor(), X, y, s, train, test) for s in ({0, 1}, {4, 1})]
        assert_array_equal(found, expected)
        assert_array_equal(again, expected)
    # nothing of these was taken for a fold of the cross-validation
    slow = evaluator_for(LazyRegressor(), X, y, cv=4, fast=False)
    assert_array_equal(evaluator.losses([{0, 1}]), slow.losses([{0, 1}]))


@pytest.mark.parametrize("cv", CVS.values(), ids=CVS)
def test_each_row_may_be_tested_under_a_subset_of_its_own(cv):
    frame, y = messy_table()
    evaluator = fast_evaluator(LazyRegressor(), frame, y, cv=cv, feature_groups={"g": [1, 3]})
    masks = np.random.default_rng(1).random((20, 4)) < 0.5
    rows = np.random.default_rng(2).integers(0, 28, size=20)
    expected = [
        evaluator.losses([np.flatnonzero(mask)], [row])[0, 0]
        for mask, row in zip(masks, rows, strict=True)
    ]
    assert_array_equal(evaluator.draw_losses(masks, rows), expected)


@pytest.mark.parametrize("cv", CVS.values(), ids=CVS)
def test_training_parts_that_are_not_kept_give_the_same(cv, monkeypatch):
    frame, y = messy_table()
    expected = fast_evaluator(LazyRegressor(), frame, y, cv=cv).losses([{0, 1}, {2}])
    monkeypatch.setattr("thresher.evaluators._lazy._CACHE_BYTES", 0)
    evaluator = fast_evaluator(LazyRegressor(), frame, y, cv=cv)
    assert_array_equal(evaluator.losses([{0, 1}, {2}]), expected)


@pytest.mark.parametrize("cv", CVS.values(), ids=CVS)
def test_two_threads_give_the_same_bits_as_one(cv):
    frame, y = messy_table()
    one, two = (
        fast_evaluator(LazyRegressor(), frame, y, cv=cv, n_jobs=n_jobs) for n_jobs in (1, 2)
    )
    subsets = [{0}, {1, 2}, {0, 3, 4}, {1, 3}, range(5)]
    assert_array_equal(one.losses(subsets), two.losses(subsets))
    check_evaluator(two)


def test_two_rows_leave_one_to_predict_from():
    X, y = np.array([[1.0], [5.0]]), np.array([2.0, 7.0])
    evaluator = fast_evaluator(LazyRegressor(), X, y, cv="loo")
    assert_array_equal(evaluator.losses([{0}]), [[25.0, 25.0]])


# --- what is supported ----------------------------------------------------------------------------


class Renamed(LazyRegressor):
    """A subclass may predict in its own way."""


def test_other_problems_are_left_to_refitting():
    X, y = some_table()
    assert type(evaluator_for(LazyRegressor(), X, y, scoring="r2")).__name__ == "ScorerEvaluator"
    assert type(evaluator_for(Renamed(), X, y)).__name__ == "EstimatorEvaluator"
    with pytest.raises(ValueError, match="sample_weight was given, but LazyRegressor"):
        evaluator_for(LazyRegressor(), X, y, sample_weight=np.ones(40))
    with pytest.raises(ValueError, match="ridge must be a finite number above 0"):
        evaluator_for(LazyRegressor(ridge=0), X, y).losses([{0}])
    with pytest.raises(ValueError, match="squares are not finite"):
        evaluator_for(LazyRegressor(), X * 1e120, y).losses([{0}])
    with pytest.raises(ValueError, match="y holds .* too large to compute the variance of losses"):
        evaluator_for(LazyRegressor(), X, y * 1e120).losses([{0}])
    with pytest.raises(TypeError, match="(?i)sparse"):
        evaluator_for(LazyRegressor(), scipy.sparse.csr_matrix(X), y).losses([{0}])


def test_a_pipeline_of_one_real_step_is_seen_through():
    X, y = some_table()
    pipeline = Pipeline([("idle", "passthrough"), ("model", LazyRegressor())])
    expected = fast_evaluator(LazyRegressor(), X, y).losses([{0, 1}])
    assert_array_equal(fast_evaluator(pipeline, X, y).losses([{0, 1}]), expected)


def test_losses_have_no_bound():
    X, y = some_table()
    assert evaluator_for(LazyRegressor(), X, y).loss_span is None
