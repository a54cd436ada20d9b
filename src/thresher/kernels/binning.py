"""Bin edges from sorted values, and codes from edges."""

import numpy as np

from ._jit import kernel


@kernel
def quantile_edges(ordered, max_bins):
    """Edges between at most ``max_bins`` bins of sorted, finite values.

    Few distinct values get a bin each; otherwise bins hold about equally many values. An edge lies
    halfway between two neighbouring distinct values, so that ties never part.
    """
    n = ordered.shape[0]
    n_distinct = 1 if n else 0
    for i in range(1, n):
        if ordered[i] != ordered[i - 1]:
            n_distinct += 1
    every_value = n_distinct <= max_bins
    edges = np.empty(max_bins, dtype=np.float64)
    n_edges = 0
    next_cut = 1
    for i in range(1, n):
        if ordered[i] == ordered[i - 1]:
            continue
        due = next_cut * n <= i * max_bins
        if not (every_value or due):
            continue
        # the halves are taken first: the sum of two huge numbers would overflow
        middle = 0.5 * ordered[i - 1] + 0.5 * ordered[i]
        edges[n_edges] = middle if middle < ordered[i] else ordered[i - 1]
        n_edges += 1
        while next_cut * n <= i * max_bins:
            next_cut += 1
    return edges[:n_edges].copy()


@kernel
def assign_codes(values, edges, missing, codes):
    """Number of edges below each value; ``missing`` for NaN. Bisection without branches."""
    n_edges = edges.shape[0]
    for i in range(values.shape[0]):
        x = values[i]
        if x != x:
            codes[i] = missing
            continue
        low = 0
        length = n_edges
        while length > 1:
            half = length // 2
            low += half * (edges[low + half - 1] < x)
            length -= half
        if length == 1:
            low += edges[low] < x
        codes[i] = low
