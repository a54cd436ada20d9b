"""Binary columns as bits, 64 rows in a word: even of a very wide table these fit the cache."""

import numpy as np

from ._jit import kernel
from ._rows import unpack

_ONE, _SIX, _SIXTY_THREE = np.uint64(1), np.uint64(6), np.uint64(63)


@kernel
def set_bits(codes, column, bits):
    """Set the bits of the rows where a column is 1, if it has no other codes than 0 and 1.

    Returns
    -------
    bool
        Whether that is so.
    """
    for i in range(codes.shape[1]):
        if codes[column, i] > 1:
            return False
    for i in range(codes.shape[1]):
        place = np.uint64(i)
        bits[column, place >> _SIX] |= np.uint64(codes[column, i]) << (place & _SIXTY_THREE)
    return True


@kernel
def sum_set(bits, column, places, contrast, words, side, which):
    """Sum up those of the rows that are set."""
    for k in range(words.shape[0]):
        word = np.int64(0)
        for i in range(words.shape[1]):
            place = np.uint64(places[contrast, i])
            bit = (bits[column, place >> _SIX] >> (place & _SIXTY_THREE)) & _ONE
            word += words[k, i] & -np.int64(bit)
        unpack(word, k, side, which)
