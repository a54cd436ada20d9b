import numpy as np
import pytest
from benchmarks.peers.comparison import corrected_t, geometric_mean, holm, rank, signed_rank
from scipy.stats import ttest_1samp, wilcoxon


def test_holm_steps_down_and_never_falls():
    # sorted 0.01 0.02 0.03 0.2 times 4 3 2 1, made monotone
    assert holm([0.2, 0.01, 0.03, 0.02]).tolist() == pytest.approx([0.2, 0.04, 0.06, 0.06])


def test_holm_of_nothing_is_nothing():
    assert holm([]).tolist() == []


def test_signed_rank_agrees_with_scipy():
    d = np.array([0.1, 0.2, -0.05, 0.3, 0.4, 0.25, 0.15, -0.02])
    assert signed_rank(d) == pytest.approx(wilcoxon(d).pvalue)


def test_signed_rank_of_equal_scores_is_one():
    assert signed_rank(np.zeros(5)) == 1.0


def test_the_best_is_tied_with_itself_and_with_its_equals():
    rng = np.random.default_rng(0)
    good = rng.uniform(0.8, 0.9, 20)
    found = rank([good - 0.5, good, good])
    assert found.best == 1
    assert found.tied.tolist() == [False, True, True]
    assert found.mean_ranks.tolist() == [3.0, 1.5, 1.5]


def test_one_method_alone_is_the_best():
    found = rank([[0.5, 0.5]])
    assert found.best == 0
    assert found.p_values.tolist() == [1.0]


def test_corrected_t_widens_the_usual_one():
    d = np.array([0.02, 0.03, 0.05])
    usual = ttest_1samp(d, 0)
    assert corrected_t(d, 3) > usual.pvalue
    # the statistic shrinks by the root of (1/3) / (1/3 + 1/2)
    statistic = usual.statistic * np.sqrt((1 / 3) / (1 / 3 + 1 / 2))
    from scipy.stats import t

    assert corrected_t(d, 3) == pytest.approx(2 * t.sf(statistic, 2))


def test_corrected_t_of_equal_differences():
    assert corrected_t([0.0, 0.0, 0.0], 3) == 1.0
    assert corrected_t([0.5, 0.5, 0.5], 3) == 0.0


def test_geometric_mean_survives_zero():
    assert geometric_mean([1.0, 100.0]) == pytest.approx(10.0)
    assert geometric_mean([0.0]) == pytest.approx(1e-3)
