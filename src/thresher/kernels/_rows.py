"""Rows of a tree: what is summed over them, and how those of a node are kept together.

Weights and outputs are whole numbers here, two of them in one int64. So sums are exact, whatever
their order, and take half the memory traffic and half the additions of floats. Outputs are rounded
to a billionth of the sum of all their absolute values: with a million rows, to a thousandth of
their usual size. So are weights, unless they are whole.
"""

from typing import NamedTuple

import numpy as np

from ._jit import kernel

#: Bound of all sums before rounding; with rounding errors they still fit 32 bits with sign.
_LARGEST_SUM = 2.0**30


class Outputs(NamedTuple):
    """The target of all rows, ready to be summed.

    Attributes
    ----------
    words : int64 array of shape (n_outputs // 2 + 1, n_rows)
        The first holds the weight, in its upper half, and the first output; the next ones hold an
        output in the lower half and the next output in the upper half. Outputs are centred and
        times the weight.
    n_outputs : int
    one : float
        What a weight of 1 is among the weights in the words.
    gain_unit : float
        Times a sum of squares of what is in the words, this is one of the target.
    """

    words: np.ndarray
    n_outputs: int
    one: float
    gain_unit: float


class Part(NamedTuple):
    """Some rows of a node, and beside each of them what candidates read of it.

    Attributes
    ----------
    rows : uint32 array of shape (n,)
    places : uint32 array of shape (2, n)
        Where columns find their codes, and where contrasts do.
    words : int64 array of shape (n_words, n)
        See `Outputs`.
    """

    rows: np.ndarray
    places: np.ndarray
    words: np.ndarray


@kernel
def prepare_outputs(target, weight, rows):
    """Centre and weigh the target of some rows, and pack it; words of other rows are 0."""
    total, all_whole = 0.0, True
    for row in rows:
        total += weight[row]
        all_whole &= weight[row] == np.floor(weight[row])
    one = 1.0
    if not all_whole or total > _LARGEST_SUM:
        one = 2.0 ** np.floor(np.log2(_LARGEST_SUM / total))
    n_outputs = target.shape[1]
    words = np.zeros((n_outputs // 2 + 1, target.shape[0]), dtype=np.int64)
    mean = np.zeros(n_outputs)
    unit = _unit(target, weight, rows, one, mean)
    for row in rows:
        whole = np.rint(weight[row] * one)
        words[0, row] = np.int64(whole) << 32
        for k in range(n_outputs):
            value = np.int64(np.rint((target[row, k] - mean[k]) * whole / unit))
            words[(k + 1) // 2, row] += value << 32 if k > 0 and k % 2 == 0 else value
    return Outputs(words, n_outputs, one, unit * unit / one)


@kernel
def _unit(target, weight, rows, one, mean):
    """Find the mean of each output, and a unit in which none of their sums is too large."""
    largest, spread = 0.0, 0.0
    for k in range(target.shape[1]):
        total, total_weight, absolute = 0.0, 0.0, 0.0
        for row in rows:
            whole = np.rint(weight[row] * one)
            total_weight += whole
            total += whole * target[row, k]
            largest = max(largest, abs(target[row, k] * whole))
        mean[k] = total / total_weight if total_weight > 0.0 else 0.0
        for row in rows:
            absolute += abs(target[row, k] - mean[k]) * np.rint(weight[row] * one)
        spread = max(spread, absolute)
    # differences below this are but rounding errors of the target's own
    spread = max(spread, 2.0**-48 * largest * _LARGEST_SUM)
    return 2.0 ** np.ceil(np.log2(spread / _LARGEST_SUM)) if spread > 0.0 else 1.0


def make_part(rows, n_words):
    """All rows, with memory for what belongs to them; see `slice_part`."""
    n_rows = len(rows)
    return Part(
        rows.astype(np.uint32),
        np.empty((1, 2 * n_rows), dtype=np.uint32),
        np.empty((1, n_words * n_rows), dtype=np.int64),
    )


@kernel
def slice_part(whole, start, end, permutation, outputs):
    """The part that ``start:end`` of the rows make up; fetches what belongs to them."""
    part = slice_places(whole, start, end, permutation, outputs.words.shape[0])
    for k in range(outputs.words.shape[0]):
        for i in range(end - start):
            part.words[k, i] = outputs.words[k, part.rows[i]]
    return part


@kernel
def slice_places(whole, start, end, permutation, n_words):
    """The same, but without the words: for rows that are only sent down the tree."""
    n = end - start
    rows = whole.rows[start:end]
    places = whole.places[0][2 * start : 2 * end].reshape((2, n))
    words = whole.words[0][n_words * start : n_words * end].reshape((n_words, n))
    for i in range(n):
        places[0, i] = rows[i]
        places[1, i] = permutation[rows[i]]
    return Part(rows, places, words)


@kernel
def lower(word):
    """The lower half of a sum of words, which is signed."""
    return np.int64(np.int32(word))


@kernel
def upper(word):
    """The upper half; where the lower is negative, it has borrowed one."""
    return (word - np.int64(np.int32(word))) >> 32


@kernel
def unpack(word, k, sums, b):
    """Write the numbers in word k to where they belong: outputs first, then the weight."""
    n_outputs = sums.shape[1] - 1
    if k == 0:
        sums[b, 0] = lower(word)
        sums[b, n_outputs] = upper(word)
    else:
        sums[b, 2 * k - 1] = lower(word)
        if 2 * k < n_outputs:
            sums[b, 2 * k] = upper(word)


@kernel
def all_alike(target, rows):
    """Whether the rows have one and the same target, so that there is nothing to explain."""
    for i in range(1, rows.shape[0]):
        for k in range(target.shape[1]):
            if target[rows[i], k] != target[rows[0], k]:
                return False
    return True


@kernel
def fill_by_code(codes, column, places, contrast, words, n_bins, by_code):
    """Sum words by code."""
    for k in range(words.shape[0]):
        for b in range(n_bins + 1):
            by_code[k, b] = 0
        for i in range(words.shape[1]):
            by_code[k, codes[column, places[contrast, i]]] += words[k, i]


@kernel
def partition(codes, slot, left, part, spare):
    """Bring the rows that go left to the front, all in their order; return how many there are."""
    contrast, column = divmod(slot, codes.shape[0])
    return move_left(codes, column, left, part.rows, part.places[contrast], spare)


@kernel
def move_left(codes, column, left, rows, places, spare):
    """Do the same for rows whose codes are in these places of the column."""
    # unsigned: numba would look whether an index counts from the end
    n_left, n_right, one = np.uintp(0), np.uintp(0), np.uintp(1)
    for i in range(rows.shape[0]):
        row = rows[i]
        goes_left = np.uintp(left[codes[column, places[i]]])
        # write both and move one: a branch would be mispredicted half of the time
        rows[n_left] = row
        spare[n_right] = row
        n_left += goes_left
        n_right += one - goes_left
    for i in range(n_right):  # assigning a slice takes seconds to compile
        rows[n_left + i] = spare[i]
    return np.intp(n_left)
