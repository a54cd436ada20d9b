"""Kernel regression and locally weighted regression as estimators."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.naive import local as naive
from tests.sklearn_checks import sklearn_checks
from thresher.learners import KernelRegressor, LocallyWeightedRegressor
from thresher.testing import check_learner

LEARNERS = [KernelRegressor, LocallyWeightedRegressor]
WIDTHS = [1e-200, 2.0**-9, 0.1, 1.0, 100.0, 1e200]


def some_table(n_rows=40, n_columns=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n_rows, n_columns))
    return X, np.sin(6 * X[:, 0]) + X[:, -1] + rng.normal(size=n_rows) / 10


@sklearn_checks(KernelRegressor(), LocallyWeightedRegressor())
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("learner", LEARNERS)
def test_learners_conform(learner):
    check_learner(learner())


# --- against the naive twin -----------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
def test_kernel_regression_is_the_weighted_mean(width):
    X, y = some_table()
    weights = np.random.default_rng(1).random(40)
    new = np.random.default_rng(2).random((9, 3))
    found = KernelRegressor(width=width).fit(X, y, weights).predict(new)
    expected = [naive.weighted_mean(X, y, point, width, weights) for point in new]
    assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize("ridge", [0.0, 1e-9, 0.001, 10.0])
@pytest.mark.parametrize("width", [0.1, 1.0, 100.0, 1e200])
def test_locally_weighted_regression_is_a_weighted_plane(width, ridge):
    X, y = some_table()
    weights = np.random.default_rng(1).random(40)
    new = np.random.default_rng(2).random((9, 3))
    found = LocallyWeightedRegressor(width=width, ridge=ridge).fit(X, y, weights).predict(new)
    expected = [naive.plane(X, y, point, width, ridge, weights) for point in new]
    assert_allclose(found, expected, rtol=1e-7)


@pytest.mark.parametrize("width", [2.0**-9, 0.004, 0.01])
def test_planes_through_rows_of_vanishing_weight_are_not_noise(width):
    X, y = some_table()
    new = np.random.default_rng(2).random((9, 3))
    found = LocallyWeightedRegressor(width=width).fit(X, y).predict(new)
    expected = [naive.plane(X, y, point, width, 0.001) for point in new]
    assert_allclose(found, expected, rtol=1e-7)


def test_a_plane_is_recovered_and_continued():
    X, _ = some_table()
    y = 5.0 + X @ [1.0, -2.0, 3.0]
    model = LocallyWeightedRegressor(width=1.0, ridge=0).fit(X, y)
    assert_allclose(model.predict([[2.0, 2.0, 2.0], [0.0, 0.0, 0.0]]), [9.0, 5.0], rtol=1e-9)


# --- limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_tiny_width_gives_the_nearest_neighbours_in_equal_shares(learner):
    X, y = [[0.0], [1.0], [3.0], [3.0]], [1.0, 2.0, 5.0, 9.0]
    model = learner(width=1e-300).fit(X, y)
    assert_array_equal(model.predict([[0.2], [3.1], [-9.0]]), [1.0, 7.0, 1.0])


def test_rows_at_the_same_distance_share_equally():
    model = KernelRegressor(width=1e-12).fit([[-1.0], [1.0]], [0.0, 10.0])
    assert_array_equal(model.predict([[0.0]]), [5.0])


def test_a_huge_width_gives_the_mean_or_the_linear_regression():
    X, y = some_table(n_columns=1)
    assert_allclose(KernelRegressor(width=1e9).fit(X, y).predict(X[:2]), y.mean())
    found = LocallyWeightedRegressor(width=1e9, ridge=0).fit(X, y).predict(X)
    assert_allclose(found, np.polyval(np.polyfit(X[:, 0], y, 1), X[:, 0]))


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_constant_target_is_predicted_exactly(learner, width):
    X, _ = some_table()
    assert_array_equal(learner(width=width).fit(X, np.full(40, 0.1)).predict(X), 0.1)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("n_rows", [1, 4])
def test_one_row_or_equal_rows_predict_their_mean(learner, n_rows):
    y = np.arange(n_rows, dtype=float)
    model = learner().fit(np.full((n_rows, 2), 0.3), y)
    assert_allclose(model.predict([[0.3, 0.3], [5.0, -5.0]]), y.mean())


@pytest.mark.parametrize("width", [1e-200, 1e-3, 1.0, 1e200])
def test_planes_without_ridge_are_finite_where_columns_depend_on_each_other(width):
    X, y = some_table(n_rows=12)
    X = np.column_stack([X, X[:, 0], X.sum(axis=1), np.ones(12), 1e-9 * X[:, 1]])
    model = LocallyWeightedRegressor(width=width, ridge=0).fit(X, y)
    assert np.abs(model.predict(X)).max() < 100.0


def test_predictions_of_kernel_regression_stay_within_the_target():
    X, y = some_table()
    for width in WIDTHS:
        found = KernelRegressor(width=width).fit(X, y).predict(10 * X - 5)
        assert y.min() - 1e-12 <= found.min() <= found.max() <= y.max() + 1e-12


# --- sample weights -------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("width", [1e-9, 0.1, 10.0])
def test_sample_weights_are_repeated_and_absent_rows(learner, width):
    X, y = some_table()
    times = np.random.default_rng(3).integers(0, 4, size=40)
    weighted = learner(width=width).fit(X, y, sample_weight=times)
    repeated = learner(width=width).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-9)
    scaled = learner(width=width).fit(X, y, sample_weight=times * 1e307)
    assert_allclose(scaled.predict(X), weighted.predict(X), rtol=1e-9)


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("width", [0, -1.0, np.nan, np.inf, "wide", None, True])
def test_bad_widths_are_named(learner, width):
    with pytest.raises(ValueError, match="width must be a finite number above 0; got"):
        learner(width=width).fit(*some_table())


@pytest.mark.parametrize("ridge", [-0.1, np.nan, np.inf, "none", None, False])
def test_bad_ridges_are_named(ridge):
    with pytest.raises(ValueError, match="ridge must be a finite number of at least 0; got"):
        LocallyWeightedRegressor(ridge=ridge).fit(*some_table())


@pytest.mark.parametrize("learner", LEARNERS)
def test_bad_tables_and_weights_are_named(learner):
    X, y = some_table()
    gap = np.where(np.arange(120).reshape(40, 3) == 7, np.nan, X)
    with pytest.raises(ValueError, match="NaN"):
        learner().fit(gap, y)
    with pytest.raises(ValueError, match="X holds numbers as large as 1e\\+160"):
        learner().fit(X * 0 + 1e160, y)
    with pytest.raises(ValueError, match="y holds numbers as large as"):
        learner().fit(X, y * 0 + 1e160)
    with pytest.raises(ValueError, match="X holds numbers as large as"):
        learner().fit(X, y).predict(X * 0 + 1e160)
    with pytest.raises(ValueError, match="(?i)sample.weight"):
        learner().fit(X, y, sample_weight=np.zeros(40))
    with pytest.raises(ValueError, match="sample_weight"):
        learner().fit(X, y, sample_weight=-np.ones(40))
