"""The smallest of many numbers, without sorting them all.

By hand: numba takes ten seconds to compile what numpy has for it.
"""

from ._jit import kernel


@kernel
def kth_smallest(values, k, shuffled):
    """The number that would be at place k (from 0) in order; ``shuffled`` is overwritten."""
    for j in range(values.shape[0]):
        shuffled[j] = values[j]
    low, high = 0, values.shape[0] - 1
    while low < high:
        pivot = _middle(shuffled[low], shuffled[(low + high) // 2], shuffled[high])
        i, j = low, high
        while i <= j:
            while shuffled[i] < pivot:
                i += 1
            while shuffled[j] > pivot:
                j -= 1
            if i <= j:
                shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
                i += 1
                j -= 1
        if k <= j:
            high = j
        elif k >= i:
            low = i
        else:
            break
    return shuffled[k]


@kernel
def _middle(a, b, c):
    return max(min(a, b), min(max(a, b), c))


@kernel
def sort_rows(keys, rows, n_rows):
    """Sort the first rows of a list by their key, and equals by their number (Shell's method)."""
    gap = n_rows
    while gap > 1:
        gap = max(1, gap * 5 // 11)
        for i in range(gap, n_rows):
            row = rows[i]
            key = keys[row]
            j = i
            while j >= gap:
                other = rows[j - gap]
                if keys[other] < key or (keys[other] == key and other < row):
                    break
                rows[j] = other
                j -= gap
            rows[j] = row
