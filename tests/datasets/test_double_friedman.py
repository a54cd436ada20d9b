from math import pi, sin

import numpy as np
import pytest
from scipy.stats import kstest

from thresher.datasets import make_double_friedman


def formula(x):
    """RACSAM's equation, written out for the row ``x`` with its first input at index 1."""
    return (
        10 * sin(pi * x[1] * x[2]) + 20 * (x[3] - 0.5) ** 2 + 10 * x[4] + 5 * x[5]
        + 10 * sin(pi * x[6] * x[7]) + 20 * (x[8] - 0.5) ** 2 + 10 * x[9] + 5 * x[10]
    )  # fmt: skip


def test_target_is_the_formula_of_the_first_ten():
    data = make_double_friedman(200, noise=0, random_state=0)
    assert data.X.shape == (200, 110)
    assert data.relevant == tuple(range(10))
    np.testing.assert_allclose(data.y, [formula((0, *row)) for row in data.X], rtol=1e-12)


def test_residual_is_standard_normal():
    data = make_double_friedman(5000, n_features=10, random_state=0)
    residual = data.y - [formula((0, *row)) for row in data.X]
    assert kstest(residual, "norm").pvalue > 0.01


def test_noise_level_leaves_the_inputs_alone():
    quiet, loud = (make_double_friedman(50, noise=noise, random_state=0) for noise in (0, 3))
    np.testing.assert_array_equal(quiet.X, loud.X)
    assert (loud.y - quiet.y).std() == pytest.approx(3, rel=0.4)


def test_inputs_are_uniform():
    data = make_double_friedman(2000, n_features=210, random_state=0)
    assert kstest(data.X.ravel(), "uniform").pvalue > 0.01
