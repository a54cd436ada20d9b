"""Columns against contrasts: level, thresholds, ties and guards."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from thresher.stats import contrast_test

CORRECTIONS = ["max-t", "bonferroni", "bh", "t"]


def draws(n_replicates, n_columns, *, lucky=1.0, seed=0):
    """Scores of columns whose luck stays from replicate to replicate, and of fresh contrasts."""
    rng = np.random.default_rng(seed)
    luck = lucky * rng.normal(size=n_columns)
    jitter = 0.1 * rng.normal(size=(2, n_replicates, n_columns))
    return luck + jitter[0], lucky * rng.normal(size=(n_replicates, n_columns)) + jitter[1]


@pytest.mark.parametrize("correction", ["max-t", "bonferroni"])
@pytest.mark.parametrize("n_columns", [1, 5, 50])
def test_level_holds_on_columns_that_are_like_contrasts(correction, n_columns):
    n_repeats = 2000
    alarms = sum(
        (contrast_test(*draws(20, n_columns, seed=k), correction=correction).p_value <= 0.05).any()
        for k in range(n_repeats)
    )
    assert alarms / n_repeats <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / n_repeats)
    assert alarms / n_repeats >= 0.02, "so strict that power is wasted"


def test_the_test_of_the_paper_does_not_hold_its_level():
    alarms = sum(
        (contrast_test(*draws(20, 20, seed=k), correction="t").p_value <= 0.05).any()
        for k in range(200)
    )
    assert alarms > 100


@pytest.mark.parametrize("correction", ["max-t", "bonferroni", "bh"])
@pytest.mark.parametrize("n_columns", [1, 4, 30])
@pytest.mark.parametrize("alpha", [0.05, 0.2, 0.5])
def test_threshold_and_p_values_tell_the_same(correction, n_columns, alpha):
    for seed in range(30):
        scores, contrasts = draws(40, n_columns, seed=seed)
        scores[:, ::3] += seed / 10
        if seed % 2:  # ties in plenty
            scores, contrasts = np.round(scores), np.round(contrasts)
            scores[:] = scores[0]
        test = contrast_test(scores, contrasts, alpha=alpha, correction=correction)
        assert np.array_equal(test.p_value <= alpha, test.statistic > test.threshold)


def test_with_the_paper_s_test_only_scores_above_the_threshold_are_significant():
    scores, contrasts = draws(20, 30)
    scores[:, ::3] += 2
    test = contrast_test(scores, contrasts, correction="t")
    significant = test.p_value <= 0.05
    assert significant.any()
    assert (test.statistic[significant] > test.threshold).all()


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_clear_signals_are_found_and_alone(correction):
    scores, contrasts = draws(20, 10, lucky=0.1)
    scores[:, [2, 7]] += 5
    test = contrast_test(scores, contrasts, correction=correction)
    np.testing.assert_allclose(test.statistic, scores.mean(axis=0))
    assert {2, 7} <= set(np.flatnonzero(test.p_value <= 0.05).tolist())


@pytest.mark.parametrize("correction", ["max-t", "bonferroni", "bh"])
def test_p_values_fall_as_scores_rise(correction):
    _, contrasts = draws(20, 6)
    heights = np.linspace(-5, 9, 300)
    test = contrast_test(np.tile(heights, (20, 1)), np.tile(contrasts, 50), correction=correction)
    assert (np.diff(test.p_value) <= 0).all()
    assert ((test.p_value > 0) | (heights > 8)).all()
    assert (test.p_value <= 1).all()


def test_p_values_beyond_all_ranks_go_on_falling():
    _, contrasts = draws(20, 6)
    scores = np.tile([4.0, 5.0, 6.0, 1e300, -1e300, 0.0], (20, 1))
    p = contrast_test(scores, contrasts).p_value
    assert p[0] > p[1] > p[2] > p[3] >= 0
    assert p[0] < 1 / 21
    assert p[4] == 1.0


@pytest.mark.parametrize("correction", ["max-t", "bonferroni", "bh"])
def test_a_tie_with_the_best_contrast_is_no_win(correction):
    contrasts = np.zeros((20, 2))
    contrasts[:, 0] = 1.0
    scores = np.tile([1.0, 1.0 + 1e-9], (20, 1))
    p = contrast_test(scores, contrasts, correction=correction).p_value
    assert p[0] > 0.05 >= p[1]


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_contrasts_that_are_all_zero(correction):
    scores = np.zeros((20, 3))
    scores[:, 0] = 1.0
    test = contrast_test(scores, np.zeros((20, 3)), correction=correction)
    assert (test.p_value <= 0.05).tolist() == [True, False, False]
    assert test.threshold == 0.0


def test_too_few_replicates_never_find_anything():
    scores, contrasts = draws(18, 3)
    test = contrast_test(scores + 100, contrasts, alpha=0.05)
    assert (test.p_value > 0.05).all()
    assert test.threshold == np.inf


def test_records_are_frozen():
    test = contrast_test(*draws(20, 3))
    with pytest.raises(FrozenInstanceError):
        test.threshold = 0.0
