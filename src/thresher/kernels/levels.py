"""Columns as levels: where numbers are cut, how often levels occur in classes, what they count.

Values are (columns, rows) of float64, NaN where a cell is missing; codes are the same of int32.
"""

import numpy as np

from ._jit import kernel
from .binning import assign_codes

# No probability is smaller: its logarithm must be finite, and a sum of many must fit in an integer.
LEAST = 2.0**-64


@kernel
def _between(low, high):
    # the halves are taken first: the sum of two huge numbers would overflow
    middle = 0.5 * low + 0.5 * high
    return middle if middle < high else low


@kernel
def _equally_filled(values, order, weights, n_bins, edges):
    """Cut where bins weigh about the same; ties never part. Return the number of edges."""
    n, total = 0, 0.0
    for r in order:
        if values[r] != values[r]:  # they come last
            break
        n += 1
        total += weights[r]
    n_edges, next_cut, before = 0, 1, weights[order[0]]
    for i in range(1, n):
        low, high = values[order[i - 1]], values[order[i]]
        if low != high and next_cut * total <= before * n_bins:
            edges[n_edges] = _between(low, high)
            n_edges += 1
            while next_cut * total <= before * n_bins:
                next_cut += 1
        before += weights[order[i]]
    return n_edges


@kernel
def _equally_wide(values, n_bins, edges):
    low, high = np.inf, -np.inf
    for x in values:
        if x == x:
            low, high = min(low, x), max(high, x)
    for k in range(n_bins - 1):
        share = (k + 1) / n_bins
        edges[k] = (1.0 - share) * low + share * high
    return n_bins - 1


@kernel
def cut_columns(values, found, order, weights, n_bins, edges, n_levels):
    """Edges between the levels of numeric columns, and how many levels each has.

    A column of at most ``n_bins`` distinct values has a level for each, with edges halfway between;
    others have bins, equally filled or, if no order is given, equally wide.

    Parameters
    ----------
    values : array of float64, shape (n_columns, n_rows)
    found : array of float64, shape (n_columns, n_bins + 1)
        From `list_values`.
    order : array of int64, shape (n_large, n_rows), or without rows
        What sorts those columns that have more distinct values.
    weights : array of float64, shape (n_rows,)
        All positive.
    n_bins : int
    edges : array of float64, shape (n_columns, n_bins - 1)
        A value's level is the number of edges below it.
    n_levels : array of int64, shape (n_columns,)
        On entry, how many values were found.
    """
    large = 0
    for j in range(values.shape[0]):
        n = n_levels[j]
        if n <= n_bins:
            for k in range(1, n):
                edges[j, k - 1] = _between(found[j, k - 1], found[j, k])
        elif order.shape[0] == 0:
            n_levels[j] = _equally_wide(values[j], n_bins, edges[j]) + 1
        else:
            n_edges = _equally_filled(values[j], order[large], weights, n_bins, edges[j])
            n_levels[j] = n_edges + 1
            large += 1


@kernel
def code_columns(values, edges, n_levels, missing, codes):
    """Level of each cell; ``missing[j]`` where there is no value, or no level."""
    for j in range(values.shape[0]):
        if n_levels[j] == 0:
            for r in range(values.shape[1]):
                codes[j, r] = missing[j]
        else:
            assign_codes(values[j], edges[j, : n_levels[j] - 1], missing[j], codes[j])


@kernel
def count_levels(codes, rows, classes, weights, starts, counts):
    """Add the weight of rows to ``counts[starts[j] + level, class]``; negative codes are skipped.

    ``classes`` and ``weights`` belong to ``rows``, which are places in ``codes``.
    """
    for j in range(codes.shape[0]):
        first = starts[j]
        for i in range(rows.shape[0]):
            code = codes[j, rows[i]]
            if code >= 0:
                counts[first + code, classes[i]] += weights[i]


@kernel
def _log_estimate(count, total, m, n_levels, scale):
    """Log of the m-estimate of a probability, as a whole number of ``1 / scale``."""
    equivalent = float(n_levels) if m < 0.0 else m
    estimate = 1.0 / n_levels
    if total + equivalent > 0.0:
        estimate = (count + equivalent / n_levels) / (total + equivalent)
    return np.int64(np.rint(np.log(max(estimate, LEAST)) * scale))


@kernel
def _enter(entry, none, c, k, n_classes, table):
    """Set one entry; ``none`` if no row of the class has the level."""
    table[c, k] = entry
    if table.shape[0] > n_classes:
        table[c, k] = 0 if none else entry
        table[n_classes + c, k] = 1 if none else 0


@kernel
def _seen_levels(counts, first, last):
    n = 0
    for k in range(first, last):
        for c in range(counts.shape[1]):
            if counts[k, c] > 0.0:
                n += 1
                break
    return n


@kernel
def _nearest_seen(counts, values, first, last, k):
    """Level that a number takes whose own level does not occur; -1 if there is none."""
    if values[k] != values[k]:
        return -1
    low, high = k - 1, k + 1
    while low >= first and _seen_levels(counts, low, low + 1) == 0:
        low -= 1
    while high < last and _seen_levels(counts, high, high + 1) == 0:
        high += 1
    if low < first:
        return high if high < last else -1
    if high == last or values[k] <= _between(values[low], values[high]):
        return low
    return high


@kernel
def _level_of(counts, values, first, last, n_levels, k):
    """Level whose counts stand for level k; -1 if it says nothing."""
    if n_levels >= 0:
        return k if k - first < n_levels else -1
    if _seen_levels(counts, k, k + 1):
        return k
    return _nearest_seen(counts, values, first, last, k)


@kernel
def log_levels(counts, offset, n_levels, values, m, scale, table):
    """Log probabilities of levels within classes; zero for a level that says nothing.

    Parameters
    ----------
    counts : array of float64, shape (n_all_levels, n_classes)
    offset : array of int64, shape (n_columns + 1,)
        The levels of column j are ``counts[offset[j] : offset[j + 1]]``.
    n_levels : array of int64, shape (n_columns,)
        The column has so many levels, and what follows is none. -1: those are levels that occur.
    values : array of float64, shape (n_all_levels,)
        Read where ``n_levels`` is -1: what levels stand for. One that does not occur takes the
        nearest that does, unless its value is NaN.
    m : float
        Equivalent sample size; negative for the number of levels.
    scale : float
        Logarithms are multiplied by this and rounded.
    table : array of int64, shape (n_classes, n_all_levels)
        Or twice as many rows: with m = 0 the second half is 1 where the probability is zero, and
        there the first half is 0.
    """
    n_classes = counts.shape[1]
    for j in range(n_levels.shape[0]):
        first, last = offset[j], offset[j + 1]
        n = n_levels[j] if n_levels[j] >= 0 else _seen_levels(counts, first, last)
        for c in range(n_classes):
            total = 0.0
            for k in range(first, last):
                total += counts[k, c]
            for k in range(first, last):
                level = _level_of(counts, values, first, last, n_levels[j], k)
                if level < 0:
                    _enter(0, False, c, k, n_classes, table)
                else:
                    count = counts[level, c]
                    entry = _log_estimate(count, total, m, n, scale)
                    _enter(entry, count == 0.0 and total > 0.0, c, k, n_classes, table)


@kernel
def log_levels_without(counts, offset, nominal, values, m, scale, table):
    """Do the same for each row of a level left out in turn: no other column of ``table`` is needed.

    Parameters
    ----------
    counts, offset, m, scale
        As for `log_levels`; all levels occur.
    nominal : array of bool, shape (n_columns,)
        Without its only row, a level of such a column is unknown; another falls to its neighbour.
    values : array of float64, shape (n_all_levels,)
        What the levels of other columns stand for.
    table : array of int64, shape (n_classes, n_all_levels * n_classes)
        Column ``level * n_classes + y`` is for a row of class y that has the level. Or twice as
        many rows, as above.
    """
    n_classes = counts.shape[1]
    for j in range(nominal.shape[0]):
        first, last = offset[j], offset[j + 1]
        occurring = _seen_levels(counts, first, last)
        for k in range(first, last):
            if _seen_levels(counts, k, k + 1) == 0:  # missing cells
                for y in range(n_classes):
                    for c in range(n_classes):
                        _enter(0, False, c, k * n_classes + y, n_classes, table)
                continue
            rows = 0.0
            for c in range(n_classes):
                rows += counts[k, c]
            alone = rows == 1.0
            n = occurring - 1 if alone else occurring
            level = k
            if alone and not nominal[j] and n > 0:
                if k == first:
                    level = k + 1
                elif k == first + occurring - 1:
                    level = k - 1
                else:
                    down = values[k] <= _between(values[k - 1], values[k + 1])
                    level = k - 1 if down else k + 1
            for c in range(n_classes):
                total = 0.0
                for i in range(first, last):
                    total += counts[i, c]
                for y in range(n_classes):
                    less = 1.0 if y == c else 0.0
                    entry, none = 0, False
                    if n > 0 and not (alone and nominal[j]):
                        count = max(counts[level, c] - (0.0 if alone else less), 0.0)
                        rest = max(total - less, 0.0)
                        none = count == 0.0 and rest > 0.0
                        entry = _log_estimate(count, rest, m, n, scale)
                    _enter(entry, none, c, k * n_classes + y, n_classes, table)


@kernel
def add_levels(codes, table, offset, sums):
    """Add to ``sums``, of shape (n_classes, n_rows), what the table says of each column's codes."""
    for j in range(codes.shape[0]):
        for c in range(sums.shape[0]):
            levels, total, column = table[c, offset[j] : offset[j + 1]], sums[c], codes[j]
            for r in range(column.shape[0]):
                if column[r] >= 0:
                    total[r] += levels[column[r]]
