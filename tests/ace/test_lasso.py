"""The lasso kernel beside scikit-learn's and a slow twin."""

import numpy as np
import pytest
from sklearn.linear_model import Lasso

from tests.naive.lasso import lasso
from thresher.kernels.lasso import lasso_path, score_products


def problem(seed, n_rows=60, n_columns=12):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns)) + rng.normal(size=(n_rows, 1))
    X /= np.sqrt((X**2).mean(axis=0))
    y = X[:, :3] @ [2.0, -1.0, 0.5] + rng.normal(size=n_rows)
    return X, y


def follow(X, y, penalties, max_active=100, max_sweeps=10_000, tolerance=1e-13):
    coefficients = np.zeros(X.shape[1])
    kept = lasso_path(
        np.ascontiguousarray(X.T), y, penalties, max_active, max_sweeps, tolerance, coefficients
    )
    return coefficients, kept


def path(X, y, lowest=0.01, n=15):
    return np.abs(X.T @ y).max() / len(y) * np.geomspace(1.0, lowest, n)


@pytest.mark.parametrize("seed", range(4))
def test_coefficients_equal_those_of_others(seed):
    X, y = problem(seed, n_columns=12 if seed < 3 else 90)
    penalties = path(X, y, lowest=0.1 if seed == 3 else 0.01)
    coefficients, kept = follow(X, y, penalties)
    assert kept == len(penalties)
    reference = Lasso(alpha=penalties[-1], fit_intercept=False, tol=1e-12, max_iter=100_000)
    np.testing.assert_allclose(coefficients, reference.fit(X, y).coef_, atol=1e-7)
    if seed < 3:
        np.testing.assert_allclose(coefficients, lasso(X, y, penalties[-1]), atol=1e-7)


@pytest.mark.parametrize("max_active", [0, 1, 3, 6])
def test_the_last_penalty_within_the_limit_counts(max_active):
    X, y = problem(0, n_columns=30)
    penalties = path(X, y)
    coefficients, kept = follow(X, y, penalties, max_active)
    assert np.count_nonzero(coefficients) <= max_active
    if kept:
        reference = Lasso(alpha=penalties[kept - 1], fit_intercept=False, tol=1e-12)
        np.testing.assert_allclose(coefficients, reference.fit(X, y).coef_, atol=1e-7)
    further, _ = follow(X, y, penalties[: kept + 1])
    assert np.count_nonzero(further) > max_active


def test_the_first_penalty_lets_nothing_in():
    X, y = problem(1)
    coefficients, _ = follow(X, y, path(X, y)[:1] * (1 + 1e-9))
    assert not coefficients.any()


def test_columns_of_zeros_stay_out():
    X, y = problem(2)
    X[:, 0] = 0.0
    coefficients, _ = follow(X, y, path(X, y))
    assert coefficients[0] == 0.0
    assert np.isfinite(coefficients).all()


def test_products_of_scores_with_outputs():
    rng = np.random.default_rng(0)
    codes = rng.integers(5, size=(7, 40)).astype(np.uint8)
    scores = rng.normal(size=(7, 5)).astype(np.float32)
    values = rng.normal(size=(40, 3))
    order = rng.permutation(40)
    products = np.full((7, 3), np.nan)
    score_products(codes, scores, values, order, products)
    table = np.array([scores[j, codes[j]] for j in range(7)], dtype=np.float64)
    np.testing.assert_allclose(products, table[:, order] @ values, rtol=1e-10)
