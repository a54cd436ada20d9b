import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tests.naive import trees as naive
from tests.properties import examples
from thresher.kernels.cuts import (
    between,
    largest_gain,
    level_cut,
    ordered_cut,
    ordered_cut_of_words,
    signed_gain,
)


@st.composite
def columns(draw, max_outputs=3, max_levels=8):
    """Draw codes (some bins empty, some cells missing), a whole target, whole weights, a least."""
    n_rows = draw(st.integers(2, 25))
    n_bins = draw(st.integers(1, max_levels))
    missing = draw(st.booleans())
    n_outputs = draw(st.integers(1, max_outputs))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    codes = rng.integers(0, n_bins + missing, size=n_rows)
    target = rng.integers(-9, 10, size=(n_rows, n_outputs)).astype(np.float64)
    weight = rng.integers(0, 4, size=n_rows).astype(np.float64)
    return codes, n_bins, target, weight, float(draw(st.integers(0, 6)))


def sums_by_code(codes, n_codes, target, weight):
    values = np.column_stack([target * weight[:, None], weight])
    values = values.astype(np.int64)
    sums = np.zeros((256, values.shape[1]), dtype=np.int64)
    np.add.at(sums, codes, values)
    return sums, np.vstack([values.sum(axis=0)] * 2)


def find_cut(codes, n_bins, categorical, target, weight, min_leaf, *, words=False):
    """The kernel's split as a table of booleans, or None; and the sums of its left side."""
    n_outputs = target.shape[1]
    sums, total = sums_by_code(codes, n_bins + 1, target, weight)
    running = np.empty(n_outputs + 1, dtype=np.int64)
    side = np.zeros((2, n_outputs + 1), dtype=np.int64)
    if categorical:
        left = np.empty(256, dtype=np.uint8)
        order, keys = np.empty(256, dtype=np.int64), np.empty(256)
        found = level_cut(sums, n_bins + 1, total, min_leaf, running, order, keys, left, side)
        table = [bool(b) for b in left[: n_bins + 1]]
        return (table if found else None), side[0]
    if words:
        by_code = sums[None, :, 0] + (sums[None, :, 1] << 32)
        first, width = ordered_cut_of_words(by_code, n_bins, total, min_leaf, side)
    else:
        first, width = ordered_cut(sums, n_bins, total, min_leaf, running, side)
    table = [not first <= b < first + width for b in range(n_bins + 1)]
    return (table if width else None), side[0]


def check_cut(codes, n_bins, categorical, target, weight, min_leaf, *, words=False):
    """The cut gains as much as the best of all, and leaves enough on both sides."""
    left, side = find_cut(codes, n_bins, categorical, target, weight, min_leaf, words=words)
    if weight.sum() == 0.0:
        assert left is None
        return
    best, _ = naive.best_cut(codes, n_bins, categorical, target, weight, min_leaf)
    if best == 0.0:
        assert left is None
        return
    goes_left = np.array([left[b] for b in codes])
    assert_allclose(naive.between(goes_left, target, weight), best, rtol=1e-9)
    assert weight[goes_left].sum() >= min_leaf
    assert weight[~goes_left].sum() >= min_leaf
    own = np.column_stack([target * weight[:, None], weight])[goes_left].sum(axis=0)
    assert_array_equal(side, own)
    unseen = set(range(n_bins + 1)) - set(codes[weight > 0.0].tolist())
    if not categorical:
        assert left[:n_bins] == sorted(left[:n_bins], reverse=True)
        unseen &= {n_bins}
    heavier = weight[goes_left].sum() > weight[~goes_left].sum()
    assert {left[b] for b in unseen} <= {heavier}


@given(columns())
@examples(150)
def test_ordered_cuts_are_the_best(column):
    codes, n_bins, *rest = column
    check_cut(codes, n_bins, False, *rest)


@given(columns(max_outputs=1))
@examples(150)
def test_ordered_cuts_from_words_are_the_best(column):
    codes, n_bins, *rest = column
    check_cut(codes, n_bins, False, *rest, words=True)


@given(columns(max_levels=10))
@examples(300)
def test_divisions_of_levels_are_the_best(column):
    codes, n_bins, *rest = column
    check_cut(codes, n_bins, True, *rest)


@given(columns(max_outputs=1))
@examples(50)
def test_no_division_of_any_size_is_better_for_one_output(column):
    codes, n_bins, target, weight, _ = column
    codes, target, weight = codes[weight > 0.0], target[weight > 0.0], weight[weight > 0.0]
    left, _ = find_cut(codes, n_bins, True, target, weight, 0.0)
    if left is not None:
        found = naive.between(np.array([left[b] for b in codes]), target, weight)
        for division in naive.all_divisions(sorted(set(codes.tolist())), n_bins + 1):
            goes_left = np.array([division[b] for b in codes])
            assert naive.between(goes_left, target, weight) <= found * (1.0 + 1e-9) + 1e-9


@pytest.mark.parametrize("words", [False, True])
def test_missing_cells_go_where_they_fit_better(words):
    codes = np.array([0, 0, 1, 1, 2, 2])  # 2 stands for missing
    weight = np.ones(6)
    for missing_value, expected in [(0.0, True), (9.0, False)]:
        target = np.array([0.0, 0.0, 9.0, 9.0, missing_value, missing_value])[:, None]
        left, _ = find_cut(codes, 2, False, target, weight, 1.0, words=words)
        assert left == [True, False, expected]


@pytest.mark.parametrize("words", [False, True])
def test_missing_cells_may_be_all_that_goes_right(words):
    codes = np.array([0, 1, 0, 1, 2, 2])
    target = np.array([0.0, 0.0, 0.1, 0.1, 9.0, 9.0])[:, None] * 10.0
    left, _ = find_cut(codes, 2, False, target, np.ones(6), 1.0, words=words)
    assert left == [True, True, False]


def test_many_levels_are_sorted_by_their_means():
    rng = np.random.default_rng(0)
    means = rng.permutation(200)
    codes = np.repeat(np.arange(200), 3)
    target = np.where(means[codes] < 77, -1.0, 1.0)[:, None] * 100.0 + means[codes, None]
    left, _ = find_cut(codes, 200, True, target, np.ones(600), 1.0)
    assert_array_equal(left[:200], means < 77)
    assert left[200] is False  # never seen, so it follows the heavier side


def whole_rows(rng, n_rows, n_outputs):
    """Draw outputs, weights, and what of them is summed."""
    y = rng.integers(-1000, 1000, size=(n_rows, n_outputs)).astype(np.float64)
    w = rng.integers(0, 5, size=n_rows).astype(np.float64)
    return y, w, np.column_stack([y * w[:, None], w]).astype(np.int64)


def test_between_is_the_sum_of_squares_between_sides():
    rng = np.random.default_rng(0)
    y, w, values = whole_rows(rng, 30, 3)
    goes_left = rng.random(30) < 0.4
    total = np.vstack([values.sum(axis=0)] * 2)
    assert_allclose(between(values[goes_left].sum(axis=0), total), naive.between(goes_left, y, w))
    assert between(total[0], total) == -1.0


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_signed_gain_equals_the_naive_twin(n_outputs):
    rng = np.random.default_rng(n_outputs)
    signs = set()
    for _ in range(20):
        y, w, values = whole_rows(rng, 40, n_outputs)
        left, out = rng.random(40) < 0.5, rng.random(40) < 0.5
        total = np.array([values[part].sum(axis=0) for part in (~out, out)])
        side = np.array([values[left & part].sum(axis=0) for part in (~out, out)])
        expected = naive.signed_gain(left[~out], y[~out], w[~out], left[out], y[out], w[out])
        assert_allclose(signed_gain(side, total), expected, rtol=1e-9)
        assert signed_gain(total - side, total) == signed_gain(side, total)
        bound = largest_gain(side, total)
        assert abs(signed_gain(side, total)) <= bound
        if n_outputs == 1:
            assert_allclose(bound, abs(signed_gain(side, total)), rtol=1e-8)
        signs.add(np.sign(expected))
    assert signs == {-1.0, 1.0}


def test_signed_gain_is_0_where_a_side_is_empty_or_nothing_differs():
    total = np.array([[4, 8], [4, 8]])
    assert signed_gain(np.array([[1, 4], [0, 0]]), total) == 0.0
    assert signed_gain(np.array([[1, 4], [4, 8]]), total) == 0.0
    assert signed_gain(np.array([[2, 4], [1, 4]]), total) == 0.0


def test_gains_judged_on_the_bag_itself_are_those_of_the_bag():
    side, total = np.array([[1, 4]] * 2), np.array([[4, 8]] * 2)
    assert signed_gain(side, total) == between(side[0], total)


def test_equal_parts_gain_the_same_whatever_the_bag_says():
    """One output has but two directions, so that ties are ties."""
    rng = np.random.default_rng(0)
    _, _, values = whole_rows(rng, 100, 1)
    total = np.vstack([values[:50].sum(axis=0), values[50:].sum(axis=0)]) * 997
    gains = set()
    for _ in range(50):
        inside = values[:50][rng.random(50) < 0.5].sum(axis=0) * 997
        gains.add(abs(signed_gain(np.vstack([inside, values[50:60].sum(axis=0) * 997]), total)))
    assert len(gains) == 1
