"""Grow a C4.5 tree, and predict by it.

Nodes that wait for their turn keep their rows on a stack. The one on top is taken, and its rows are
replaced by those of its children; with missing values these may be more.
"""

import numpy as np

from ._c45_choice import candidates_among, choose
from ._c45_predict import class_probabilities
from ._c45_rows import add_shares, gather, longer, longer_list, share_out, threshold
from ._c45_splits import LEVELS, SMALL, Node, table_of_logs, weighted_log
from ._c45_types import Judged, Nodes, Tree
from ._jit import kernel

# what is kept of a node, see Tree
COLUMN, CUT, CHILD, N_CHILDREN, PARENT, _N_FIELDS = 0, 1, 2, 3, 4, 5
#: A subtree that makes this many errors less than a leaf, or fewer, is no gain.
_NO_GAIN = 1e-3


@kernel
def with_room(nodes, n):
    """The same nodes, with room for n."""
    return Nodes(
        longer(nodes.fields, n),
        longer(nodes.totals, n),
        longer_list(nodes.share, n),
    )


@kernel
def _nothing_judged(n_candidates):
    return Judged(
        np.empty(0, np.int64),
        np.empty(0, np.int64),
        np.empty((0, n_candidates)),
        np.empty((0, n_candidates)),
        np.empty((0, n_candidates), np.int64),
        np.zeros(1, np.int64),
        np.empty(0, np.int64),
        np.empty(0),
    )


@kernel
def bytes_of(judged, n, size):
    """What the first n notes take, and one more on so many rows."""
    n_rows = judged.start[n] + size
    return (n + 1) * (3 * judged.gain.shape[1] + 3) * 8 + n_rows * 2 * 8


@kernel
def _noted(judged, n, some, node, best, places, weights):
    """What is judged, with one node more, as number n."""
    start = judged.start[n]
    stop = start + places.shape[0]
    judged = Judged(
        longer_list(judged.node, n + 1),
        longer_list(judged.best, n + 1),
        longer(judged.gain, n + 1),
        longer(judged.ratio, n + 1),
        longer(judged.cut, n + 1),
        longer_list(judged.start, n + 2),
        longer_list(judged.places, stop),
        longer_list(judged.weights, stop),
    )
    judged.node[n], judged.best[n], judged.start[n + 1] = node, best, stop
    judged.gain[n], judged.ratio[n], judged.cut[n] = some.gain, some.ratio, some.cut
    judged.places[start:stop], judged.weights[start:stop] = places, weights
    return judged


@kernel
def _divided(table, j, cut, places, rows, weights):
    """Places and weights of the rows of all branches, how many each has, and its share."""
    n_branches = table.starts[j + 1] - table.starts[j] if cut == LEVELS else 2
    shares, sizes = np.zeros(n_branches), np.zeros(n_branches, np.int64)
    codes = table.codes[j]
    add_shares(codes, cut, rows, weights, shares, sizes)
    n = sizes.sum()
    new_places, new_weights = np.empty(n, np.int64), np.empty(n)
    share_out(codes, cut, shares, sizes, places, rows, weights, new_places, new_weights)
    return new_places, new_weights, sizes, shares


@kernel
def grow_rows(table, training, some, logs, least, places, weights, top, room):
    """Grow a tree from some of the training rows until no split is of use.

    Parameters
    ----------
    table : Table
    training : Training
    some : Candidates
    logs : array of float64
        See `table_of_logs`.
    least : float
        The weight that at least two branches must have.
    places : array of int64
        Of the rows among the training rows.
    weights : array of float64
    top : int
        The candidate that the first node is split by, if that is known, and ``some.cut`` how; -1 if
        it is not.
    room : int
        How many bytes notes of what was judged may take; once one does not fit, no more are taken.

    Returns
    -------
    nodes : Nodes
    n_nodes : int
    judged : Judged
        With room for more.
    n_noted : int
        At how many nodes notes were taken.
    n_judged : int
        How many nodes were judged.
    """
    n, n_classes = places.shape[0], training.n_classes
    nodes = Nodes(np.empty((64, _N_FIELDS), np.int64), np.empty((64, n_classes)), np.empty(64))
    judged = _nothing_judged(some.columns.shape[0])
    # typed: numba would compile kernels for each plain number
    n_noted, n_judged = np.int64(0), np.int64(0)
    # the rows of all nodes that wait
    places, weights = longer_list(places.copy(), 2 * n), longer_list(weights.copy(), 2 * n)
    waiting = np.empty((64, 3), np.int64)  # node, where its rows start, and end
    waiting[0, 0], waiting[0, 1], waiting[0, 2] = 0, 0, n
    rows, classes = np.empty(n, np.int64), np.empty(n, np.int64)
    here = np.empty(n_classes, np.int64)
    nodes.fields[0, PARENT], nodes.share[0] = -1, 1.0
    n_nodes, n_waiting = 1, 1
    while n_waiting > 0:
        n_waiting -= 1
        at, start, stop = waiting[n_waiting]
        size = stop - start
        mine, own = places[start:stop], weights[start:stop]
        fields, totals = nodes.fields[at], nodes.totals[at]
        whole, total, highest, n_here = gather(training, mine, own, rows, classes, totals, here)
        fields[COLUMN], fields[CUT], fields[CHILD], fields[N_CHILDREN] = -1, LEVELS, -1, 0
        if total < 2 * least - SMALL or total - highest < SMALL:
            continue
        best = top
        if at > 0 or top < 0:
            node = Node(total, weighted_log(total), whole, least, training.n_seen)
            best = choose(
                table, some, here[:n_here], totals, logs, node,
                mine, rows[:size], classes[:size], own,
            )  # fmt: skip
        if n_noted == n_judged and bytes_of(judged, n_noted, size) <= room:
            judged = _noted(judged, n_noted, some, at, best, mine, own)
            n_noted += 1
        n_judged += 1
        if best < 0:
            continue
        j, cut = some.columns[best], some.cut[best]
        if cut != LEVELS:
            cut = threshold(table, training, j, cut, rows[:size])
        new_places, new_weights, sizes, shares = _divided(table, j, cut, mine, rows[:size], own)
        n_new, n_branches = new_places.shape[0], sizes.shape[0]
        fields[COLUMN], fields[CUT], fields[CHILD], fields[N_CHILDREN] = j, cut, n_nodes, n_branches
        places, weights = longer_list(places, start + n_new), longer_list(weights, start + n_new)
        places[start : start + n_new] = new_places
        weights[start : start + n_new] = new_weights
        nodes = with_room(nodes, n_nodes + n_branches)
        waiting = longer(waiting, n_waiting + n_branches)
        for b in range(n_branches):
            nodes.fields[n_nodes, PARENT], nodes.share[n_nodes] = at, shares[b]
            waiting[n_waiting, 0] = n_nodes
            waiting[n_waiting, 1], waiting[n_waiting, 2] = start, start + sizes[b]
            start += sizes[b]
            n_nodes += 1
            n_waiting += 1
    return nodes, n_nodes, judged, n_noted, n_judged


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
    n = training.rows.shape[0]
    some, logs = candidates_among(table, training, columns), table_of_logs(n)
    nodes, n_nodes, _, _, n_judged = grow_rows(
        table, training, some, logs, least, np.arange(n), training.weights,
        np.int64(-1), np.int64(0),
    )  # fmt: skip
    return tree_of(nodes, n_nodes, collapse), n_judged * columns.shape[0]


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
        if fields[at, COLUMN] < 0:
            errors[at] = _errors(totals, at)
        if at > 0 and kept[at]:
            errors[fields[at, PARENT]] += errors[at]
    for at in range(n_nodes):
        if kept[at] and errors[at] >= _errors(totals, at) - _NO_GAIN:
            fields[at, COLUMN], fields[at, CUT] = -1, LEVELS
            fields[at, CHILD], fields[at, N_CHILDREN] = -1, 0


@kernel
def _reached(fields, n_nodes):
    """Which nodes can be reached from the root."""
    kept = np.ones(n_nodes, np.bool_)
    for at in range(1, n_nodes):
        parent = fields[at, PARENT]
        nth = at - fields[parent, CHILD]
        kept[at] = kept[parent] and 0 <= nth < fields[parent, N_CHILDREN]
    return kept


@kernel
def tree_of(nodes, n_nodes, collapse):
    """Only the nodes that can be reached; children stay side by side."""
    fields, totals, share = nodes.fields, nodes.totals, nodes.share
    kept = _reached(fields, n_nodes)
    if collapse:
        _collapse(fields, totals, kept)
        kept = _reached(fields, n_nodes)
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
        i, is_leaf = number[at], fields[at, COLUMN] < 0
        tree.column[i], tree.cut[i] = fields[at, COLUMN], fields[at, CUT]
        tree.child[i] = -1 if is_leaf else number[fields[at, CHILD]]
        tree.n_children[i] = 0 if is_leaf else fields[at, N_CHILDREN]
        tree.parent[i] = -1 if at == 0 else number[fields[at, PARENT]]
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
