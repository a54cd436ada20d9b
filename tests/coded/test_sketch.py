"""Bins come from all rows, and depend on nothing but them."""

import numpy as np
import pytest

from tests.naive import binning
from tests.naive import sketch as naive
from thresher.coded._sketch import PART, NumberSketch
from thresher.kernels.binning import quantile_edges


def sketch_of(values, sizes, max_values=254):
    sketch = NumberSketch(len(values), max_values)
    start = 0
    for size in sizes:
        assert sketch.add(values[start : start + size])
        start += size
    return sketch


@pytest.mark.parametrize("order", ["random", "ascending", "descending", "waves"])
def test_ranks_of_edges_are_off_by_no_more_than_promised(order):
    rng = np.random.default_rng(0)
    values = rng.lognormal(sigma=3, size=50 * PART + 123)
    if order != "random":
        values.sort()
    if order == "descending":
        values = values[::-1].copy()
    if order == "waves":
        values = values[: 50 * PART].reshape(-1, 25).T.ravel()
    n = len(values)
    edges = sketch_of(values, [n]).cut(254).edges
    ranks = np.searchsorted(np.sort(values), edges) / n
    assert len(edges) == 253
    bound = np.log2(n / PART) / PART
    assert np.abs(ranks - np.arange(1, 254) / 254).max() <= bound + 1 / PART


@pytest.mark.parametrize("n_rows", [100, PART + 300, 7 * PART + 5, 12 * PART])
@pytest.mark.parametrize("decimals", [1, 2, 12])
def test_the_sketch_is_that_of_its_twin(n_rows, decimals):
    values = np.random.default_rng(n_rows + decimals).normal(size=n_rows).round(decimals)
    sketch = sketch_of(values, [n_rows // 3, n_rows - n_rows // 3])
    expected = naive.points(values.tolist(), 254, PART)
    found, counts = sketch.points()
    assert list(zip(found.tolist(), counts.tolist(), strict=True)) == expected
    assert counts.sum() == n_rows
    rows = [value for value, count in expected for _ in range(count)]
    for max_bins in (2, 10, 254):
        edges = binning.quantile_edges(rows, max_bins)
        np.testing.assert_array_equal(sketch.cut(max_bins).edges, edges)


def test_batches_make_no_difference():
    values = np.random.default_rng(1).normal(size=20_000).round(3)
    values[::7] = np.nan
    whole = sketch_of(values, [20_000])
    parts = sketch_of(values, [1, 3000, 5, 10_000, 4096, 2898])
    for one, other in zip(whole.points(), parts.points(), strict=True):
        np.testing.assert_array_equal(one, other)
    assert whole.n_missing == parts.n_missing == np.isnan(values).sum()


def test_few_values_are_all_kept_and_counted():
    values = np.random.default_rng(2).integers(254, size=30_000).astype(float)
    found, counts = sketch_of(values, [7, 29_993]).points()
    expected = np.unique(values, return_counts=True)
    np.testing.assert_array_equal(found, expected[0])
    np.testing.assert_array_equal(counts, expected[1])


def test_small_columns_are_cut_as_in_memory():
    values = np.random.default_rng(3).normal(size=3000)  # too few to be thinned out
    cut = sketch_of(values, [1000, 2000]).cut(64)
    np.testing.assert_array_equal(cut.edges, quantile_edges(np.sort(values), 64))
    np.testing.assert_array_equal(np.searchsorted(cut.edges, cut.values), np.arange(64))
    assert np.isin(cut.values, values).all()


@pytest.mark.parametrize(
    ("values", "constant"),
    [([5.0, 5.0], True), ([5.0, np.nan], False), ([np.nan] * 2, True), ([5.0, 6.0], False)],
)
def test_constant_means_that_all_cells_are_the_same(values, constant):
    assert sketch_of(np.array(values), [2]).is_constant == constant


def test_infinity_is_told():
    assert not NumberSketch(2, 3).add(np.array([1.0, -np.inf]))
