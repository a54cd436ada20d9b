"""The best binary split of one coded column, from sums by code.

``sums`` holds, for each code, the weighted sums of the outputs and then the weight, all of them
whole numbers below 2**31 (see ``_rows``). The gain of a split is the sum of squares between its
sides. A split of ordered codes is an interval of codes that go right; one of levels is a table
``left``: for each code, 1 if its rows go left.

Where candidates are compared, differences are taken before anything is rounded: those that divide
the same rows in the same parts gain the same, and the first of them counts.
"""

import numpy as np

from ._jit import kernel
from ._rows import lower, unpack, upper

#: Up to so many levels all divisions are tried when there are several outputs.
FEW_LEVELS = 6


@kernel
def between(left, total):
    """Sum of squares between a side with sums ``left`` and the rest of ``total[0]``."""
    n_outputs = left.shape[0] - 1
    w_all = total[0, n_outputs]
    w_left = left[n_outputs]
    if not 0 < w_left < w_all:
        return -1.0
    gain = 0.0
    for k in range(n_outputs):
        difference = np.float64(left[k] * w_all - total[0, k] * w_left)
        gain += difference * difference
    return gain / (np.float64(w_left * (w_all - w_left)) * w_all)


@kernel
def signed_gain(side, total):
    """Sum of squares between the sides out of the bag, as far as they differ as in the bag.

    Only the part of the difference along that in the bag counts; negative where it points the other
    way, 0 where a side is empty. ``side`` has the sums of either side, ``total`` those of the node,
    in the bag in row 0 and out of it in row 1.
    """
    n_outputs = total.shape[1] - 1
    w_all, w_all_out = total[0, n_outputs], total[1, n_outputs]
    w_side, w_side_out = side[0, n_outputs], side[1, n_outputs]
    length = 0.0
    for k in range(n_outputs):
        in_bag = np.float64(side[0, k] * w_all - total[0, k] * w_side)
        length += in_bag * in_bag
    if length == 0.0 or not 0 < w_side_out < w_all_out:
        return 0.0
    length = np.sqrt(length)
    along = 0.0
    for k in range(n_outputs):
        in_bag = np.float64(side[0, k] * w_all - total[0, k] * w_side)
        out_of_bag = np.float64(side[1, k] * w_all_out - total[1, k] * w_side_out)
        along += in_bag / length * out_of_bag
    gain = along * along / (np.float64(w_side_out * (w_all_out - w_side_out)) * w_all_out)
    return gain if along > 0.0 else -gain


@kernel
def largest_gain(side, total):
    """What `signed_gain` cannot exceed, from the sums out of the bag alone."""
    n_outputs = total.shape[1] - 1
    w_all, w_side = total[1, n_outputs], side[1, n_outputs]
    if not 0 < w_side < w_all:
        return 0.0
    length = 0.0
    for k in range(n_outputs):
        difference = np.float64(side[1, k] * w_all - total[1, k] * w_side)
        length += difference * difference
    # a little more, because the two are not rounded alike
    return (1.0 + 1e-9) * length / (np.float64(w_side * (w_all - w_side)) * w_all)


@kernel
def ordered_cut_of_words(by_code, n_bins, total, min_weight, side):
    """Best threshold on ordered codes for one output, from words (see ``_rows``).

    Does what `ordered_cut` does for any outputs, but is where most of a forest's time is spent.
    """
    s_all, w_all = np.float64(total[0, 0]), np.float64(total[0, 1])
    # the same as min_weight <= weight <= w_all - min_weight, without taking words apart
    half = np.int64(1) << 31
    least = (np.int64(np.ceil(min(min_weight, w_all + 1.0))) << 32) - half
    most = ((np.int64(np.floor(max(w_all - min_weight, -1.0))) + 1) << 32) - half
    missing = by_code[0, n_bins]
    best, best_share, best_left = 0.0, 1.0, np.int64(0)
    first, width = 0, 0
    for missing_left in range(2 if missing != 0 else 1):
        running = missing if missing_left else np.int64(0)
        for b in range(n_bins if missing != 0 and not missing_left else n_bins - 1):
            running += by_code[0, b]
            if running < least:
                continue
            if running >= most:
                break
            s_left, w_left = np.float64(lower(running)), np.float64(upper(running))
            difference = s_left * w_all - s_all * w_left
            share = w_left * (w_all - w_left)
            # gains are difference² / share: compare them without a division
            if difference * difference * best_share > best * share:
                best, best_share, best_left = difference * difference, share, running
                first, width = b + 1, n_bins - b - missing_left
    unpack(best_left, np.intp(0), side, np.intp(0))
    if missing == 0 and width > 0 and 2.0 * side[0, 1] > w_all:
        width -= 1
    return first, width


@kernel
def ordered_cut(sums, n_bins, total, min_weight, running, side):
    """Best threshold on ordered codes for any outputs.

    Missing cells (code ``n_bins``) go where they fit better; if there are none, to the heavier
    side. Writes the sums of the left side to ``side[0]``.

    Returns
    -------
    first, width : int
        The codes ``first .. first + width - 1`` go right; width 0 if there is no cut that leaves
        ``min_weight`` on both sides and makes a difference.
    """
    n_outputs = total.shape[1] - 1
    w_all = total[0, n_outputs]
    missing = sums[n_bins, n_outputs] > 0
    best = 0.0
    first, width = 0, 0
    for missing_left in range(2 if missing else 1):
        for k in range(n_outputs + 1):
            running[k] = sums[n_bins, k] if missing_left else 0
        # with missing cells, "all values left, missing right" is a cut too
        for b in range(n_bins if missing and not missing_left else n_bins - 1):
            if sums[b, n_outputs] == 0:
                continue
            for k in range(n_outputs + 1):
                running[k] += sums[b, k]
            if running[n_outputs] < min_weight:
                continue
            if w_all - running[n_outputs] < min_weight:
                break
            gain = between(running, total)
            if gain > best:
                best = gain
                _copy(running, side)
                first, width = b + 1, n_bins - b - missing_left
    if not missing and width > 0 and 2 * side[0, n_outputs] > w_all:
        width -= 1
    return first, width


@kernel
def level_cut(sums, n_codes, total, min_weight, running, order, keys, left, side):
    """Best division of levels, missing being one of them.

    With one output the levels are ordered by its mean; no other division is better, unless this
    one leaves too little on a side. With several outputs all divisions are tried if the levels are
    few, else the orders by each output in turn.
    Writes ``left``, where levels without rows go to the heavier side, and the sums of the left side
    to ``side[0]``; returns 1 if there is a division that leaves ``min_weight`` on both sides and
    makes a difference, else 0.
    """
    n_outputs = total.shape[1] - 1
    n_present = np.intp(0)
    for b in range(n_codes):
        if sums[b, n_outputs] > 0:
            order[n_present] = b
            n_present += 1
    if n_outputs > 1 and n_present <= FEW_LEVELS:
        best = _any_division(sums, n_present, total, min_weight, running, order, left, side)
    else:
        best = _ordered_division(
            sums, n_present, total, min_weight, running, order, keys, left, side
        )
    for b in range(n_codes):
        if sums[b, n_outputs] == 0:
            left[b] = 2 * side[0, n_outputs] > total[0, n_outputs]
    return np.intp(best > 0.0)


@kernel
def _ordered_division(sums, n_present, total, min_weight, running, order, keys, left, side):
    """Set the sides of levels, divided by their order; return the gain, 0 if there is none."""
    n_outputs = total.shape[1] - 1
    best = 0.0
    for output in range(n_outputs):
        _sort_levels(sums, output, n_present, order, keys)
        for k in range(n_outputs + 1):
            running[k] = 0
        best_cut = -1
        for i in range(n_present - 1):
            for k in range(n_outputs + 1):
                running[k] += sums[order[i], k]
            if running[n_outputs] < min_weight:
                continue
            if total[0, n_outputs] - running[n_outputs] < min_weight:
                break
            gain = between(running, total)
            if gain > best:
                best, best_cut = gain, i
                _copy(running, side)
        if best_cut >= 0:
            for i in range(n_present):
                left[order[i]] = i <= best_cut
    return best


@kernel
def _sort_levels(sums, output, n_present, order, keys):
    """Sort ``order[:n_present]`` by the mean of one output, equal means by code."""
    n_outputs = sums.shape[1] - 1
    for i in range(n_present):
        keys[i] = sums[order[i], output] / sums[order[i], n_outputs]
    for gap in (57, 23, 10, 4, 1):  # Shell's sort: numba's own takes seconds to compile
        for i in range(gap, n_present):
            key, level = keys[i], order[i]
            j = i
            while j >= gap and (
                keys[j - gap] > key or (keys[j - gap] == key and order[j - gap] > level)
            ):
                keys[j], order[j] = keys[j - gap], order[j - gap]
                j -= gap
            keys[j], order[j] = key, level


@kernel
def _any_division(sums, n_present, total, min_weight, running, order, left, side):
    """Set the sides of levels, divided in any way; return the gain, 0 if there is none."""
    n_outputs = total.shape[1] - 1
    best = 0.0
    # the last level stays right: the other divisions are the same with sides swapped
    for division in range(1, 1 << max(n_present - 1, 0)):
        for k in range(n_outputs + 1):
            running[k] = 0
            for i in range(n_present):
                if (division >> i) & 1:
                    running[k] += sums[order[i], k]
        weight = running[n_outputs]
        if weight < min_weight or total[0, n_outputs] - weight < min_weight:
            continue
        gain = between(running, total)
        if gain > best:
            best = gain
            _copy(running, side)
            for i in range(n_present):
                left[order[i]] = (division >> i) & 1
    return best


@kernel
def _copy(running, side):
    for k in range(running.shape[0]):
        side[0, k] = running[k]
