"""Rows needed: the search against looking at every number, and what is said of a curve."""

import numpy as np
import pytest

from thresher.experiments import Spread
from thresher.experiments import _oblivion_scaling as scaling


@pytest.mark.parametrize("seed", range(20))
def test_a_stretch_is_the_first_that_is_high_throughout(seed):
    rng = np.random.default_rng(seed)
    cap, hold = 300, scaling.HOLD
    chance = np.clip(np.arange(1, cap + hold + 1) / rng.integers(60, 500), 0.0, 1.0)
    accuracies = np.where(rng.random(cap + hold) < chance, 1.0, 0.9)
    tried = []

    def accuracy(n):
        tried.append(n)
        return accuracies[n - 1]

    high = accuracies >= scaling.LEVEL
    starts = [n for n in range(1, cap + 1) if high[n - 1 : n + hold].all()]
    assert scaling.rows_needed(accuracy, cap) == (starts[0] if starts else cap + 1)
    assert len(tried) == len(set(tried)), "nothing is tried twice"
    assert max(tried) <= cap + hold


def test_a_mean_with_runs_that_were_given_up_is_a_lower_bound():
    assert scaling._mean(np.array([40.0, 60.0]), 100) == Spread.of([40, 60])
    assert scaling._mean(np.array([40.0, 101.0]), 100) == "> 70"
    assert scaling._mean(np.array([0.0, 0.0]), 100) is None


def test_a_curve_ends_where_runs_were_given_up():
    found = np.array([[10.0, 20.0], [90.0, 101.0], [30.0, 30.0]])
    series = scaling._series("C4.5", [0, 1, 2], found, 100)
    assert (series.x, series.y) == ((0,), (15.0,))


@pytest.mark.parametrize(
    ("curve", "shape"),
    [
        (lambda x: 30 + 0.5 * x, "flat"),
        (lambda x: 20 + 30 * np.log1p(x), "logarithmic"),
        (lambda x: 20 + 9 * x, "linear"),
        (lambda x: 5 * 1.7**x, "exponential"),
    ],
)
def test_the_shape_is_that_of_the_curve(curve, shape):
    numbers = (*range(10), 50)
    found = curve(np.array(numbers, dtype=float))[:, None] * np.array([[0.9, 1.1]])
    found[-1] = 1e9  # beyond what the shape is of
    assert scaling._growth(numbers, found, 5000)[1] == shape
    assert scaling._growth(numbers, found, 10) == (None, None)
