"""Sketches of columns that are seen once, a part at a time: few distinct values, or sorted runs."""

import numpy as np

from ._jit import kernel


@kernel
def count_values(values, found, counts, n_found):
    """Count distinct values, kept in order, until there is no room for another one.

    Parameters
    ----------
    values : array of float64
        None missing.
    found, counts : arrays of float64 and int64, of the same length
        Values and how often each occurs; the first ``n_found`` are in use.
    n_found : int

    Returns
    -------
    n_found, n_seen : int
        How many are in use now, and how many of ``values`` have been counted.
    """
    last = -1
    for i in range(values.shape[0]):
        x = values[i]
        if last >= 0 and found[last] == x:
            counts[last] += 1
            continue
        low, high = 0, n_found
        while low < high:
            middle = (low + high) // 2
            if found[middle] < x:
                low = middle + 1
            else:
                high = middle
        if low == n_found or found[low] != x:
            if n_found == found.shape[0]:
                return n_found, i
            for k in range(n_found, low, -1):
                found[k], counts[k] = found[k - 1], counts[k - 1]
            found[low], counts[low] = x, 0
            n_found += 1
        counts[low] += 1
        last = low
    return n_found, values.shape[0]


@kernel
def add_runs(sorted_parts, runs, occupied, odd):
    """Halve sorted parts of a column, and merge the halves two by two.

    Like counting in binary: the run of level h stands for ``2**(h + 1)`` values with each of its
    own; where one is there already, both are merged, every second value is dropped, and the rest
    goes up. Whether the even or the odd ones are dropped alternates.

    Parameters
    ----------
    sorted_parts : array of float64, shape (n_parts, 2 * size)
        Each in ascending order.
    runs : array of float64, shape (n_levels, size)
    occupied, odd : arrays of int64, shape (n_levels,)
        Whether there is a run, and which values go next; ``odd[-1]`` is that of the parts.
    """
    size = runs.shape[1]
    carry, merged = np.empty(size), np.empty(2 * size)
    for p in range(sorted_parts.shape[0]):
        start = odd[-1]
        odd[-1] = 1 - start
        for i in range(size):
            carry[i] = sorted_parts[p, 2 * i + start]
        level = 0
        while occupied[level]:
            i, j = 0, 0
            own = runs[level]
            for k in range(2 * size):
                if j == size or (i < size and own[i] <= carry[j]):
                    merged[k] = own[i]
                    i += 1
                else:
                    merged[k] = carry[j]
                    j += 1
            start = odd[level]
            odd[level] = 1 - start
            for k in range(size):
                carry[k] = merged[2 * k + start]
            occupied[level] = 0
            level += 1
        runs[level] = carry
        occupied[level] = 1


@kernel
def weighted_edges(values, weights, max_bins):
    """Edges between at most ``max_bins`` bins of distinct values in ascending order.

    The rule is that of ``binning.quantile_edges``, as if each value were there ``weights`` times.
    """
    n = values.shape[0]
    total = np.int64(0)
    for w in weights:
        total += w
    edges = np.empty(max(max_bins, 1), dtype=np.float64)
    n_edges, next_cut, before = 0, np.int64(1), np.int64(0)
    for i in range(1, n):
        before += weights[i - 1]
        if n > max_bins and next_cut * total > before * max_bins:
            continue
        # the halves are taken first: the sum of two huge numbers would overflow
        middle = 0.5 * values[i - 1] + 0.5 * values[i]
        edges[n_edges] = middle if middle < values[i] else values[i - 1]
        n_edges += 1
        while next_cut * total <= before * max_bins:
            next_cut += 1
    return edges[:n_edges].copy()
