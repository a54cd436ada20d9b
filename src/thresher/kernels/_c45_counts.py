"""Class weights of the codes of a node's rows, by two ways.

Columns with few codes are written out as indicators, one byte each: eight of them are summed up by
one addition of words, many more with vector instructions. For other columns, and where rows count
in fractions, a table of all codes is filled, and a bit for each code tells where to look.
"""

import numpy as np

from ._jit import kernel

# a byte can count to this
_MOST = 255
_ONE, _SIX, _SIXTY_THREE = np.uint64(1), np.uint64(6), np.uint64(63)
# the place of the only bit that is set in a word, by the upper six bits of its product with a
# sequence in which every pattern of six bits occurs once
_SEQUENCE, _TOP = np.uint64(0x03F79D71B4CB0A89), np.uint64(58)
_PLACE = np.zeros(64, dtype=np.int64)
for _k in range(64):
    _PLACE[((0x03F79D71B4CB0A89 << _k) & (2**64 - 1)) >> 58] = _k


@kernel
def sum_indicators(words, places, classes, sums, ones):
    """Count the rows of each class that have each indicator.

    Parameters
    ----------
    words : array of uint64, shape (n_rows, n_words)
        Eight indicators each.
    places : int array
        The rows of the node, by class.
    classes : int array
        The class of each row of ``words``.
    sums : array of uint64, shape (n_words,)
        Scratch; zero, before and after.
    ones : array of int32, shape (8 * n_words, n_classes)
        Is overwritten, where the node has rows of a class.
    """
    n_words = sums.shape[0]
    counts = sums.view(np.uint8)
    start, before = 0, -1
    while start < places.shape[0]:
        c = classes[places[start]]
        stop = start
        while stop < places.shape[0] and stop < start + _MOST and classes[places[stop]] == c:
            row = words[places[stop]]
            for w in range(n_words):
                sums[w] += row[w]
            stop += 1
        if c == before:
            for k in range(counts.shape[0]):
                ones[k, c] += counts[k]
        else:
            for k in range(counts.shape[0]):
                ones[k, c] = counts[k]
        before = c
        for w in range(n_words):
            sums[w] = 0
        start = stop


@kernel
def fill_cells(codes, rows, classes, weights, occurring, table, bits, present, cells):
    """Sum up the weights of classes for each code that occurs.

    Parameters
    ----------
    codes : int array
        Of all rows; -1 if missing.
    rows, classes, weights : arrays of shape (n,)
        Of the node.
    occurring : int array
        The different classes among them.
    table : array of float64, shape (n_codes, n_classes)
        Scratch; zero, before and after.
    bits : array of uint64
        Scratch; zero, before and after.
    present, cells : arrays
        Are overwritten by the codes that occur, ascending, and by the weights of their classes.

    Returns
    -------
    int
        How many codes there are.
    """
    highest = -1
    for i in range(rows.shape[0]):
        code = codes[rows[i]]
        if code >= 0:
            table[code, classes[i]] += weights[i]
            place = np.uint64(code)
            bits[place >> _SIX] |= _ONE << (place & _SIXTY_THREE)
            highest = max(highest, code)
    n_present = 0
    for w in range((highest >> 6) + 1):
        word = bits[w]
        bits[w] = 0
        while word != 0:
            lowest = word & (~word + _ONE)
            word ^= lowest
            code = 64 * w + _PLACE[(lowest * _SEQUENCE) >> _TOP]
            present[n_present] = code
            for k in range(occurring.shape[0]):
                c = occurring[k]
                cells[n_present, c] = table[code, c]
                table[code, c] = 0.0
            n_present += 1
    return n_present
