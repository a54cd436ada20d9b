"""Columns of few levels as bits, a row of them for each level, and entropies from these.

Counting the rows in which two columns have certain levels is then a matter of a few words.
"""

import numpy as np

from ._jit import kernel

_1, _2, _4, _56 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
_ODD, _PAIRS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_HALVES, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


@kernel
def _n_common(a, b):
    """Bits that are set in both of two rows; compilers know this for what it is."""
    n = np.int64(0)
    for i in range(a.shape[0]):
        word = a[i] & b[i]
        word -= (word >> _1) & _ODD
        word = (word & _PAIRS) + ((word >> _2) & _PAIRS)
        word = (word + (word >> _4)) & _HALVES
        n += np.int64((word * _BYTES) >> _56)
    return n


@kernel
def set_level_bits(codes, starts, bits, sizes):
    """Set the bits of each level, and count them; ``starts[j]`` is the row of column j's first one.

    Columns whose ``starts`` is negative are left out.
    """
    for j in range(codes.shape[0]):
        if starts[j] < 0:
            continue
        for i in range(codes.shape[1]):
            plane = starts[j] + codes[j, i]
            bits[plane, i >> 6] |= _1 << np.uint64(i & 63)
            sizes[plane] += 1


@kernel
def _fill_cells(bits, one, n_one, other, n_other, sizes, cells):
    """Count the rows of each pair of levels: the last ones of either column are what is left."""
    for b in range(n_other):
        cells[n_one - 1, b] = sizes[other + b]
    for a in range(n_one - 1):
        left = sizes[one + a]
        for b in range(n_other - 1):
            n = _n_common(bits[one + a], bits[other + b])
            cells[a, b] = n
            left -= n
            cells[n_one - 1, b] -= n
        cells[a, n_other - 1] = left
        cells[n_one - 1, n_other - 1] -= left


@kernel
def bit_entropies(one, columns, bits, starts, n_levels, sizes, x_log_x, out):
    """Entropies of one column and some others, and of both: see ``entropy.entropies``.

    Parameters
    ----------
    one : int
        The column.
    columns : array of int64
        The others.
    bits : array of uint64, shape (n_planes, n_words)
        From `set_level_bits`, as are ``sizes``.
    starts, n_levels : arrays of int64, shape (all columns,)
        The first plane of each column, and how many it has.
    x_log_x : array of float64, shape (n_rows + 1,)
    out : array of float64, shape (len(columns), 3)
    """
    n_rows = x_log_x.shape[0] - 1
    log_n = np.log2(float(n_rows))
    most = 1
    for j in columns:
        most = max(most, n_levels[j])
    cells = np.empty((n_levels[one], most), dtype=np.int64)
    h_one = 0.0
    for a in range(n_levels[one]):
        h_one += x_log_x[sizes[starts[one] + a]]
    for k in range(columns.shape[0]):
        j = columns[k]
        _fill_cells(bits, starts[one], n_levels[one], starts[j], n_levels[j], sizes, cells)
        h_other, h_both = 0.0, 0.0
        for b in range(n_levels[j]):
            h_other += x_log_x[sizes[starts[j] + b]]
            for a in range(n_levels[one]):
                h_both += x_log_x[cells[a, b]]
        out[k, 0] = log_n - h_one / n_rows
        out[k, 1] = log_n - h_other / n_rows
        out[k, 2] = log_n - h_both / n_rows
