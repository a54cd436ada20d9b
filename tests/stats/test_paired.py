import numpy as np
import pytest
from scipy import stats

from thresher.stats import paired_t


@pytest.mark.parametrize("n", [2, 3, 20])
def test_equals_scipy(n):
    differences = np.random.default_rng(n).normal(0.3, size=(n, 4, 5))
    statistic, p_value = paired_t(differences)
    expected = stats.ttest_1samp(differences, 0.0, axis=0, alternative="greater")
    np.testing.assert_allclose(statistic, expected.statistic, rtol=1e-12)
    np.testing.assert_allclose(p_value, expected.pvalue, rtol=1e-9)


def test_without_variance_the_sign_decides():
    statistic, p_value = paired_t(np.array([[0.0, 2.0, -2.0]] * 4))
    assert statistic.tolist() == [0.0, np.inf, -np.inf]
    assert p_value.tolist() == [0.5, 0.0, 1.0]


def test_a_single_difference_is_refused():
    with pytest.raises(ValueError, match="at least 2 differences; got 1"):
        paired_t([0.5])
