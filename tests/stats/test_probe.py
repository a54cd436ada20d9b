"""What random columns explain, against scipy and against random columns."""

import numpy as np
import pytest
from scipy.stats import beta, binom

from thresher.stats._probe import _log_tail, log_probe_chance


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
