import numpy as np
from numpy.testing import assert_array_equal

from tests.naive.trees import Draws
from thresher.kernels.rng import draw_below, shuffle_first


def test_draws_equal_the_naive_twin():
    state, draws = np.array([2**64 - 5], dtype=np.uint64), Draws(2**64 - 5)
    for n in [1, 2, 3, 1000, 2**31]:
        assert [draw_below(state, n) for _ in range(20)] == [draws.below(n) for _ in range(20)]


def test_each_number_is_drawn_about_equally_often():
    state = np.array([1], dtype=np.uint64)
    counts = np.bincount([draw_below(state, 7) for _ in range(7000)], minlength=7)
    assert counts.min() > 900
    assert counts.max() < 1100


def test_shuffling_draws_without_replacement():
    items, twin = np.arange(10, dtype=np.uint32), list(range(10))
    shuffle_first(items, 4, np.array([3], dtype=np.uint64))
    Draws(3).shuffle_first(twin, 4)
    assert_array_equal(items, twin)
    assert sorted(twin) == list(range(10))
