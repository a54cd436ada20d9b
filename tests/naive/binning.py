"""Binning in plain Python."""

import math


def quantile_edges(ordered, max_bins):
    """Midpoints between neighbouring distinct values: all, or about equally spaced in rank."""
    n = len(ordered)
    every = len(set(ordered)) <= max_bins
    edges, next_cut = [], 1
    for i in range(1, n):
        if ordered[i] == ordered[i - 1]:
            continue
        if every or i / n >= next_cut / max_bins:
            middle = ordered[i - 1] / 2 + ordered[i] / 2
            edges.append(middle if middle < ordered[i] else ordered[i - 1])
            next_cut = math.floor(i * max_bins / n) + 1
    return edges


def assign_codes(values, edges, missing):
    """Count the edges below each value."""
    return [
        missing if math.isnan(value) else sum(edge < value for edge in edges) for value in values
    ]
