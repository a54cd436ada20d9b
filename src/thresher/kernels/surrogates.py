"""How well a split of one column stands in for a split of another.

Sums are words (see ``_rows``) by code: the weight in the upper half, and in the lower half the
weight of what the primary split sends left. Rows that the primary split cannot tell count 0.
"""

import numpy as np

from ._jit import kernel
from ._rows import fill_by_code, lower, upper


@kernel
def ordered_surrogate(by_code, n_bins, min_weight, left):
    """Threshold and direction that agree most with the primary split; returns the agreement.

    Writes ``left``; the missing code, ``n_bins``, gets no side (2). Returns -1 without a cut that
    leaves ``min_weight`` on both sides.
    """
    everything = np.int64(0)
    for b in range(n_bins):
        everything += by_code[0, b]
    total, total_left = upper(everything), lower(everything)
    running = np.int64(0)
    best, best_cut, best_below = np.int64(-1), -1, 1
    for b in range(n_bins - 1):
        running += by_code[0, b]
        seen, seen_left = upper(running), lower(running)
        if by_code[0, b] == 0 or seen < min_weight:
            continue
        if total - seen < min_weight:
            break
        agree = seen_left + (total - seen) - (total_left - seen_left)
        if agree > best:
            best, best_cut, best_below = agree, b, 1
        if total - agree > best:
            best, best_cut, best_below = total - agree, b, 0
    for b in range(n_bins):
        left[b] = best_below if b <= best_cut else 1 - best_below
    left[n_bins] = 2
    return best


@kernel
def level_surrogate(by_code, n_bins, left):
    """Each level goes to its majority side; returns the agreement, or -1 if all go to one side."""
    agree = np.int64(0)
    n_left, n_right = 0, 0
    for b in range(n_bins):
        to_left = lower(by_code[0, b])
        to_right = upper(by_code[0, b]) - to_left
        agree += max(to_left, to_right)
        if to_left == 0 and to_right == 0:
            left[b] = 2
        elif to_left >= to_right:
            left[b] = 1
            n_left += 1
        else:
            left[b] = 0
            n_right += 1
    left[n_bins] = 2
    return agree if n_left and n_right else np.int64(-1)


@kernel
def association(by_code, n_bins, left):
    """Breiman's lambda: how much better than the majority side a split predicts the primary one.

    Rows to which either split gives no side do not count.
    """
    total, total_left, agree = np.int64(0), np.int64(0), np.int64(0)
    for b in range(n_bins + 1):
        if left[b] < 2:
            weight, to_left = upper(by_code[0, b]), lower(by_code[0, b])
            total += weight
            total_left += to_left
            agree += to_left if left[b] else weight - to_left
    smaller = min(total_left, total - total_left)
    return (smaller - (total - agree)) / smaller if smaller > 0 else 0.0


@kernel
def surrogate(
    codes, column, contrast, n_bins, is_level, places, sides, places_out, sides_out, min_weight,
    by_code, left,
):  # fmt: skip
    """Lambda of one column: its split chosen in the bag, judged out of it; 0 if there is none.

    Parameters
    ----------
    codes, column, contrast, places, places_out
        Row i of the bag has the code ``codes[column, places[contrast, i]]``.
    n_bins, is_level
        Of the column.
    sides, sides_out : int64 arrays of shape (1, n)
        The words of the rows, as above.
    min_weight : float
        Least weight on both sides of a threshold.
    by_code, left
        Memory.
    """
    fill_by_code(codes, column, places, contrast, sides, n_bins, by_code)
    if is_level:
        agree = level_surrogate(by_code, n_bins, left)
    else:
        agree = ordered_surrogate(by_code, n_bins, min_weight, left)
    value = 0.0
    if agree >= 0:
        fill_by_code(codes, column, places_out, contrast, sides_out, n_bins, by_code)
        value = association(by_code, n_bins, left)
    return value
