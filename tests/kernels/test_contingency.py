"""Counts of pairs, and cuts found from them, are those of the rows themselves."""

import numpy as np
import pytest

from thresher.kernels.contingency import count_pairs, mdl_bins
from thresher.kernels.mdl import mdl_cuts


def test_pairs_are_counted():
    rng = np.random.default_rng(0)
    one, other = rng.integers(5, size=300).astype(np.uint8), rng.integers(3, size=300)
    counts = np.ones((5, 3), dtype=np.int64)
    count_pairs(one, other, counts)
    for a in range(5):
        for b in range(3):
            assert counts[a, b] == 1 + ((one == a) & (other == b)).sum()


@pytest.mark.parametrize("seed", range(8))
def test_bins_are_merged_where_rows_would_not_be_cut(seed):
    rng = np.random.default_rng(seed)
    n, n_bins, n_classes = 2000, 30, 2 + seed % 3
    bins = np.sort(rng.integers(n_bins, size=n))
    shares = rng.dirichlet(np.ones(n_classes), size=4)[np.arange(n_bins) * 4 // n_bins]
    classes = np.array([rng.choice(n_classes, p=shares[b]) for b in bins])
    numbers = np.arange(n + 1, dtype=float)
    logs = numbers * np.log2(np.maximum(numbers, 1.0))
    edges = np.zeros(n)
    n_cuts = mdl_cuts(bins.astype(float), classes, n_classes, logs, edges)
    counts = np.zeros((n_bins, n_classes), dtype=np.int64)
    count_pairs(bins, classes, counts)
    assert counts.any(axis=1).all()
    levels = np.zeros(n_bins, dtype=np.int64)
    assert mdl_bins(counts.astype(float), levels) == n_cuts + 1
    np.testing.assert_array_equal(levels, np.searchsorted(edges[:n_cuts], np.arange(n_bins)))
