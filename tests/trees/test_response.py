"""Residuals and curvatures are derivatives of the losses."""

import numpy as np
import pytest

from thresher.trees import Logistic, Multinomial, Squared

RNG = np.random.default_rng(0)
N = 40
RESPONSES = {
    "squared": Squared(RNG.normal(size=(N, 1))),
    "logistic": Logistic(RNG.integers(2, size=(N, 1)).astype(float)),
    "multinomial": Multinomial(np.eye(4)[RNG.integers(4, size=N)]),
}
# squared error is not halved, so that it reads as mean squared error
STEEPNESS = {"squared": 2.0, "logistic": 1.0, "multinomial": 1.0}


def slopes(function, prediction, step):
    """Central differences for each output."""
    found = np.empty_like(prediction)
    for k in range(prediction.shape[1]):
        shift = np.zeros_like(prediction)
        shift[:, k] = step
        up, down = function(prediction + shift, k), function(prediction - shift, k)
        found[:, k] = (up - down) / (2 * step)
    return found


@pytest.mark.parametrize("name", RESPONSES)
def test_residual_is_the_negative_gradient(name):
    response = RESPONSES[name]
    prediction = RNG.normal(size=response.values.shape)
    gradient = slopes(lambda p, _: response.losses(p), prediction, 1e-5)
    np.testing.assert_allclose(
        STEEPNESS[name] * response.residual(prediction), -gradient, atol=1e-8
    )


@pytest.mark.parametrize("name", RESPONSES)
def test_curvature_is_the_second_derivative(name):
    response = RESPONSES[name]
    prediction = RNG.normal(size=response.values.shape)
    second = -slopes(lambda p, k: response.residual(p)[:, k], prediction, 1e-5)
    # classes share a degree of freedom: steps of all of them at once would be too long
    share = 4 / 3 if name == "multinomial" else 1.0
    _, curvature = response.gradients(prediction)
    np.testing.assert_allclose(curvature, share * second, atol=1e-8)


@pytest.mark.parametrize("name", RESPONSES)
def test_start_is_the_best_constant(name):
    response = RESPONSES[name]
    weight = RNG.random(N)
    start = response.start(weight)
    best = weight @ response.losses(np.tile(start, (N, 1)))
    for _ in range(20):
        other = start + 0.1 * RNG.normal(size=start.shape)
        assert weight @ response.losses(np.tile(other, (N, 1))) >= best


@pytest.mark.parametrize("name", RESPONSES)
@pytest.mark.parametrize("size", [1e3, 1e8])
def test_certain_predictions_stay_finite(name, size):
    response = RESPONSES[name]
    prediction = size * np.sign(RNG.normal(size=response.values.shape))
    residual, curvature = response.gradients(prediction)
    for part in (residual, curvature, response.losses(prediction)):
        assert np.isfinite(part).all()
    assert (curvature > 0).all()


def test_a_class_that_does_not_occur_has_a_finite_start():
    assert np.isfinite(Logistic(np.zeros((5, 1))).start(np.ones(5))).all()
    assert np.isfinite(Multinomial(np.eye(3)[[0, 1, 0]]).start(np.ones(3))).all()
