import numpy as np
import pytest
from scipy import stats

from thresher.stats import adjust


@pytest.mark.parametrize("n", [1, 2, 10, 200])
def test_benjamini_hochberg_equals_scipy(n):
    rng = np.random.default_rng(n)
    for p in (rng.random(n), rng.random(n) ** 4, np.round(rng.random(n), 1), np.ones(n)):
        np.testing.assert_allclose(
            adjust(p, "bh"), stats.false_discovery_control(p, method="bh"), rtol=1e-12
        )


def test_bonferroni_multiplies_and_stops_at_one():
    assert adjust([0.25, 0.125, 0.75], "bonferroni").tolist() == [0.75, 0.375, 1.0]


@pytest.mark.parametrize("correction", ["bonferroni", "bh"])
def test_order_is_kept_and_nothing_gets_smaller(correction):
    p = np.random.default_rng(0).random(50)
    adjusted = adjust(p, correction)
    assert (adjusted >= p * (1 - 1e-12)).all()
    assert (adjusted <= 1).all()
    assert (np.diff(adjusted[np.argsort(p)]) >= 0).all()


@pytest.mark.parametrize("correction", ["bonferroni", "bh"])
def test_no_hypothesis_no_p_value(correction):
    assert adjust([], correction).tolist() == []
