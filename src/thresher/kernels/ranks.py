"""Friedman's test on many candidates, of which the worst goes, again and again."""

import numpy as np

from ._jit import kernel


@kernel
def drop_worst(losses, means, critical):
    """Drop the candidate with the highest mean while the ranks of those left are not alike.

    Parameters
    ----------
    losses : array of shape (n_rows, n_candidates)
        What has been seen.
    means : array of shape (n_candidates,)
        By which candidates go; of equal ones the last.
    critical : array of shape (n_candidates + 1,)
        With k candidates left, statistics above ``critical[k]`` end it for one of them.

    Returns
    -------
    dropped : array of int
        Who goes, in this order.
    statistics : array of shape (n_dropped + 1,)
        Friedman's statistic before each of them goes, and at last when nobody does.
    """
    n_rows, n_candidates = losses.shape
    ranks = average_ranks(losses)
    sums = np.zeros(n_candidates)
    squares = 0.0
    for i in range(n_rows):
        for j in range(n_candidates):
            sums[j] += ranks[i, j]
            squares += ranks[i, j] * ranks[i, j]
    # from the last of the highest mean to the first of the lowest
    order = np.argsort(-means[::-1], kind="mergesort")
    inside = np.ones(n_candidates, dtype=np.bool_)
    dropped = np.empty(n_candidates, dtype=np.intp)
    statistics = np.empty(n_candidates + 1)
    n_left = n_candidates
    while True:
        n_dropped = n_candidates - n_left
        statistics[n_dropped] = _statistic(sums, squares, inside, n_left, n_rows)
        if n_left == 1 or not statistics[n_dropped] > critical[n_left]:
            return dropped[:n_dropped], statistics[: n_dropped + 1]
        worst = n_candidates - 1 - order[n_dropped]
        squares = _take_out(losses, worst, inside, ranks, sums, squares)
        dropped[n_dropped] = worst
        n_left -= 1


@kernel
def average_ranks(losses):
    """Rank within each row, from 1; equal values share the mean of their ranks."""
    n_rows, n_candidates = losses.shape
    ranks = np.empty((n_rows, n_candidates))
    for i in range(n_rows):
        row = losses[i]
        order = np.argsort(row)
        start = 0
        while start < n_candidates:
            stop = start + 1
            while stop < n_candidates and row[order[stop]] == row[order[start]]:
                stop += 1
            for k in range(start, stop):
                ranks[i, order[k]] = 0.5 * (start + stop + 1)
            start = stop
    return ranks


@kernel
def _statistic(sums, squares, inside, k, n):
    """Friedman's statistic, with the correction for ties; 0 if every row is one big tie."""
    middle = 0.5 * n * (k + 1)
    spread = squares - middle * (k + 1) * k * 0.5
    if k < 2 or not spread > 1e-9 * squares:
        return 0.0
    total = 0.0
    for j in range(sums.shape[0]):
        if inside[j]:
            total += (sums[j] - middle) ** 2
    return (k - 1) * total / spread


@kernel
def _take_out(losses, worst, inside, ranks, sums, squares):
    """Close the gaps that a candidate leaves in the ranks; return the new sum of squares."""
    inside[worst] = False
    for i in range(losses.shape[0]):
        row, ranked, bar = losses[i], ranks[i], losses[i, worst]
        change = -ranked[worst] * ranked[worst]
        for j in range(row.shape[0]):
            if inside[j] and row[j] >= bar:
                step = 1.0 if row[j] > bar else 0.5
                change += step * (step - 2.0 * ranked[j])
                ranked[j] -= step
                sums[j] -= step
        squares += change
    return squares
