"""Newton's method for two classes comes to the minimum that scikit-learn finds."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from thresher.sufficiency._logistic import fit_logistic


def tables(seed, n_rows, n_numbers):
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(n_rows, n_numbers)) * rng.exponential(2, n_numbers)
    odds = table @ rng.normal(size=n_numbers) / np.sqrt(n_numbers) + 1
    return table, (rng.logistic(size=n_rows) < odds).astype(float), rng.random(n_rows) + 0.1


@pytest.mark.parametrize(("n_rows", "n_numbers"), [(30, 1), (200, 5), (60, 60), (300, 40)])
@pytest.mark.parametrize("penalty", [1.0, 0.01])
def test_coefficients_are_those_of_scikit_learn(n_rows, n_numbers, penalty):
    table, y, weight = tables(n_numbers, n_rows, n_numbers)
    fit = fit_logistic(table, y, weight, penalty=penalty)
    model = LogisticRegression(C=1 / penalty, solver="newton-cholesky", tol=1e-10, max_iter=500)
    model.fit(table, y, sample_weight=weight)
    wanted = np.append(model.coef_[0], model.intercept_)
    assert fit.coefficients == pytest.approx(wanted, rel=1e-3, abs=1e-4)


@pytest.mark.parametrize("shift", [0.0, 1e3])
def test_classes_that_a_plane_separates_have_finite_coefficients(shift):
    table = np.linspace(-4, 4, 40)[:, None] + shift
    y = (table[:, 0] > shift).astype(float)
    fit = fit_logistic(table, y, np.ones(40))
    assert np.isfinite(fit.coefficients).all()
    predicted = table[:, 0] * fit.coefficients[0] + fit.coefficients[1] > 0
    assert (predicted == (y == 1)).all()


def test_the_covariance_is_the_inverse_of_the_curvature():
    table, y, weight = tables(0, 150, 4)
    fit = fit_logistic(table, y, weight)
    inputs = np.column_stack([table, np.ones(150)])
    likely = expit(inputs @ fit.coefficients)
    curvature = (inputs.T * (weight * likely * (1 - likely))) @ inputs
    curvature += np.diag([1.0] * 4 + [0.0])
    assert fit.covariance @ curvature == pytest.approx(np.eye(5), abs=1e-3)


def test_no_inputs_give_the_odds_of_the_classes():
    y = np.array([1.0] * 3 + [0.0] * 9)
    fit = fit_logistic(np.empty((12, 0)), y, np.ones(12))
    assert fit.coefficients == pytest.approx([np.log(1 / 3)], rel=1e-4)
