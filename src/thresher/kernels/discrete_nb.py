"""Held-out losses of naive Bayes on discrete columns, from tables of log probabilities.

The score of a class is a sum of table entries over columns, so a flip adds one entry to the sums of
its base. Losses are written to ``out``, of shape (n_subsets, n_tested).
"""

import numpy as np

from ._class_scores import (
    CELLS,
    columns_of,
    fill,
    judge_rows,
    judging_space,
    start_sums,
)
from ._jit import kernel


@kernel
def _table_terms(codes, rows, table, block, sums):
    """Add what a table says of the codes of one column."""
    n = rows.shape[0]
    for r in range(n):
        block[r] = codes[rows[r]]
    for c in range(sums.shape[0]):
        levels, total = table[c], sums[c]
        if levels.shape[0] == 2:  # a choice is faster than a look-up
            low, high = levels[0], levels[1]
            for r in range(n):
                total[r] += high if block[r] else low
        else:
            for r in range(n):
                total[r] += levels[block[r]]


@kernel
def table_flips(codes, table, offset, tested, unit, base, lists, signs, out):
    """Losses of a base with each of several lists of columns added to it or taken out.

    All sums are of integers, and so exact: it does not matter in which order columns come and go.

    Parameters
    ----------
    codes : array of int32, shape (n_columns, n_rows)
    table : array of int64, shape (n_classes, n_levels)
        Log probabilities of levels in classes, in multiples of ``unit``.
    offset : array of int64, shape (n_columns + 1,)
        The levels of column j are ``table[:, offset[j] : offset[j + 1]]``.
    tested : Tested
        With ``prior`` of int64, in multiples of ``unit``.
    unit : float
    base : array of int64
        Columns.
    lists : Lists
        None of them empty.
    signs : array of int64, shape (n_lists,)
        1 to add the list, -1 to take it out.
    out : array of float64, shape (n_lists, n_tested)
    """
    n_classes, n = table.shape[0], tested.rows.shape[0]
    size = max(CELLS // n_classes, 64)
    sums, terms = np.empty((n_classes, size), np.int64), np.empty((n_classes, size), np.int64)
    block, space = np.empty(size, np.int32), judging_space(sums)
    for first in range(0, n, size):
        last = min(first + size, n)
        rows, truth = tested.rows[first:last], tested.truth[first:last]
        start_sums(truth, tested.prior, sums)
        for j in base:
            levels = table[:, offset[j] : offset[j + 1]]
            _table_terms(codes[j], rows, levels, block, sums)
        for i in range(out.shape[0]):
            fill(terms, 0)
            for j in columns_of(lists, i):
                levels = table[:, offset[j] : offset[j + 1]]
                _table_terms(codes[j], rows, levels, block, terms)
            if signs[i] < 0:
                for c in range(n_classes):
                    for r in range(last - first):
                        terms[c, r] = -terms[c, r]
            judge_rows(sums, terms, truth, tested.loss, unit, space, out[i, first:last])
