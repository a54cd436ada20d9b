"""Tests with fewer replicates than planned."""

import numpy as np
import pytest

from thresher.ace import Importances
from thresher.ace._comparison import compare, compare_few
from thresher.stats import contrast_test

N_VARIABLES = 30


def importances(n_replicates, seed=0):
    """The first variable beats all contrasts, the second those of most replicates."""
    rng = np.random.default_rng(seed)
    scores, contrasts = rng.random(size=(2, n_replicates, N_VARIABLES))
    scores[:, 0] = 3.0
    contrasts[0, 1] = 2.0
    scores[:, 1] = 1.5
    return Importances(scores, contrasts, scores.mean(axis=0), scores.mean(axis=0))


@pytest.mark.parametrize("n", [1, 2, 5, 18])
def test_ranks_among_the_maxima_decide_at_the_lowest_level(n):
    found, level = compare_few(importances(n), 0.05, "max-t")
    assert level == 1 / (1 + n)
    assert found.p_value[0] == level, "honest, not extrapolated"
    assert found.p_value[1] == min(2 / (1 + n), 1.0)
    assert np.flatnonzero(found.p_value <= level).tolist() == [0]
    assert ((found.statistic > found.threshold) == (found.p_value <= level)).all()


@pytest.mark.parametrize("n", [1, 3, 10])
@pytest.mark.parametrize("correction", ["bonferroni", "bh"])
def test_the_pool_of_contrasts_gives_its_own_lowest_level(n, correction):
    found, level = compare_few(importances(n), 0.05, correction)
    assert level == pytest.approx(N_VARIABLES / (1 + n * N_VARIABLES))
    assert found.p_value[0] <= level
    significant = found.p_value <= level
    assert significant[0]
    assert not significant[2:].all()
    assert (found.statistic[significant] > found.threshold).all()


@pytest.mark.parametrize("correction", ["max-t", "bonferroni", "bh", "t"])
def test_enough_replicates_need_no_other_level(correction):
    measured = importances(25)
    few, level = compare_few(measured, 0.05, correction)
    assert level == 0.05
    whole, _ = compare(measured, 0.05, correction)
    assert np.array_equal(few.p_value, whole.p_value)
    known = contrast_test(measured.scores, measured.contrasts, correction=correction)
    assert np.array_equal(whole.p_value, known.p_value)
    assert few.threshold == whole.threshold == known.threshold


def test_the_paired_t_test_needs_two_replicates():
    single, level = compare_few(importances(1), 0.05, "t")
    assert level == 0.5
    assert np.flatnonzero(single.p_value <= level).tolist() == [0]
    _, level = compare_few(importances(2), 0.05, "t")
    assert level == 0.05


@pytest.mark.parametrize("n", [1, 4])
def test_the_level_holds(n):
    """Among columns of noise one wins with chance 1 / (n + 1) at most: here 200 tables."""
    alarms = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        own = rng.normal(size=N_VARIABLES)
        scores = np.tile(own, (n, 1))
        noise = Importances(scores, rng.normal(size=(n, N_VARIABLES)), own, own)
        found, level = compare_few(noise, 0.05, "max-t")
        alarms += (found.p_value <= level).any()
    expected = 200 / (n + 1)
    assert abs(alarms - expected) < 4 * np.sqrt(expected * n / (n + 1))
