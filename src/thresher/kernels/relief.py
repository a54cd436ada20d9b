"""Neighbours of rows within each class, and differences summed over them: the work of ReliefF.

A difference between two cells lies between 0 and 1. Of numbers (scaled to that range) it is the
absolute difference, and as large as it could be where one or both are missing. Of levels it is 0
or 1, and 1 - 1 / (number of levels) where one or both are missing. A distance is the sum of
differences in the order of the columns.

Layout: tables are (columns, rows) where distances are computed and (rows, columns) where
differences are summed, so that inner loops run along memory and use vector instructions.
"""

from typing import NamedTuple

import numpy as np

from ._jit import kernel
from ._relief_slots import fill_slots, free_slots, sort_slots

# What a column holds.
NUMBERS, LEVELS, NUMBERS_WITH_GAPS, LEVELS_WITH_GAPS = range(4)

# Rows whose distances are summed together: few enough for four columns to stay in the cache.
_TILE = 1024


class Cells(NamedTuple):
    """Columns of a table, as a kernel takes them."""

    values: np.ndarray  # (n_columns, n_rows): numbers from 0 to 1 or level codes; NaN if missing
    kinds: np.ndarray  # of each column: NUMBERS, LEVELS ...
    unknown: np.ndarray  # of each column, its difference to a missing level


@kernel
def _numbers_apart(a, b):
    """Difference of two numbers that may be missing."""
    apart = abs(a - b)
    known = b if a != a else a
    at_most = known if known >= 0.5 else 1.0 - known
    at_most = 1.0 if at_most != at_most else at_most
    return at_most if apart != apart else apart


@kernel
def _levels_apart(a, b, unknown):
    """Difference of two levels that may be missing."""
    apart = 0.0 if a == b else 1.0
    return unknown if (a != a) | (b != b) else apart


@kernel
def _add_column(totals, values, at, kind, unknown):
    """Add the differences in one column to the distances of some rows."""
    if kind == NUMBERS:
        for j in range(totals.shape[0]):
            totals[j] += abs(values[j] - at)
    elif kind == LEVELS:
        for j in range(totals.shape[0]):
            totals[j] += 0.0 if values[j] == at else 1.0
    elif kind == NUMBERS_WITH_GAPS:
        for j in range(totals.shape[0]):
            totals[j] += _numbers_apart(values[j], at)
    else:
        for j in range(totals.shape[0]):
            totals[j] += _levels_apart(values[j], at, unknown)


@kernel
def _add_four(totals, first, second, third, fourth, at):
    """Do the same for four columns of numbers, with a quarter of the traffic to ``totals``."""
    at_first, at_second, at_third, at_fourth = at[0], at[1], at[2], at[3]
    for j in range(totals.shape[0]):
        total = totals[j] + abs(first[j] - at_first)
        total += abs(second[j] - at_second)
        total += abs(third[j] - at_third)
        totals[j] = total + abs(fourth[j] - at_fourth)


@kernel
def _fill_distances(cells, queries, distances):
    """Distances of the queried rows to all rows; infinite to themselves."""
    values, kinds = cells.values, cells.kinds
    n_columns, n_rows = values.shape
    n_queries = queries.shape[0]
    at = np.empty(4)
    distances[:n_queries] = 0.0
    for start in range(0, n_rows, _TILE):
        stop = min(start + _TILE, n_rows)
        column = 0
        while column < n_columns:
            n_plain = 0
            while (
                n_plain < 4 and column + n_plain < n_columns and kinds[column + n_plain] == NUMBERS
            ):
                n_plain += 1
            for q in range(n_queries):
                totals = distances[q, start:stop]
                if n_plain == 4:
                    for c in range(4):
                        at[c] = values[column + c, queries[q]]
                    # cut one by one: of rows of a part of the table, the compiler would not know
                    # that they lie in one piece, and would use no vector instructions
                    _add_four(
                        totals,
                        values[column, start:stop],
                        values[column + 1, start:stop],
                        values[column + 2, start:stop],
                        values[column + 3, start:stop],
                        at,
                    )
                else:
                    value = values[column, queries[q]]
                    part = values[column, start:stop]
                    _add_column(totals, part, value, kinds[column], cells.unknown[column])
            column += 4 if n_plain == 4 else 1
    for q in range(n_queries):
        distances[q, queries[q]] = np.inf


@kernel
def find_neighbours(cells, queries, codes, sizes, ranks, block, neighbours, shares):
    """Find the nearest rows of each class, under one target or several.

    Parameters
    ----------
    cells : Cells
        The whole table.
    queries : array of int of shape (n_queries,)
        The rows whose neighbours are to be found.
    codes : array of int32 of shape (n_targets, n_rows)
        Class codes; all 0 for a numeric target.
    sizes : array of int of shape (n_classes,)
        Rows of each class, the same under every target.
    ranks : array of shape (2, n_neighbours)
        Weights of the nearest neighbour, the second nearest ..., and their running sums. Where all
        weights are equal, neighbours are in no order.
    block : int
        Queries whose distances are held in memory at a time.
    neighbours : array of int32 of shape (n_queries, n_targets, n_classes * n_neighbours)
        Filled with rows, class after class.
    shares : array of that shape
        Filled with their shares in the weights of the columns: -1 in all for the row's own class,
        P(class) / (1 - P(own class)) in all for another; 0 in free slots. For one class, 1 in all.
    """
    distances = np.empty((block, cells.values.shape[1]))
    slots = free_slots(sizes.shape[0], ranks.shape[1])
    for start in range(0, queries.shape[0], block):
        part = queries[start : start + block]
        _fill_distances(cells, part, distances)
        for q in range(part.shape[0]):
            for t in range(codes.shape[0]):
                fill_slots(distances[q], codes[t], slots)
                _list_slots(
                    slots,
                    sizes,
                    codes[t, part[q]],
                    ranks,
                    neighbours[start + q, t],
                    shares[start + q, t],
                )


@kernel
def _list_slots(slots, sizes, own, ranks, neighbours, shares):
    """Write down the neighbours of one row under one target, and their shares."""
    n_classes, k = slots.rows.shape
    n_others = sizes.sum() - sizes[own]
    for c in range(n_classes):
        n_found = slots.n_found[c]
        if ranks[0, k - 1] != ranks[0, 0]:
            sort_slots(slots.distances[c], slots.rows[c], n_found, slots.pending)
        odds = -1.0 if c == own else sizes[c] / n_others
        odds = 1.0 if n_classes == 1 else odds
        for s in range(k):
            found = s < n_found
            neighbours[c * k + s] = slots.rows[c, s] if found else 0
            shares[c * k + s] = odds * ranks[0, s] / ranks[1, n_found - 1] if found else 0.0


@kernel
def add_differences(rows, kind, unknown, queries, neighbours, shares, totals):
    """Sum the differences between rows and their neighbours, column by column, times their shares.

    Parameters
    ----------
    rows : array of shape (n_rows, n_columns)
        Columns of one kind, row by row.
    kind : int
        NUMBERS, LEVELS ...
    unknown : array of shape (n_columns,)
        As in `Cells`.
    queries : array of int of shape (n_queries,)
    neighbours : array of int32 of shape (n_queries, n_targets or 1, n_slots)
    shares : array of shape (n_queries, n_targets, n_slots)
    totals : array of shape (n_targets, n_columns)
        Added to, in the order of queries and slots.
    """
    if kind == NUMBERS:
        _add_plain_numbers(rows, queries, neighbours, shares, totals)
        return
    for q in range(queries.shape[0]):
        here = rows[queries[q]]
        for t in range(shares.shape[1]):
            listed = neighbours[q, min(t, neighbours.shape[1] - 1)]
            total = totals[t]
            for s in range(listed.shape[0]):
                share = shares[q, t, s]
                there = rows[listed[s]]
                if kind == LEVELS:
                    for a in range(total.shape[0]):
                        total[a] += 0.0 if there[a] == here[a] else share
                elif kind == NUMBERS_WITH_GAPS:
                    for a in range(total.shape[0]):
                        total[a] += share * _numbers_apart(there[a], here[a])
                else:
                    for a in range(total.shape[0]):
                        total[a] += share * _levels_apart(there[a], here[a], unknown[a])


@kernel
def _add_plain_numbers(rows, queries, neighbours, shares, totals):
    """Do so for the most frequent kind, without a choice in the inner loops."""
    for q in range(queries.shape[0]):
        here = rows[queries[q]]
        for t in range(shares.shape[1]):
            listed = neighbours[q, min(t, neighbours.shape[1] - 1)]
            total = totals[t]
            for s in range(listed.shape[0]):
                share = shares[q, t, s]
                there = rows[listed[s]]
                for a in range(total.shape[0]):
                    total[a] += share * abs(there[a] - here[a])


@kernel
def add_in_order(numbers, total):
    """Add numbers to a total, one after the other; numpy's sum depends on how many there are."""
    for number in numbers:
        total += number
    return total
