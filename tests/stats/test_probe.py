"""What random columns explain, against scipy and against random columns."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import beta, binom, kurtosis

from thresher.stats._probe import (
    _log_tail,
    _size_of_shuffled,
    excess_kurtosis,
    log_probe_chance,
)


@pytest.mark.parametrize("n_dimensions", [5, 30, 1000])
def test_one_dimension_follows_a_beta_distribution(n_dimensions):
    share = np.linspace(0.01, 0.9, 12)
    for width in (1, 2, 4):
        expected = beta.logsf(share, width / 2, (n_dimensions - width) / 2)
        seen = np.isfinite(expected)
        for found in (
            log_probe_chance(share, width, 1, n_dimensions),
            log_probe_chance(share, 1, width, n_dimensions),
        ):
            np.testing.assert_allclose(found[seen], expected[seen], rtol=1e-6)


@pytest.mark.parametrize(
    ("width", "target_width", "n_dimensions"), [(1, 3, 12), (2, 2, 40), (3, 5, 30), (6, 2, 12)]
)
def test_random_columns_explain_as_much_as_they_should(width, target_width, n_dimensions):
    rng = np.random.default_rng(0)
    bases = np.linalg.qr(rng.normal(size=(4000, n_dimensions, width)))[0]
    # the target is any space of its width, such as that of the first axes
    trace = (bases[:, :target_width] ** 2).sum(axis=(1, 2))
    share = trace / min(width, target_width)
    chance = np.exp(log_probe_chance(share, width, target_width, n_dimensions))
    for level in (0.5, 0.1, 0.02):
        low, high = binom.ppf([1e-4, 1 - 1e-4], 4000, level)
        assert low <= (chance <= level).sum() <= high


def test_chances_too_small_for_a_number_are_still_in_order():
    share = np.linspace(0.5, 0.999, 200)
    logs = log_probe_chance(share, 1, 1, 3000)
    assert np.isfinite(logs).all()
    assert (np.diff(logs) < 0).all()
    assert logs[-1] < -5000


@pytest.mark.parametrize(("a", "b"), [(0.5, 500.0), (0.5, 5e4), (5.0, 400.0), (30.0, 700.0)])
def test_the_far_tail_continues_the_near_one(a, b):
    share = beta.isf(1e-250, a, b)
    tail = _log_tail(np.array(1.0 - share), np.array(a), np.array(b))
    assert tail == pytest.approx(beta.logsf(share, a, b), abs=0.1)


def test_in_too_little_space_nothing_is_told():
    assert log_probe_chance(1.0, 1, 1, 1) == 0.0
    assert log_probe_chance(1.0, 4, 1, 4) == 0.0
    assert log_probe_chance(0.9, 3, 3, 5) == 0.0
    assert log_probe_chance(0.0, 1, 1, 0) == 0.0
    assert log_probe_chance(0.0, 0, 1, 10) == 0.0
    assert log_probe_chance(0.5, 1, 0, 10) == 0.0


# --- long tails -----------------------------------------------------------------------------------


def _tails_of(x, y):
    return kurtosis(x, bias=False) * kurtosis(y, bias=False)


def test_kurtosis_is_that_of_scipy_and_0_of_constants_and_of_few_values():
    x = np.random.default_rng(0).exponential(size=(3, 40))
    x -= x.mean(axis=1, keepdims=True)
    squares, fourths = (x**2).sum(axis=1), (x**4).sum(axis=1)
    expected = kurtosis(x, axis=1, bias=False)
    np.testing.assert_allclose(excess_kurtosis(squares, fourths, 40), expected)
    assert excess_kurtosis(np.zeros(2), np.zeros(2), 40).tolist() == [0.0, 0.0]
    assert excess_kurtosis(squares, fourths, 3).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("n", [5, 7])
def test_shares_in_all_orders_vary_as_pitman_says(n):
    x, y = np.exp(np.random.default_rng(n).normal(size=(2, n)))
    x, y = x - x.mean(), y - y.mean()
    orders = np.array(list(permutations(range(n))))
    share = (y[orders] @ x) ** 2 / (x @ x) / (y @ y)
    mean = 1 / (n - 1)
    size = _size_of_shuffled(np.array(_tails_of(x, y)), n - 1, np.array(0.0))
    assert share.mean() == pytest.approx(mean)
    assert share.var() == pytest.approx(mean * (1 - mean) / (size + 1))


def test_with_long_tails_a_high_share_means_less():
    x, y = np.exp(np.random.default_rng(3).normal(size=(2, 200)))
    rng = np.random.default_rng(0)
    shuffled = np.array([np.corrcoef(x, rng.permutation(y))[0, 1] ** 2 for _ in range(20_000)])
    level = 0.002
    share = np.quantile(shuffled, 1 - level)
    plain, tailed = np.exp(log_probe_chance(share, 1, 1, 199, [0.0, _tails_of(x, y)]))
    # the far tail is longer than that of the beta distribution, but far less so
    assert plain < tailed / 3 < tailed < level


def test_without_tails_nothing_changes():
    share = np.linspace(0.0, 1.0, 9)
    expected = log_probe_chance(share, 2, 3, 30)
    np.testing.assert_array_equal(log_probe_chance(share, 2, 3, 30, np.zeros(9)), expected)
