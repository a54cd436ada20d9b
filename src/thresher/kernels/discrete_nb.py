"""Held-out losses of naive Bayes on discrete columns, from tables of log probabilities.

The score of a class is a sum of table entries over columns, so a flip adds one entry to the sums of
its base. Losses are written to ``out``, of shape (n_subsets, n_tested).

Tables may have a second half, with as many rows again: 1 where a level has the probability zero
within a class, so that sums there tell how often the class is ruled out.
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

# What a class that is ruled out has less than its prior.
RULED_OUT = 2**61


@kernel
def _scores_or_priors(left, right, prior, truth, scores):
    """Scores of classes that are not ruled out; the others are left with their priors, far below.

    Where all are ruled out, the priors decide.
    """
    n_classes = scores.shape[0]
    for c in range(n_classes):
        for r in range(truth.shape[0]):
            if left[n_classes + c, r] + right[n_classes + c, r] > 0:
                scores[c, r] = prior[truth[r], c] - RULED_OUT
            else:
                scores[c, r] = left[c, r] + right[c, r]


@kernel
def _judge(left, right, prior, truth, loss, unit, space, out):
    scores, zeros, rest = space
    if left.shape[0] == scores.shape[0]:
        judge_rows(left, right, truth, loss, unit, rest, out)
    else:
        _scores_or_priors(left, right, prior, truth, scores)
        judge_rows(scores, zeros, truth, loss, unit, rest, out)


@kernel
def _space(n_classes, size):
    """Memory for `_judge`."""
    scores = np.empty((n_classes, size), np.int64)
    return scores, np.zeros((n_classes, size), np.int64), judging_space(scores)


@kernel
def _are_neighbours(rows):
    """Whether rows follow each other, so that their codes need not be gathered."""
    for r in range(1, rows.shape[0]):
        if rows[r] != rows[r - 1] + 1:
            return False
    return rows.shape[0] > 0


@kernel
def _add_terms(codes, n, table, sums):
    for c in range(sums.shape[0]):
        levels, total = table[c], sums[c]
        if levels.shape[0] == 2:  # a choice is faster than a look-up
            low, high = levels[0], levels[1]
            for r in range(n):
                total[r] += high if codes[r] else low
        else:
            for r in range(n):
                total[r] += levels[codes[r]]


@kernel
def _table_terms(codes, rows, neighbours, table, block, sums):
    """Add what a table says of the codes of one column."""
    n = rows.shape[0]
    if neighbours:
        _add_terms(codes[rows[0] : rows[0] + n], n, table, sums)
    else:
        for r in range(n):
            block[r] = codes[rows[r]]
        _add_terms(block, n, table, sums)


@kernel
def table_flips(codes, table, offset, tested, unit, base, lists, signs, out):
    """Losses of a base with each of several lists of columns added to it or taken out.

    All sums are of integers, and so exact: it does not matter in which order columns come and go.

    Parameters
    ----------
    codes : array of int32, shape (n_columns, n_rows)
    table : array of int64, shape (n_classes, n_levels), or twice as many rows
        Log probabilities of levels in classes, in multiples of ``unit``.
    offset : array of int64, shape (n_columns + 1,)
        The levels of column j are ``table[:, offset[j] : offset[j + 1]]``.
    tested : Tested
        With ``prior`` of int64, in multiples of ``unit``, as wide as the table is high.
    unit : float
    base : array of int64
        Columns.
    lists : Lists
        None of them empty.
    signs : array of int64, shape (n_lists,)
        1 to add the list, -1 to take it out.
    out : array of float64, shape (n_lists, n_tested)
    """
    height, n = table.shape[0], tested.rows.shape[0]
    size = max(CELLS // height, 64)
    sums, terms = np.empty((height, size), np.int64), np.empty((height, size), np.int64)
    block, space = np.empty(size, np.int32), _space(tested.prior.shape[0], size)
    for first in range(0, n, size):
        last = min(first + size, n)
        rows, truth = tested.rows[first:last], tested.truth[first:last]
        neighbours = _are_neighbours(rows)
        start_sums(truth, tested.prior, sums)
        for j in base:
            levels = table[:, offset[j] : offset[j + 1]]
            _table_terms(codes[j], rows, neighbours, levels, block, sums)
        for i in range(out.shape[0]):
            fill(terms, 0)
            for j in columns_of(lists, i):
                levels = table[:, offset[j] : offset[j + 1]]
                _table_terms(codes[j], rows, neighbours, levels, block, terms)
            if signs[i] < 0:
                for c in range(height):
                    for r in range(last - first):
                        terms[c, r] = -terms[c, r]
            losses = out[i, first:last]
            _judge(sums, terms, tested.prior, truth, tested.loss, unit, space, losses)


@kernel
def move_sums(codes, tables, offset, rows, starts, columns, sign, sums):
    """Add the terms of columns to the sums of all tested rows, or take them out.

    Parameters
    ----------
    codes, offset
        As for `table_flips`.
    tables : array of int64, shape (n_folds, n_classes, n_levels), or twice as many rows each
    rows, starts : arrays of int64
        Fold f tests ``rows[starts[f] : starts[f + 1]]``.
    columns : array of int64
    sign : int
        1 to add them, -1 to take them out.
    sums : array of int64, shape (n_classes, n_tested), or twice as many rows
    """
    height = sums.shape[0]
    size = max(CELLS // height, 64)
    terms, block = np.empty((height, size), np.int64), np.empty(size, np.int32)
    for f in range(starts.shape[0] - 1):
        for first in range(starts[f], starts[f + 1], size):
            last = min(first + size, starts[f + 1])
            some = rows[first:last]
            neighbours = _are_neighbours(some)
            fill(terms, 0)
            for j in columns:
                levels = tables[f, :, offset[j] : offset[j + 1]]
                _table_terms(codes[j], some, neighbours, levels, block, terms)
            for c in range(height):
                for r in range(first, last):
                    sums[c, r] += sign * terms[c, r - first]


@kernel
def table_removals(
    codes, tables, offset, priors, rows, truth, starts, units, loss, sums, lists, out
):
    """Losses of a base without each of several lists of columns, from the sums over the base.

    Parameters
    ----------
    codes, tables, offset, rows, starts
        As for `move_sums`.
    priors : array of int64, shape (n_folds, n_classes, height of a table)
    truth : array of int64, shape (n_tested,)
        Classes of the rows.
    units : array of float64, shape (n_folds,)
        What tables and sums are multiples of.
    loss : int
        See ``_loss``.
    sums : array of int64, shape (n_classes, n_tested), or twice as many rows
        Over the columns of the base, and the prior.
    lists : Lists
        What is removed; a list may be empty.
    out : array of float64, shape (n_lists, n_tested)
    """
    height = sums.shape[0]
    size = max(CELLS // height, 64)
    left, gone = np.empty((height, size), np.int64), np.empty((height, size), np.int64)
    block, space = np.empty(size, np.int32), _space(priors.shape[1], size)
    for f in range(starts.shape[0] - 1):
        for first in range(starts[f], starts[f + 1], size):
            last = min(first + size, starts[f + 1])
            some = rows[first:last]
            neighbours = _are_neighbours(some)
            for c in range(height):
                for r in range(first, last):
                    left[c, r - first] = sums[c, r]
            for i in range(out.shape[0]):
                fill(gone, 0)
                for j in columns_of(lists, i):
                    levels = tables[f, :, offset[j] : offset[j + 1]]
                    _table_terms(codes[j], some, neighbours, levels, block, gone)
                for c in range(height):
                    for r in range(last - first):
                        gone[c, r] = -gone[c, r]
                tested, losses = truth[first:last], out[i, first:last]
                _judge(left, gone, priors[f], tested, loss, units[f], space, losses)
