"""The rows of a node of a C4.5 tree, and how they are shared out among its branches."""

import numpy as np

from ._c45_splits import LEVELS, SMALL
from ._jit import kernel


@kernel
def longer(array, length):
    """The same array, with room for more."""
    if length <= array.shape[0]:
        return array
    longer = np.empty((max(length, 2 * array.shape[0]), array.shape[1]), array.dtype)
    for i in range(array.shape[0]):
        for k in range(array.shape[1]):
            longer[i, k] = array[i, k]
    return longer


@kernel
def longer_list(array, length):
    if length <= array.shape[0]:
        return array
    longer = np.empty(max(length, 2 * array.shape[0]), array.dtype)
    for i in range(array.shape[0]):
        longer[i] = array[i]
    return longer


@kernel
def threshold(table, training, j, cut, rows):
    """The code to cut at: of the training value next below the middle of the gap in the node."""
    start = table.starts[j]
    low, high = -1, table.starts[j + 1] - start
    for i in range(rows.shape[0]):
        code = table.codes[j, rows[i]]
        if code > cut:
            high = min(high, code)
        elif code >= 0:
            low = max(low, code)
    below, above = table.values[start + low], table.values[start + high]
    middle = (below + above) / 2.0
    if not np.isfinite(middle):
        middle = below / 2.0 + above / 2.0
    found = low
    while found + 1 < high and table.values[start + found + 1] <= middle:
        found += 1
    return np.int64(training.floor[start + found])


@kernel
def _branch(code, cut):
    if cut == LEVELS:
        return code
    return 0 if code <= cut else 1


@kernel
def add_shares(codes, cut, rows, weights, shares, sizes):
    """How rows are shared out among branches: by weight, and how many come to each."""
    known, n_missing = 0.0, 0
    for i in range(rows.shape[0]):
        code = codes[rows[i]]
        if code < 0:
            n_missing += 1
        else:
            branch = _branch(code, cut)
            shares[branch] += weights[i]
            sizes[branch] += 1
            known += weights[i]
    for b in range(shares.shape[0]):
        shares[b] /= known
        if shares[b] > SMALL:
            sizes[b] += n_missing


@kernel
def share_out(codes, cut, shares, sizes, places, rows, weights, new_places, new_weights):
    """Put the rows of each branch side by side, in their order; those of no value go to all."""
    n_branches = shares.shape[0]
    ends = np.empty(n_branches, np.int64)
    end = 0
    for b in range(n_branches):
        ends[b] = end
        end += sizes[b]
    for i in range(rows.shape[0]):
        code = codes[rows[i]]
        if code >= 0:
            b = _branch(code, cut)
            new_places[ends[b]], new_weights[ends[b]] = places[i], weights[i]
            ends[b] += 1
        else:
            for b in range(n_branches):
                if shares[b] > SMALL:
                    new_places[ends[b]] = places[i]
                    new_weights[ends[b]] = weights[i] * shares[b]
                    ends[b] += 1


@kernel
def gather(training, places, weights, rows, classes, totals, here):
    """Fetch the rows of a node, and add up the weights of its classes.

    Returns whether all rows count in full, the total weight, the largest of a class, and how many
    classes there are; these are listed in ``here``.
    """
    whole = True
    for c in range(totals.shape[0]):
        totals[c] = 0.0
    for i in range(places.shape[0]):
        rows[i], classes[i] = training.rows[places[i]], training.classes[places[i]]
        totals[classes[i]] += weights[i]
        whole = whole and weights[i] == 1.0
    total, highest, n_here = 0.0, 0.0, 0
    for c in range(totals.shape[0]):
        total += totals[c]
        highest = max(highest, totals[c])
        if totals[c] > 0.0:
            here[n_here] = c
            n_here += 1
    return whole, total, highest, n_here
