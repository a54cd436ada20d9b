"""The distinct values of columns, their numbers as codes, and how often they occur.

Values are (columns, rows) of float64, NaN where a cell is missing; codes are the same of int32.
"""

import numpy as np

from ._jit import kernel
from .binning import assign_codes


@kernel
def turn(block, turned):
    """Write the columns of a block as rows, a few of its rows at a time: they are far apart."""
    n = block.shape[0]
    for first in range(0, n, 16):
        for j in range(block.shape[1]):
            for r in range(first, min(first + 16, n)):
                turned[j, r] = block[r, j]


@kernel
def _distinct_values(values, found):
    """Put the distinct values into ``found``, in order, until it is full; return how many."""
    n, before = 0, np.nan
    for x in values:
        if x == before or x != x:
            continue
        before = x
        low, high = 0, n
        while low < high:
            middle = (low + high) // 2
            if found[middle] < x:
                low = middle + 1
            else:
                high = middle
        if low < n and found[low] == x:
            continue
        for k in range(n, low, -1):
            found[k] = found[k - 1]
        found[low] = x
        n += 1
        if n == found.shape[0]:
            break
    return n


@kernel
def list_values(values, found, n_found):
    """Distinct values of each column, in order, as far as there is room in ``found``.

    ``n_found[j]`` is their number; as many as there is room for may mean more.
    """
    for j in range(values.shape[0]):
        n_found[j] = _distinct_values(values[j], found[j])


@kernel
def code_values(values, found, n_found, positions, codes):
    """Number of each cell's value among those found, and ``n_found[j]`` for missing cells.

    Those of column j are written to ``codes[positions[j]]``, unless there was no room in ``found``.
    """
    for j in range(values.shape[0]):
        n, cells = n_found[j], codes[positions[j]]
        if n == found.shape[1]:
            continue
        if n > 2:
            assign_codes(values[j], found[j, : n - 1], n, cells)
            continue
        highest = found[j, n - 1] if n == 2 else np.inf
        for r in range(values.shape[1]):
            x = values[j, r]
            code = 1 if x == highest else 0
            cells[r] = code if x == x else n


@kernel
def count_runs(codes, order, starts, group, classes, first, n_levels, counts):
    """Count levels in runs of rows that belong to one group and one class each.

    Parameters
    ----------
    codes : array of int32, shape (n_columns, n_rows)
    order : array of int64, shape (n_rows,)
        Rows, run after run.
    starts, group, classes : arrays of int64
        Run i is ``order[starts[i] : starts[i + 1]]``, all of it in one group and one class.
    first, n_levels : arrays of int64, shape (n_columns,)
        The levels of column j are counted from ``first[j]`` on; codes beyond them are missing.
    counts : array of int64, shape (n_groups, n_all_levels, n_classes)
        Zeros to begin with.
    """
    block = np.empty(order.shape[0], np.int32)
    for j in range(codes.shape[0]):
        most = 0
        for i in range(order.shape[0]):
            block[i] = codes[j, order[i]]
            most = max(most, block[i])
        for i in range(starts.shape[0] - 1):
            run, g, c = block[starts[i] : starts[i + 1]], group[i], classes[i]
            if most <= 1 and n_levels[j] == 2:  # a sum is faster than many single steps
                ones = 0
                for code in run:
                    ones += code
                counts[g, first[j], c] += run.shape[0] - ones
                counts[g, first[j] + 1, c] += ones
            else:
                for code in run:
                    if code < n_levels[j]:
                        counts[g, first[j] + code, c] += 1
