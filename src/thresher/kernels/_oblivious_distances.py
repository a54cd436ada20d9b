"""Distances between rows of codes, as whole numbers: sums are exact in any order.

The distance of two codes in a column is ``min((|a - b| + half) >> shift, limit) * unit``. Numbers
are coded by their place in the range, on a finer scale than distances: the shift rounds, and the
limit, which is the whole range, only matters where a cell is missing. For levels the limit is 1,
since they differ or do not.

In leave-one-out the range is that of the other rows. It differs from that of all rows for those
that are the only smallest or largest value of a column: for these the column is coded anew.
"""

from typing import NamedTuple

import numpy as np

from ._jit import kernel

# Rows whose smallest distance is found together; as a constant, so that the compiler unrolls loops.
BLOCK = 32


class Coded(NamedTuple):
    """Training rows as codes.

    Attributes
    ----------
    codes : array of int32, shape (n_columns, n_rows)
    steps : array of int32, shape (4, n_columns)
        What makes distances of differences: half, shift, limit and unit.
    lonely : array of int64, shape (2, n_columns)
        Rows without which the range of a column is another; -1 if there is none.
    place : array of int64, shape (2, n_columns)
        Where in ``rescaled`` the column then is.
    rescaled : array of int32, shape (n_rescaled, n_rows)
        Columns coded by the range of all rows but one.
    """

    codes: np.ndarray
    steps: np.ndarray
    lonely: np.ndarray
    place: np.ndarray
    rescaled: np.ndarray


class Tested(NamedTuple):
    """The rows to be predicted.

    Attributes
    ----------
    points : array of int32, shape (n_tested, n_columns)
        Their codes.
    truth : array of float64, shape (n_tested,)
        Their target: a number, or the code of a class.
    own : array of int64, shape (n_tested,)
        The training row that each of them is, and that must not predict it; -1 if none.
    """

    points: np.ndarray
    truth: np.ndarray
    own: np.ndarray


@kernel
def _rescaled_column(coded, column, own):
    """Where the column is coded anew for a row that is left out; -1 if it need not be."""
    if own >= 0 and coded.rescaled.shape[0] > 0:
        for k in range(2):
            if coded.lonely[k, column] == own:
                return coded.place[k, column]
    return -1


@kernel
def _add_column(distances, codes, value, half, shift, limit, step):
    for j in range(distances.shape[0]):
        # kept to 32 bits, so that vector instructions take as many rows as they can
        gap = np.int32(codes[j] - value)
        gap = np.int32(-gap) if gap < 0 else gap
        gap = np.int32(np.uint32(gap + half) >> np.uint32(shift))
        gap = limit if gap > limit else gap
        distances[j] += np.int32(gap * step)


@kernel
def add_columns(distances, coded, point, own, columns, sign):
    """Add (or subtract) the distances in some columns to those of all training rows."""
    for c in columns:
        half, shift, limit = coded.steps[0, c], coded.steps[1, c], coded.steps[2, c]
        step = np.int32(sign * coded.steps[3, c])
        again = _rescaled_column(coded, c, own)
        if again >= 0:
            codes = coded.rescaled[again]
            _add_column(distances, codes, codes[own], half, shift, limit, step)
        else:
            _add_column(distances, coded.codes[c], point[c], half, shift, limit, step)


@kernel
def move_distances(distances, rows, coded, tested, which, removed, added, anew):
    """Bring distances of tested rows to another set of columns.

    Parameters
    ----------
    distances : array of whole numbers, shape (n_rows, n_training_rows)
    rows, which : arrays of int64, shape (n,)
        The rows of ``distances``, and the tested rows that they belong to.
    coded, tested : Coded, Tested
    removed, added : arrays of int64
        The columns that leave and join.
    anew : bool
        Whether to start from nothing.
    """
    for k in range(rows.shape[0]):
        row = distances[rows[k]]
        point, own = tested.points[which[k]], tested.own[which[k]]
        if anew:
            for j in range(row.shape[0]):
                row[j] = 0
        add_columns(row, coded, point, own, removed, -1)
        add_columns(row, coded, point, own, added, 1)


@kernel
def find_near(distances, reach, minima, found):
    """Collect the rows that are at most ``reach`` farther than the nearest; return how many."""
    n_blocks = minima.shape[0]
    nearest = distances[0]
    for block in range(n_blocks):
        start = block * BLOCK
        least = distances[start]
        for j in range(start + 1, start + BLOCK):
            least = distances[j] if distances[j] < least else least
        minima[block] = least
        nearest = least if least < nearest else nearest
    for j in range(n_blocks * BLOCK, distances.shape[0]):
        nearest = distances[j] if distances[j] < nearest else nearest
    bar = np.int64(nearest) + reach
    n_found = 0
    for block in range(n_blocks):
        if minima[block] <= bar:
            for j in range(block * BLOCK, (block + 1) * BLOCK):
                found[n_found] = j
                n_found += distances[j] <= bar
    for j in range(n_blocks * BLOCK, distances.shape[0]):
        found[n_found] = j
        n_found += distances[j] <= bar
    return n_found
