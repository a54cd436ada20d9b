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


def prepare_outputs(target, weight):
    """Centre and weigh the target, and pack it."""
    n_rows, n_outputs = target.shape
    total = float(weight.sum())
    one = 1.0
    if (weight % 1.0).any() or total > _LARGEST_SUM:
        one = 2.0 ** np.floor(np.log2(_LARGEST_SUM / total))
    whole = np.rint(weight * one)
    mean = whole @ target / whole.sum() if total > 0.0 else 0.0
    values = (target - mean) * whole[:, None]
    # differences below this are but rounding errors of the target's own
    finest = 2.0**-48 * np.abs(target * whole[:, None]).max(initial=0.0)
    spread = max(np.abs(values).sum(axis=0).max(initial=0.0), finest * _LARGEST_SUM)
    unit = 2.0 ** np.ceil(np.log2(spread / _LARGEST_SUM)) if spread > 0.0 else 1.0
    fields = np.zeros((2 * (n_outputs // 2 + 1), n_rows), dtype=np.int64)
    fields[0] = whole
    fields[1 : n_outputs + 1] = np.rint(values.T / unit)
    fields[[0, 1]] = fields[[1, 0]]
    words = fields[0::2] + (fields[1::2] << 32)
    return Outputs(words, n_outputs, float(one), float(unit * unit / one))


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
    n, n_words = end - start, outputs.words.shape[0]
    rows = whole.rows[start:end]
    places = whole.places[0][2 * start : 2 * end].reshape((2, n))
    words = whole.words[0][n_words * start : n_words * end].reshape((n_words, n))
    for i in range(n):
        places[0, i] = rows[i]
        places[1, i] = permutation[rows[i]]
    for k in range(n_words):
        for i in range(n):
            words[k, i] = outputs.words[k, rows[i]]
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
    n_left = 0
    n_right = 0
    for i in range(part.rows.shape[0]):
        row = part.places[0, i]
        goes_left = np.intp(left[codes[column, part.places[contrast, i]]])
        # write both and move one: a branch would be mispredicted half of the time
        part.rows[n_left] = row
        spare[n_right] = row
        n_left += goes_left
        n_right += 1 - goes_left
    for i in range(n_right):
        part.rows[n_left + i] = spare[i]
    return n_left
