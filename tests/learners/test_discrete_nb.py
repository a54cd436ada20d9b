"""Naive Bayes on discrete tables as an estimator."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.naive_bayes import CategoricalNB

from tests.naive import naive_bayes as naive
from tests.sklearn_checks import sklearn_checks
from thresher.learners import DiscreteNB
from thresher.testing import check_learner


def levels_table(n_rows=60, n_columns=5, seed=0, gaps=0.0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    X = (rng.integers(0, 4, (n_rows, n_columns)) + (y == 1)[:, None]) * 1.0
    return np.where(rng.random(X.shape) < gaps, np.nan, X), y


@sklearn_checks(DiscreteNB(), DiscreteNB(m=0, n_bins=4, binning="width"))
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_it_conforms():
    check_learner(DiscreteNB())


# --- probabilities --------------------------------------------------------------------------------


@pytest.mark.parametrize("m", [1.0, 30, "levels", 0.01, 0])
@pytest.mark.parametrize("prior", ["frequency", "laplace", "uniform"])
def test_scores_are_those_of_the_naive_twin(m, prior):
    X, y = levels_table(gaps=0.2)
    model = DiscreteNB(m=m, prior=prior).fit(X[:40], y[:40])
    found = model.predict_joint_log_proba(X[40:])
    expected = [naive.m_estimate_scores(X[:40], y[:40], row, 3, m, prior) for row in X[40:]]
    assert_allclose(found, expected, rtol=1e-10)


def test_probabilities_add_up_and_follow_from_scores():
    X, y = levels_table(gaps=0.2)
    model = DiscreteNB().fit(X, y)
    joint = np.exp(model.predict_joint_log_proba(X))
    found = model.predict_proba(X)
    assert_allclose(found, joint / joint.sum(axis=1, keepdims=True), rtol=1e-9)
    assert_allclose(np.exp(model.predict_log_proba(X)), found, rtol=1e-12)
    assert_array_equal(model.predict(X), model.classes_[found.argmax(axis=1)])


def test_laplace_is_what_scikit_learn_calls_alpha_one():
    X, y = levels_table()
    expected = CategoricalNB(alpha=1.0).fit(X, y).predict_proba(X)
    assert_allclose(DiscreteNB(m="levels").fit(X, y).predict_proba(X), expected, rtol=1e-9)


def test_plain_frequencies_rule_classes_out():
    X, y = [[0.0], [0.0], [1.0], [1.0], [2.0]], ["a", "b", "b", "b", "a"]
    model = DiscreteNB(m=0).fit(X, y)
    assert_allclose(
        model.predict_proba([[0.0], [1.0], [2.0]]), [[0.5, 0.5], [0, 1], [1, 0]], atol=1e-12
    )
    assert_array_equal(model.predict_joint_log_proba([[1.0]])[:, 0], -np.inf)


def test_priors_decide_where_all_classes_are_ruled_out():
    X, y = [[0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [0.0, 0.0]], [1, 1, 0, 1]
    model = DiscreteNB(m=0).fit(X, y)
    assert_allclose(model.predict_proba([[0.0, 1.0]]), [[0.25, 0.75]])
    assert_array_equal(model.predict([[0.0, 1.0]]), [1])


def test_equally_probable_classes_tie_whatever_the_order_of_columns():
    rng = np.random.default_rng(0)
    half = rng.integers(0, 3, (30, 40)) * 1.0
    X, y = np.vstack([half, half]), np.repeat([1, 0], 30)
    for order in (np.arange(40), rng.permutation(40)):
        model = DiscreteNB().fit(X[:, order], y)
        assert_array_equal(model.predict(X[:, order]), 0)
        assert_array_equal(model.predict_proba(X[:, order]), 0.5)


def test_very_many_columns_do_not_overflow():
    y = np.tile([0, 1], 10)
    X = scipy.sparse.csc_matrix(np.repeat(y[:, None], 50_000, axis=1).astype(np.float64))
    model = DiscreteNB(m=1e-15).fit(X, y)
    assert_array_equal(model.predict(X), y)
    assert np.isfinite(model.predict_joint_log_proba(X)).all()


# --- levels ---------------------------------------------------------------------------------------


def test_missing_cells_are_neither_counted_nor_heard():
    X = np.array([[0.0, 5.0], [np.nan, 5.0], [1.0, 6.0], [1.0, np.nan]])
    y = [0, 0, 1, 1]
    model = DiscreteNB().fit(X, y)
    # column 0: one known row of class 0, two of class 1
    assert_allclose(model.predict_proba([[0.0, np.nan]]), [[9 / 11, 2 / 11]])
    assert_allclose(model.predict_proba([[np.nan, np.nan]]), [[0.5, 0.5]])


def test_a_column_without_values_says_nothing():
    X, y = levels_table()
    empty = np.column_stack([X, np.full(len(X), np.nan)])
    model = DiscreteNB().fit(empty, y)
    assert model.n_levels_[-1] == 0
    empty[:, -1] = 7.0
    assert_array_equal(model.predict_proba(empty), DiscreteNB().fit(X, y).predict_proba(X))


def test_a_new_number_takes_the_nearest_level_and_a_new_label_none():
    model = DiscreteNB().fit([[0.0], [10.0], [0.0], [10.0]], [0, 1, 0, 1])
    assert_array_equal(model.predict([[4.9], [5.1], [-99.0], [99.0]]), [0, 1, 0, 1])
    frame = pd.DataFrame({"a": ["u", "v", "u", "u"]})
    model = DiscreteNB().fit(frame, [0, 1, 0, 1])
    assert_allclose(model.predict_proba(pd.DataFrame({"a": ["new", None]})), 0.5)


@pytest.mark.parametrize("n_bins", [2, 3, 10])
def test_bins_hold_about_equally_many_rows(n_bins):
    x = np.random.default_rng(0).exponential(size=600)
    model = DiscreteNB(n_bins=n_bins).fit(x[:, None], np.arange(600) % 2)
    assert model.n_levels_.tolist() == [n_bins]
    codes = model._levels.numbers[0][1].codes(x[None])
    assert_array_equal(np.bincount(codes[0]), 600 // n_bins)


def test_ties_are_never_parted():
    x = np.concatenate([np.zeros(500), np.arange(1, 101)])
    model = DiscreteNB(n_bins=4).fit(x[:, None], np.arange(600) % 2)
    codes = model._levels.numbers[0][1].codes(x[None])
    assert len(np.unique(codes[0, :500])) == 1
    assert 2 <= model.n_levels_[0] <= 4


def test_bins_of_equal_width():
    x = np.concatenate([np.linspace(0, 1, 50), [10.0]])
    model = DiscreteNB(n_bins=5, binning="width").fit(x[:, None], np.arange(51) % 2)
    assert_allclose(model._levels.numbers[0][1].edges, [[2.0, 4.0, 6.0, 8.0]])


def test_frames_of_all_kinds_give_the_same():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 50)
    label = np.where(rng.random(50) < 0.2, None, np.array(["x", "y", "z"])[rng.integers(0, 3, 50)])
    flag, number = rng.random(50) < 0.3 + 0.4 * y, rng.normal(size=50) + y
    text = pd.DataFrame({"label": pd.Series(label, dtype="str"), "flag": flag, "number": number})
    frames = [
        text,
        text.assign(label=pd.Categorical(label, categories=["unused", "z", "y", "x"])),
        pl.DataFrame({"label": label.tolist(), "flag": flag, "number": number}),
    ]
    found = [DiscreteNB().fit(frame, y).predict_proba(frame) for frame in frames]
    assert_array_equal(found[0], found[1])
    assert_array_equal(found[0], found[2])
    assert found[0].std() > 0.1


def test_sparse_tables_are_dense_ones():
    X, y = levels_table()
    sparse = scipy.sparse.csr_matrix(X)
    found = DiscreteNB().fit(sparse, y).predict_proba(sparse)
    assert_array_equal(found, DiscreteNB().fit(X, y).predict_proba(X))


@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_weights_are_repeated_and_absent_rows(gaps):
    X, y = levels_table(gaps=gaps)
    X[:, 0] += np.random.default_rng(5).normal(size=len(X))
    times = np.random.default_rng(3).integers(0, 4, size=len(X))
    weighted = DiscreteNB().fit(X, y, sample_weight=times)
    repeated = DiscreteNB().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert_array_equal(weighted.predict_proba(X), repeated.predict_proba(X))
    assert_allclose(weighted.class_count_, np.bincount(y, times))


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [("m", value) for value in (-1, np.nan, np.inf, "laplace", None, True)]
    + [("n_bins", value) for value in (1, 2.5, "many", None, True)]
    + [("binning", "quantile"), ("binning", None), ("prior", "flat"), ("prior", [0.5, 0.5])],
)
def test_wrong_parameters_are_named(name, value):
    with pytest.raises(ValueError, match=f"^{name} must be "):
        DiscreteNB(**{name: value}).fit(*levels_table())


def test_wrong_weights_and_kinds_are_named():
    X, y = levels_table()
    for weights in (np.zeros(len(y)), -np.ones(len(y)), np.full(len(y), 1e308)):
        with pytest.raises(ValueError, match="(?i)sample.weight"):
            DiscreteNB().fit(X, y, sample_weight=weights)
    numbers, text = pd.DataFrame({"a": [1.0, 2.0]}), pd.DataFrame({"a": ["u", "v"]})
    with pytest.raises(ValueError, match="column 'a' held numbers when .* now it holds levels"):
        DiscreteNB().fit(numbers, [0, 1]).predict(text)
    with pytest.raises(ValueError, match="column 'a' held levels when .* now it holds numbers"):
        DiscreteNB().fit(text, [0, 1]).predict(numbers)
    nothing = pd.DataFrame({"a": [None, None]}, dtype=object)
    assert_allclose(DiscreteNB().fit(text, [0, 1]).predict_proba(nothing), 0.5)
