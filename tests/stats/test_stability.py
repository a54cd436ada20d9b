"""Nogueira's index against its definition, and against what it must be at the extremes."""

from itertools import combinations

import numpy as np
import pytest

from thresher.stats import stability_index


def by_definition(chosen):
    """One minus the observed disagreement over that of random choices, from pairs of selections.

    Nogueira, Sechidis and Brown, section 4: the variance of each column is half the mean squared
    difference over pairs.
    """
    n_columns = chosen.shape[1]
    pairs = list(combinations(chosen.astype(float), 2))
    variance = np.mean([(a - b) ** 2 / 2 for a, b in pairs], axis=0)
    share = chosen.sum(axis=1).mean() / n_columns
    return 1 - variance.mean() / (share * (1 - share))


@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_published_index(seed):
    chosen = np.random.default_rng(seed).random((7, 12)) < 0.3
    assert stability_index(chosen).index == pytest.approx(by_definition(chosen))


def test_equal_selections_are_fully_stable():
    found = stability_index([[1, 0, 1, 0]] * 5)
    assert (found.index, found.low, found.high) == (1, 1, 1)


@pytest.mark.parametrize("value", [0, 1])
def test_all_or_nothing_is_agreement(value):
    assert stability_index(np.full((4, 3), value)).index == 1


def test_random_selections_are_zero_on_average_and_the_bounds_cover_it():
    rng = np.random.default_rng(0)
    found = [stability_index(rng.random((30, 40)) < 0.25) for _ in range(200)]
    assert abs(np.mean([own.index for own in found])) < 0.005
    covered = np.mean([own.low <= 0 <= own.high for own in found])
    assert covered > 0.9


def test_complementary_selections_are_as_unstable_as_can_be():
    assert stability_index([[1, 1, 0, 0], [0, 0, 1, 1]]).index == pytest.approx(-1)


def test_the_interval_narrows_with_more_selections():
    rng = np.random.default_rng(1)
    wide, narrow = (stability_index(rng.random((n, 20)) < 0.4) for n in (10, 1000))
    assert narrow.high - narrow.low < (wide.high - wide.low) / 4


@pytest.mark.parametrize("chosen", [[[1, 0]], [1, 0], np.empty((3, 0))])
def test_too_little_to_compare(chosen):
    with pytest.raises(ValueError, match="at least 2 rows"):
        stability_index(chosen)
