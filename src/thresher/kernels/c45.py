"""Grow a C4.5 tree, and predict by it.

Nodes that wait for their turn keep their rows on a stack. The one on top is taken, and its rows are
replaced by those of its children; with missing values these may be more.
"""

import numpy as np

from ._c45_choice import candidates_among, choose
from ._c45_predict import class_probabilities
from ._c45_splits import LEVELS, SMALL, Node, table_of_logs, weighted_log
from ._c45_types import Tree
from ._jit import kernel

# what is kept of a node, see Tree
_COLUMN, _CUT, _CHILD, _N_CHILDREN, _PARENT, _N_FIELDS = 0, 1, 2, 3, 4, 5
#: A subtree that makes this many errors less than a leaf, or fewer, is no gain.
_NO_GAIN = 1e-3


@kernel
def _longer(array, length):
    """The same array, with room for more."""
    if length <= array.shape[0]:
        return array
    longer = np.empty((max(length, 2 * array.shape[0]), array.shape[1]), array.dtype)
    for i in range(array.shape[0]):
        for k in range(array.shape[1]):
            longer[i, k] = array[i, k]
    return longer


@kernel
def _longer_list(array, length):
    if length <= array.shape[0]:
        return array
    longer = np.empty(max(length, 2 * array.shape[0]), array.dtype)
    for i in range(array.shape[0]):
        longer[i] = array[i]
    return longer


@kernel
def _threshold(table, training, j, cut, rows):
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
def _shares(codes, cut, rows, weights, shares, sizes):
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
def _share_out(codes, cut, shares, sizes, places, rows, weights, new_places, new_weights):
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
def _gather(training, places, weights, rows, classes, totals, here):
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


@kernel
def grow(table, training, columns, least, collapse):
    """Grow a tree until no split is of use.

    Parameters
    ----------
    table : Table
    training : Training
    columns : array of int64
        Those that may be used, ascending.
    least : float
        The weight that at least two branches must have.
    collapse : bool
        Whether to undo splits that do not lower the error on the training rows.

    Returns
    -------
    tree : Tree
    n_judged : int
        How many times a column was judged at a node.
    """
    n, n_classes = training.rows.shape[0], training.n_classes
    some, logs = candidates_among(table, training, columns), table_of_logs(n)
    fields, totals = np.empty((64, _N_FIELDS), np.int64), np.zeros((64, n_classes))
    share = np.empty(64)
    # the rows of all nodes that wait: their places among the training rows, and their weights
    places, weights = np.empty(2 * n, np.int64), np.empty(2 * n)
    for i in range(n):
        places[i], weights[i] = i, training.weights[i]
    waiting = np.empty((64, 3), np.int64)  # node, where its rows start, and end
    waiting[0, 0], waiting[0, 1], waiting[0, 2] = 0, 0, n
    rows, classes = np.empty(n, np.int64), np.empty(n, np.int64)
    here = np.empty(n_classes, np.int64)
    fields[0, _PARENT], share[0] = -1, 1.0
    n_nodes, n_waiting, n_judged = 1, 1, 0
    while n_waiting > 0:
        n_waiting -= 1
        at = waiting[n_waiting, 0]
        start, stop = waiting[n_waiting, 1], waiting[n_waiting, 2]
        size = stop - start
        whole, total, highest, n_here = _gather(
            training, places[start:stop], weights[start:stop], rows, classes, totals[at], here
        )
        fields[at, _COLUMN], fields[at, _CUT] = -1, LEVELS
        fields[at, _CHILD], fields[at, _N_CHILDREN] = -1, 0
        if total < 2 * least - SMALL or total - highest < SMALL:
            continue
        node = Node(total, weighted_log(total), whole, least, training.n_seen)
        mine = places[start:stop]
        n_judged += columns.shape[0]
        best = choose(
            table,
            some,
            here[:n_here],
            totals[at],
            logs,
            node,
            mine,
            rows[:size],
            classes[:size],
            weights[start:stop],
        )
        if best < 0:
            continue

        j, cut, n_branches = columns[best], some.cut[best], 2
        if cut == LEVELS:
            n_branches = table.starts[j + 1] - table.starts[j]
        else:
            cut = _threshold(table, training, j, cut, rows[:size])
        shares, sizes = np.zeros(n_branches), np.zeros(n_branches, np.int64)
        _shares(table.codes[j], cut, rows[:size], weights[start:stop], shares, sizes)
        n_new = sizes.sum()
        new_places, new_weights = np.empty(n_new, np.int64), np.empty(n_new)
        _share_out(
            table.codes[j],
            cut,
            shares,
            sizes,
            mine,
            rows[:size],
            weights[start:stop],
            new_places,
            new_weights,
        )
        places = _longer_list(places, start + n_new)
        weights = _longer_list(weights, start + n_new)
        for i in range(n_new):
            places[start + i], weights[start + i] = new_places[i], new_weights[i]
        fields = _longer(fields, n_nodes + n_branches)
        totals = _longer(totals, n_nodes + n_branches)
        share = _longer_list(share, n_nodes + n_branches)
        waiting = _longer(waiting, n_waiting + n_branches)
        fields[at, _COLUMN], fields[at, _CUT] = j, cut
        fields[at, _CHILD], fields[at, _N_CHILDREN] = n_nodes, n_branches
        for b in range(n_branches):
            fields[n_nodes, _PARENT], share[n_nodes] = at, shares[b]
            waiting[n_waiting, 0] = n_nodes
            waiting[n_waiting, 1], waiting[n_waiting, 2] = start, start + sizes[b]
            start += sizes[b]
            n_nodes += 1
            n_waiting += 1
    kept = np.ones(n_nodes, np.bool_)
    if collapse:
        _collapse(fields, totals, kept)
    return _tree_of(fields, totals, share, kept), n_judged


@kernel
def _errors(totals, at):
    total, highest = 0.0, 0.0
    for c in range(totals.shape[1]):
        total += totals[at, c]
        highest = max(highest, totals[at, c])
    return total - highest


@kernel
def _collapse(fields, totals, kept):
    """Turn nodes into leaves where the subtree does not lower the error on the training rows."""
    n_nodes = kept.shape[0]
    errors = np.zeros(n_nodes)
    for at in range(n_nodes - 1, -1, -1):
        if fields[at, _COLUMN] < 0:
            errors[at] = _errors(totals, at)
        if at > 0:
            errors[fields[at, _PARENT]] += errors[at]
    for at in range(n_nodes):
        if at > 0:
            parent = fields[at, _PARENT]
            kept[at] = kept[parent] and fields[parent, _COLUMN] >= 0
        if kept[at] and errors[at] >= _errors(totals, at) - _NO_GAIN:
            fields[at, _COLUMN], fields[at, _CUT] = -1, LEVELS


@kernel
def _tree_of(fields, totals, share, kept):
    """Only the nodes that are kept; children stay side by side."""
    n_classes = totals.shape[1]
    number, n_nodes = np.empty(kept.shape[0], np.int64), 0
    for at in range(kept.shape[0]):
        number[at] = n_nodes
        n_nodes += kept[at]
    tree = Tree(
        np.empty(n_nodes, np.int64),
        np.empty(n_nodes, np.int64),
        np.empty(n_nodes, np.int64),
        np.empty(n_nodes, np.int64),
        np.empty(n_nodes, np.int64),
        np.empty(n_nodes),
        np.empty((n_nodes, n_classes)),
    )
    for at in range(kept.shape[0]):
        if not kept[at]:
            continue
        i, is_leaf = number[at], fields[at, _COLUMN] < 0
        tree.column[i], tree.cut[i] = fields[at, _COLUMN], fields[at, _CUT]
        tree.child[i] = -1 if is_leaf else number[fields[at, _CHILD]]
        tree.n_children[i] = 0 if is_leaf else fields[at, _N_CHILDREN]
        tree.parent[i] = -1 if at == 0 else number[fields[at, _PARENT]]
        tree.share[i] = share[at]
        for c in range(n_classes):
            tree.totals[i, c] = totals[at, c]
    return tree


@kernel
def held_out_probabilities(table, training, columns, least, collapse, rows, out):
    """Grow a tree, and write the class probabilities of some rows of the same table to ``out``."""
    tree, _ = grow(table, training, columns, least, collapse)
    place = np.arange(table.codes.shape[0])
    class_probabilities(
        tree, table.codes, place, table.levels, table.starts, training.floor, rows, out
    )
