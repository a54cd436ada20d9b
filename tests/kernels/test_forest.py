import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.kernels.tables import make_data
from tests.naive import trees as naive
from thresher.kernels import forest
from thresher.kernels._splits import BINARY, LEVELS, ORDERED, plain_table, table_with_bits
from thresher.kernels.forest import forest_importances
from thresher.parallel import run_in_threads

# trees, candidates, share in the bag, most rows, least in the bag and out of it, least leaf, depth
OPTIONS = (4, 3, 0.55, 1000, 8, 8, 3.0, 50)


def grow(data, options=OPTIONS, seed=7):
    earned = np.zeros(2 * len(data.codes))
    forest_importances(*data, *options, np.uint64(seed), earned)
    return earned


@pytest.mark.parametrize("weights", ["ones", "whole", "any"])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("n_outputs", [1, 2, 3])
def test_forests_equal_the_naive_twin(n_outputs, missing, weights):
    data = make_data(n_outputs, n_outputs=n_outputs, missing=missing, weights=weights)
    expected = naive.forest_importances(*data, *OPTIONS, 7)
    assert np.count_nonzero(expected) > 6
    assert_allclose(grow(data), expected, rtol=1e-5, atol=1e-9)


def test_forests_on_many_levels_and_constants_equal_the_naive_twin():
    data = make_data(3, n_outputs=2, kinds="n1ll", missing=True)
    assert_allclose(grow(data), naive.forest_importances(*data, *OPTIONS, 7), rtol=1e-5, atol=1e-9)


def test_forests_on_a_target_that_rarely_differs_equal_the_naive_twin():
    data = make_data(8, n_rows=300)
    data.target[np.random.default_rng(0).random(300) < 0.95] = 0.0
    assert_allclose(grow(data), naive.forest_importances(*data, *OPTIONS, 7), rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize(
    ("position", "value"), [(7, 1), (7, 2), (4, 40), (5, 40), (1, 99), (2, 0.9), (3, 80)]
)
def test_limits_are_kept_as_in_the_naive_twin(position, value):
    options = list(OPTIONS)
    options[position] = value
    data = make_data(1)
    twin_options = list(options)
    twin_options[1] = min(twin_options[1], len(data.codes))
    expected = naive.forest_importances(*data, *twin_options, 7)
    assert_allclose(grow(data, options), expected, rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("n_outputs", [1, 2])
def test_bits_change_nothing(n_outputs, monkeypatch):
    data = make_data(5, n_rows=400, n_outputs=n_outputs, kinds="nsssbcss")
    with_bits = grow(data)
    monkeypatch.setattr(forest, "table_with_bits", plain_table)
    assert_allclose(grow(data), with_bits, rtol=1e-12)


def test_columns_of_each_kind_are_told_apart():
    data = make_data(0, kinds="ncbs1", n_rows=200)
    table = table_with_bits(*data[:3], data.permutation)
    assert table.kind.tolist() == [ORDERED, LEVELS, BINARY, BINARY, ORDERED]
    as_bytes = table.bits[3].astype("<u8").view(np.uint8)
    assert_array_equal(np.unpackbits(as_bytes, bitorder="little")[:200], data.codes[3])
    data.codes[2:4, 0] = 2  # missing
    kinds = table_with_bits(*data[:3], data.permutation).kind
    assert kinds.tolist() == [ORDERED, LEVELS, *[ORDERED] * 3]


def test_forests_do_not_depend_on_threads_or_on_earlier_ones():
    data = make_data(2, n_rows=300)
    tasks = [(data, OPTIONS, seed) for seed in range(8)]
    alone = run_in_threads(grow, tasks, 1)
    assert_array_equal(run_in_threads(grow, tasks, 2), alone)
    assert not any(np.array_equal(a, b) for a, b in itertools.combinations(alone, 2))


def test_gains_are_added_to_what_was_earned_before():
    data = make_data(2)
    earned = np.ones(16)
    forest_importances(*data, *OPTIONS, np.uint64(7), earned)
    assert_allclose(earned, 1.0 + grow(data))


def test_gains_scale_with_the_squared_target_and_the_weight():
    data = make_data(2, weights="whole")
    once = grow(data)
    assert_allclose(grow(data._replace(target=100.0 + 3.0 * data.target)), 9.0 * once, rtol=1e-5)
    heavier = list(OPTIONS)
    heavier[6] *= 0.7
    found = grow(data._replace(weight=0.7 * data.weight), heavier)
    assert_allclose(found, 0.7 * once, rtol=1e-5)


def test_outliers_hide_nothing():
    """Outputs become whole numbers: a huge one must not round the others away."""
    data = make_data(2, n_rows=400)
    expected = naive.forest_importances(*data, *OPTIONS, 7)
    data.target[0] = 1e4
    found = grow(data)
    assert_allclose(found, naive.forest_importances(*data, *OPTIONS, 7), rtol=1e-3, atol=1e-6)
    assert not np.allclose(found, expected)


def test_a_target_without_variance_earns_nothing():
    data = make_data(2)
    assert not grow(data._replace(target=np.full((120, 1), 3.3))).any()


def test_informative_columns_earn_more_than_their_contrasts():
    data = make_data(11, n_rows=1000)
    earned = grow(data, (30, 3, 0.5, 1000, 30, 30, 10.0, 50))
    real, contrast = earned[:8], earned[8:]
    assert (real[[0, 2, 7]] > 5.0 * contrast.max()).all()
