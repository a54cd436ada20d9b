"""How good a split of a node is: C4.5's gain and gain ratio, from weights of classes.

Weights are whole numbers, then held as floats without rounding, or sums of fractions of rows. All
comparisons leave room for rounding errors.
"""

from typing import NamedTuple

import numpy as np

from ._jit import kernel

#: What counts as no difference.
SMALL = 1e-6
#: Numeric splits leave at least this share of the weight of an average class on either side ...
_SHARE = 0.1
#: ... but no more than this needs to be left.
_ENOUGH = 25.0
#: Instead of the code of a threshold: a column with levels, a column without a split.
LEVELS, NONE = -1, -2


class Node(NamedTuple):
    """What all candidates of a node share.

    There is no array here: taking one out of a tuple takes longer than judging a split.

    Attributes
    ----------
    total : float
        The weight of the rows.
    log_total : float
        ``weighted_log`` of it.
    whole : bool
        Whether all weights are 1.
    least : float
        The weight that at least two branches must have.
    n_seen : int
        Classes in the training rows; others have no weight anywhere.
    """

    total: float
    log_total: float
    whole: bool
    least: float
    n_seen: int


@kernel
def weighted_log(weight):
    """Weight times its logarithm to base 2."""
    return weight * np.log2(weight) if weight >= SMALL else 0.0


@kernel
def table_of_logs(n):
    logs = np.empty(n + 1)
    for i in range(n + 1):
        logs[i] = weighted_log(np.float64(i))
    return logs


@kernel
def log_of(weight, whole, logs):
    return logs[np.int64(weight)] if whole else weighted_log(weight)


@kernel
def least_side(known, least, n_seen):
    """What a threshold must leave on either side."""
    return max(min(_SHARE * known / n_seen, _ENOUGH), least)


@kernel
def gain_of(lost, known, total):
    """Gain in bits per row from the loss of entropy; rows with a missing value gain nothing."""
    return 0.0 if abs(lost) * known < SMALL * total else lost / total


@kernel
def priced(gain, n_cuts, total):
    """Gain of the best threshold, less the price for having chosen it; 0 if nothing is left."""
    if n_cuts > 1:
        gain -= np.log2(np.float64(n_cuts)) / total
    return gain if gain >= SMALL else 0.0


@kernel
def ratio_of(gain, information, total):
    """Gain ratio, from the gain per row and the information of the split for all rows."""
    return 0.0 if abs(information) < SMALL else gain * total / information


@kernel
def threshold_of_cells(present, cells, n_present, known_of, left_of, classes, logs, node):
    """Judge thresholds of a numeric column.

    Parameters
    ----------
    present : int array
        The codes at the node, ascending; there are ``n_present``.
    cells : array of float64
        The weight of each class (second axis) in each of them.
    known_of, left_of : arrays of float64, shape (n_classes,)
        Scratch.
    classes : array of int64
        Those that rows of the node have.
    logs : array of float64
        ``weighted_log`` of 0, 1, 2 ... up to the number of training rows.
    node : Node

    Returns
    -------
    gain, information of the split, code of the threshold
        The last of them `NONE` if there is no split.
    """
    whole, total = node.whole, node.total
    known = 0.0
    for i in range(classes.shape[0]):
        c = classes[i]
        known_of[c] = left_of[c] = 0.0
        for k in range(n_present):
            known_of[c] += cells[k, c]
        known += known_of[c]
    least = least_side(known, node.least, node.n_seen) - SMALL
    before = log_of(known, whole, logs)
    for i in range(classes.shape[0]):
        c = classes[i]
        before -= log_of(known_of[c], whole, logs)
    best, best_cut, best_left, n_cuts = 0.0, NONE, 0.0, 0
    for k in range(n_present - 1):
        left = 0.0
        for i in range(classes.shape[0]):
            c = classes[i]
            left_of[c] += cells[k, c]
            left += left_of[c]
        right = known - left
        if left < least or right < least:
            continue
        n_cuts += 1
        lost = before - log_of(left, whole, logs) - log_of(right, whole, logs)
        for i in range(classes.shape[0]):
            c = classes[i]
            lower, higher = left_of[c], max(known_of[c] - left_of[c], 0.0)
            lost += log_of(lower, whole, logs) + log_of(higher, whole, logs)
        gain = gain_of(lost, known, total)
        if gain - best > SMALL:
            best, best_cut, best_left = gain, np.int64(present[k]), left
    gain = priced(best, n_cuts, total)
    if gain == 0.0:
        return 0.0, 0.0, NONE
    sides = log_of(best_left, whole, logs) + log_of(known - best_left, whole, logs)
    return gain, node.log_total - (sides + weighted_log(total - known)), best_cut


@kernel
def entropy_of_counts(counts, known, classes, logs):
    """Of the classes of ``known`` rows, times their number."""
    entropy = logs[known]
    for i in range(classes.shape[0]):
        entropy -= logs[counts[classes[i]]]
    return entropy


@kernel
def threshold_of_ones(ones, first, n_thresholds, counts, known, before, least, classes, logs, node):
    """Judge thresholds of a numeric column by counts of the rows above each.

    The result is that of `threshold_of_cells`, bit for bit, where weights are 1.

    Parameters
    ----------
    ones : int array of shape (n_indicators, n_classes)
        Row ``first`` and those that follow belong to the column.
    counts : array of int64, shape (n_classes,)
        Rows whose value is known; there are ``known`` of them.
    before : float
        Their entropy.
    least : float
        How many must be on either side.
    """
    total = node.total
    best, best_cut, best_left, n_cuts, left_before = 0.0, NONE, 0, 0, 0
    for t in range(n_thresholds):
        right = 0
        for i in range(classes.shape[0]):
            right += ones[first + t, classes[i]]
        left = known - right
        is_present = left > left_before
        left_before = left
        if not is_present or right == 0 or left < least or right < least:
            continue
        n_cuts += 1
        lost = before - logs[left] - logs[right]
        for i in range(classes.shape[0]):
            c = classes[i]
            higher = np.int64(ones[first + t, c])
            lost += logs[counts[c] - higher] + logs[higher]
        gain = gain_of(lost, np.float64(known), total)
        if gain - best > SMALL:
            best, best_cut, best_left = gain, t, left
    gain = priced(best, n_cuts, total)
    if gain == 0.0:
        return 0.0, 0.0, NONE
    sides = logs[best_left] + logs[known - best_left]
    return gain, node.log_total - (sides + logs[np.int64(total) - known]), best_cut


@kernel
def levels_of_cells(cells, n_present, known_of, classes, logs, node):
    """Judge the split into levels of a column; see `threshold_of_cells`."""
    whole, total = node.whole, node.total
    known, n_large = 0.0, 0
    for i in range(classes.shape[0]):
        c = classes[i]
        known_of[c] = 0.0
        for k in range(n_present):
            known_of[c] += cells[k, c]
        known += known_of[c]
    sides, lost = 0.0, 0.0
    for k in range(n_present):
        weight = 0.0
        for i in range(classes.shape[0]):
            c = classes[i]
            weight += cells[k, c]
            lost += log_of(cells[k, c], whole, logs)
        sides += log_of(weight, whole, logs)
        n_large += weight >= node.least - SMALL
    if n_large < 2:
        return 0.0, 0.0, NONE
    before = log_of(known, whole, logs)
    for i in range(classes.shape[0]):
        c = classes[i]
        before -= log_of(known_of[c], whole, logs)
    gain = gain_of(before + lost - sides, known, total)
    return gain, node.log_total - (sides + weighted_log(total - known)), LEVELS


@kernel
def levels_of_ones(ones, first, n_levels, counts, classes, logs, node):
    """Judge the split into levels of a column by counts of the rows at each, all weights 1."""
    total = node.total
    known, n_large = 0, 0
    for i in range(classes.shape[0]):
        c = classes[i]
        counts[c] = 0
    sides, lost = 0.0, 0.0
    for k in range(n_levels):
        at_level = 0
        for i in range(classes.shape[0]):
            c = classes[i]
            count = np.int64(ones[first + k, c])
            at_level += count
            counts[c] += count
            lost += logs[count]
        known += at_level
        sides += logs[at_level]
        n_large += at_level >= node.least - SMALL
    if n_large < 2:
        return 0.0, 0.0, NONE
    before = entropy_of_counts(counts, known, classes, logs)
    gain = gain_of(before + lost - sides, np.float64(known), total)
    return gain, node.log_total - (sides + logs[np.int64(total) - known]), LEVELS
