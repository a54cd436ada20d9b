"""The best split of a node, among some columns and their contrasts.

The rows in the bag choose the cut of each candidate, the rows out of the bag choose among them.
"""

from typing import NamedTuple

import numpy as np

from ._bits import set_bits, sum_set
from ._jit import kernel
from ._rows import fill_by_code, unpack
from .cuts import largest_gain, level_cut, ordered_cut, ordered_cut_of_words, signed_gain

# kinds of columns, see Table
ORDERED, LEVELS, BINARY = 0, 1, 2

#: Codes are bytes.
_N_CODES = 256

# rows of totals and sides; typed, since numba would compile kernels for each plain number
_IN, _OUT = np.intp(0), np.intp(1)


class Table(NamedTuple):
    """Columns as codes.

    Attributes
    ----------
    codes : uint8 array of shape (n_columns, n_rows)
    n_bins : int array of shape (n_columns,)
        Code ``n_bins[j]`` stands for missing cells of column j.
    kind : uint8 array of shape (n_columns,)
        Codes that have an order; levels; only 0 and 1.
    bits : uint64 array of shape (n_columns, n_rows // 64 + 1), or empty
        Of binary columns, see `_bits`.
    permutation : int array of shape (n_rows,)
        The contrast of a column has in row i the code of row ``permutation[i]``.
    """

    codes: np.ndarray
    n_bins: np.ndarray
    kind: np.ndarray
    bits: np.ndarray
    permutation: np.ndarray


class Scratch(NamedTuple):
    """Memory that is used again for each candidate."""

    by_code: np.ndarray  # sums of words
    sums: np.ndarray  # the same, taken apart
    total: np.ndarray  # of the node's rows in the bag, and out of it
    side: np.ndarray  # of those on one side
    running: np.ndarray  # of some codes
    order: np.ndarray  # of levels
    keys: np.ndarray
    left: np.ndarray  # the split of a candidate with levels
    best_left: np.ndarray  # the best split


def plain_table(codes, n_bins, categorical, permutation):
    """Columns without bits: these pay only where nodes are many."""
    kind = np.where(categorical, LEVELS, ORDERED).astype(np.uint8)
    return Table(codes, n_bins, kind, np.empty((0, 0), dtype=np.uint64), permutation)


def table_with_bits(codes, n_bins, categorical, permutation):
    """Columns with bits where they are binary."""
    plain = plain_table(codes, n_bins, categorical, permutation)
    if not (n_bins == 2).any():
        return plain
    bits = np.zeros((len(codes), codes.shape[1] // 64 + 1), dtype=np.uint64)
    _find_binary(codes, n_bins, plain.kind, bits)
    return plain._replace(bits=bits)


@kernel
def _find_binary(codes, n_bins, kind, bits):
    for j in range(codes.shape[0]):
        if n_bins[j] == 2 and set_bits(codes, j, bits):
            kind[j] = BINARY


def make_scratch(table, n_outputs):
    """Memory for `best_split`."""
    n_words = n_outputs // 2 + 1
    return Scratch(
        by_code=np.empty((n_words, _N_CODES), dtype=np.int64),
        sums=np.empty((_N_CODES, n_outputs + 1), dtype=np.int64),
        total=np.empty((2, n_outputs + 1), dtype=np.int64),
        side=np.empty((2, n_outputs + 1), dtype=np.int64),
        running=np.empty(n_outputs + 1, dtype=np.int64),
        order=np.empty(_N_CODES, dtype=np.int64),
        keys=np.empty(_N_CODES),
        left=np.empty(_N_CODES, dtype=np.uint8),
        best_left=np.empty(_N_CODES, dtype=np.uint8),
    )


@kernel
def best_split(table, columns, inside, outside, outputs, min_leaf, scratch):
    """Find the candidate that gains most on the rows ``outside``, its cut chosen ``inside``.

    Each column is tried together with its contrast. ``scratch.best_left`` gets the sides of the
    codes.

    Returns
    -------
    gain : float
        0 if no candidate gains anything.
    slot : int
        The column, plus ``n_columns`` if it is a contrast; -1 if there is none.
    """
    # Taking an array out of a tuple, or a row out of an array, is counted by numba: for each
    # candidate that would cost as much as summing many rows.
    codes, kinds, all_bins = table.codes, table.kind, table.n_bins
    bits = table.bits
    places, words = inside.places, inside.words
    places_out, words_out = outside.places, outside.words
    by_code, sums = scratch.by_code, scratch.sums
    total, side, left = scratch.total, scratch.side, scratch.left
    running, order, keys = scratch.running, scratch.order, scratch.keys
    n_columns, n_outputs = codes.shape[0], outputs.n_outputs
    _add_up(words, total, _IN)
    _add_up(words_out, total, _OUT)
    least = min_leaf * outputs.one
    most = total[0, n_outputs] - least
    best, best_slot = 0.0, -1
    for column in columns:
        kind, n_bins = kinds[column], all_bins[column]
        for contrast in range(2):
            # the codes first .. first + width - 1 go right, except for levels: see left
            first, width = np.intp(1), np.intp(1)
            if kind == BINARY:
                sum_set(bits, column, places_out, contrast, words_out, side, _OUT)
                # most candidates are beaten whatever the rows in the bag say
                if largest_gain(side, total) <= best:
                    continue
                sum_set(bits, column, places, contrast, words, side, _IN)
            else:
                fill_by_code(codes, column, places, contrast, words, n_bins, by_code)
                if kind == ORDERED and n_outputs == 1:
                    first, width = ordered_cut_of_words(by_code, n_bins, total, least, side)
                else:
                    first, width = cut_of_sums(
                        by_code, n_bins, kind, total, least, sums, running, order, keys, left, side
                    )
                if width == 0:
                    continue
                _sum_left(
                    codes, column, places_out, contrast, words_out, kind, first, width, left, side,
                    _OUT,
                )  # fmt: skip
            if not least <= side[0, n_outputs] <= most:
                continue
            gain = signed_gain(side, total)
            if gain > best:
                best, best_slot = gain, np.intp(column) + contrast * n_columns
                for code in range(n_bins + 1):
                    goes_left = left[code] if kind == LEVELS else not first <= code < first + width
                    scratch.best_left[code] = goes_left
    return best * outputs.gain_unit, best_slot


@kernel
def _add_up(words, total, which):
    """Sum up all rows."""
    for k in range(words.shape[0]):
        word = np.int64(0)
        for i in range(words.shape[1]):
            word += words[k, i]
        unpack(word, k, total, which)


@kernel
def cut_of_sums(by_code, n_bins, kind, total, least, sums, running, order, keys, left, side):
    """Find the best cut in the bag for any outputs: an interval or, for levels, ``left``."""
    for k in range(by_code.shape[0]):
        for b in range(n_bins + 1):
            unpack(by_code[k, b], k, sums, b)
    if kind == LEVELS:
        first = np.intp(0)
        width = level_cut(sums, n_bins + 1, total, least, running, order, keys, left, side)
    else:
        first, width = ordered_cut(sums, n_bins, total, least, running, side)
    return first, width


@kernel
def _sum_left(codes, column, places, contrast, words, kind, first, width, left, side, which):
    """Sum up the left side."""
    first, width = np.uint8(first), np.uint8(width)
    for k in range(words.shape[0]):
        word = np.int64(0)
        if kind == LEVELS:
            for i in range(words.shape[1]):
                word += words[k, i] if left[codes[column, places[contrast, i]]] else 0
        else:
            for i in range(words.shape[1]):
                # one comparison tells whether a code is outside the interval
                beyond = np.uint8(codes[column, places[contrast, i]] - first)
                word += words[k, i] if beyond >= width else 0
        unpack(word, k, side, which)
