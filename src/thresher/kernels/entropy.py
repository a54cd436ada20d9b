"""Entropies of pairs of columns of levels.

Rows where a level is missing are spread over the levels in proportion: where one of the two is
missing, as often as each level occurs where it is known; where both are, as often as each pair.
All sums are of ``n log2 n``, for whole numbers from a table.
"""

import numpy as np

from ._jit import kernel


@kernel
def _x_log_x(x):
    return x * np.log2(x) if x > 0.0 else 0.0


@kernel
def _joint_of_known(order, starts, codes, counts, x_log_x):
    """Sum of ``n log n`` over pairs of levels; ``counts`` is all 0 before and after."""
    found = 0.0
    for level in range(starts.shape[0] - 1):
        first, last = starts[level], starts[level + 1]
        for i in range(first, last):
            counts[codes[order[i]]] += 1
        for i in range(first, last):
            code = codes[order[i]]
            if counts[code] > 0:
                found += x_log_x[counts[code]]
                counts[code] = 0
    return found


@kernel
def _spread(order, starts, codes, n_levels, out):
    """Entropies of the one, the other and both, with missing cells spread; to ``out[:3]``."""
    n_rows, n_first = order.shape[0], starts.shape[0] - 1
    totals = np.zeros(n_levels)  # how often each level of the second column occurs
    where_missing = np.zeros(n_levels)  # the same where the first one is missing
    both_missing, both_known = 0.0, 0.0
    for i in range(n_rows):
        code = codes[order[i]]
        if code >= 0:
            totals[code] += 1.0
            if i >= starts[n_first]:
                where_missing[code] += 1.0
            else:
                both_known += 1.0
        elif i >= starts[n_first]:
            both_missing += 1.0
    n_known = float(starts[n_first])
    n_second = totals.sum()
    marginal = np.zeros(n_levels)
    counts = np.empty(n_levels)
    total, h_first, h_both = 0.0, 0.0, 0.0
    for level in range(n_first):
        first, last = starts[level], starts[level + 1]
        counts[:] = 0.0
        unknown = 0.0
        for i in range(first, last):
            if codes[order[i]] >= 0:
                counts[codes[order[i]]] += 1.0
            else:
                unknown += 1.0
        here = 0.0
        for code in range(n_levels):
            cell = counts[code] + where_missing[code] * (last - first) / n_known
            if n_second > 0.0:
                cell += unknown * totals[code] / n_second
            if both_known > 0.0:
                cell += both_missing * counts[code] / both_known
            h_both += _x_log_x(cell)
            marginal[code] += cell
            here += cell
        h_first += _x_log_x(here)
        total += here
    h_second = 0.0
    for code in range(n_levels):
        h_second += _x_log_x(marginal[code])
    out[:3] = 0.0
    if total > 0.0:
        out[0] = np.log2(total) - h_first / total
        out[1] = np.log2(total) - h_second / total
        out[2] = np.log2(total) - h_both / total


@kernel
def entropies(order, starts, codes, columns, n_levels, has_missing, x_log_x, out):
    """Entropies of one column and some others, and of both together.

    Parameters
    ----------
    order : array of int64, shape (n_rows,)
        Rows by their level in the one column, those where it is missing last.
    starts : array of int64, shape (its levels + 1,)
        Where each of its levels begins in ``order``, and where the last one ends.
    codes : array of integers, shape (all columns, n_rows)
        Levels of the others, negative where they are missing.
    columns : array of int64
        Which of them.
    n_levels : array of int64, shape (all columns,)
    has_missing : array of bool, shape (all columns,)
    x_log_x : array of float64, shape (n_rows + 1,)
        ``n * log2(n)`` for n = 0, 1, ...
    out : array of float64, shape (len(columns), 3)
        Entropy of the one, of the other, of both; in bits.
    """
    n_rows = order.shape[0]
    complete = starts[-1] == n_rows
    counts = np.zeros(max(1, n_levels.max()), dtype=np.int64)
    h_one = 0.0
    for level in range(starts.shape[0] - 1):
        h_one += x_log_x[starts[level + 1] - starts[level]]
    log_n = np.log2(float(n_rows))
    for k in range(columns.shape[0]):
        j = columns[k]
        if has_missing[j] or not complete:
            _spread(order, starts, codes[j], n_levels[j], out[k])
            continue
        h_both = _joint_of_known(order, starts, codes[j], counts, x_log_x)
        h_other = 0.0
        for i in range(n_rows):
            counts[codes[j, i]] += 1
        for code in range(n_levels[j]):
            h_other += x_log_x[counts[code]]
            counts[code] = 0
        out[k, 0] = log_n - h_one / n_rows
        out[k, 1] = log_n - h_other / n_rows
        out[k, 2] = log_n - h_both / n_rows
