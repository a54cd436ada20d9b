"""C4.5 trees of subsets that lack a few columns of one, by regrowing only what changes.

What a column gains at a node depends on the rows there and not on other columns. So the gains of
all columns at all nodes of one tree tell, without a look at any row, where the tree of a smaller
subset goes on as this one does. At the first node of a path where another column is chosen, or
none, the subtree is grown anew from the rows of that node.
"""

from typing import NamedTuple

import numpy as np

from ._c45_choice import best_of, candidates_among, count_active
from ._c45_predict import class_probabilities
from ._c45_splits import LEVELS, table_of_logs
from ._c45_types import Judged, Nodes
from ._jit import kernel
from .c45 import CHILD, COLUMN, CUT, N_CHILDREN, PARENT, grow_rows, tree_of, with_room


class Record(NamedTuple):
    """A tree, before any collapse, and what was judged on the way.

    Attributes
    ----------
    columns : array of int64
        Those that it could use, ascending.
    nodes : Nodes
    number : array of int64, shape (n_nodes,)
        The place of each node among those judged; -1 if it is not there.
    judged : Judged
    complete : bool
        Whether all nodes are there that were judged.
    """

    columns: np.ndarray
    nodes: Nodes
    number: np.ndarray
    judged: Judged
    complete: bool


@kernel
def record_of(table, training, columns, least, room):
    """Grow a tree, and keep what is judged, as long as there is room; see `grow_rows`."""
    n = training.rows.shape[0]
    some, logs = candidates_among(table, training, columns), table_of_logs(n)
    nodes, n_nodes, judged, n_noted, n_judged = grow_rows(
        table, training, some, logs, least, np.arange(n), training.weights,
        np.int64(-1), room,
    )  # fmt: skip
    number = np.full(n_nodes, -1, np.int64)
    for i in range(n_noted):
        number[judged.node[i]] = i
    return Record(
        columns, _copied(nodes, n_nodes), number, _trimmed(judged, n_noted), n_noted == n_judged
    )


@kernel
def _copied(nodes, n_nodes):
    return Nodes(
        nodes.fields[:n_nodes].copy(), nodes.totals[:n_nodes].copy(), nodes.share[:n_nodes].copy()
    )


@kernel
def _trimmed(judged, n):
    """The first n notes, without room for more."""
    n_rows = judged.start[n]
    return Judged(
        judged.node[:n].copy(),
        judged.best[:n].copy(),
        judged.gain[:n].copy(),
        judged.ratio[:n].copy(),
        judged.cut[:n].copy(),
        judged.start[: n + 1].copy(),
        judged.places[:n_rows].copy(),
        judged.weights[:n_rows].copy(),
    )


@kernel
def _changes(record, active, counted, nodes, bests):
    """Find the topmost nodes at which another candidate is chosen now, or none.

    They are written to ``nodes``, and what is chosen to ``bests``; returns how many there are.
    """
    number, fields, judged = record.number, record.nodes.fields, record.judged
    gain, ratio, cut, before = judged.gain, judged.ratio, judged.cut, judged.best
    waiting = np.empty(fields.shape[0], np.int64)
    waiting[0], n_waiting, n_changes = 0, 1, 0
    while n_waiting > 0:
        n_waiting -= 1
        at = waiting[n_waiting]
        i = number[at]
        if i < 0:
            continue
        best = best_of(gain[i], ratio[i], cut[i], active, counted)
        if best != before[i]:
            nodes[n_changes], bests[n_changes] = at, best
            n_changes += 1
            continue
        for b in range(fields[at, N_CHILDREN]):
            waiting[n_waiting] = fields[at, CHILD] + b
            n_waiting += 1
    return n_changes


@kernel
def _grafted(nodes, n_nodes, at, branch, n_branch):
    """Put a tree in the place of a node; what was below stays, but cannot be reached."""
    nodes = with_room(nodes, n_nodes + n_branch - 1)
    shift = n_nodes - 1  # the first node of the branch is the one that it replaces
    for i in range(n_branch):
        to = shift + i if i > 0 else at
        fields, source = nodes.fields[to], branch.fields[i]
        fields[COLUMN], fields[CUT], fields[N_CHILDREN] = (
            source[COLUMN],
            source[CUT],
            source[N_CHILDREN],
        )
        fields[CHILD] = source[CHILD] + shift if source[CHILD] >= 0 else -1
        if i > 0:
            fields[PARENT] = source[PARENT] + shift if source[PARENT] > 0 else at
            nodes.share[to] = branch.share[i]
        nodes.totals[to] = branch.totals[i]
    return nodes, n_nodes + n_branch - 1


@kernel
def _regrown(table, training, some, logs, least, record, changed, bests):
    """Nodes of the tree of the active candidates, and how many they are."""
    judged, n_nodes = record.judged, record.number.shape[0]
    nodes = _copied(record.nodes, n_nodes)
    for k in range(changed.shape[0]):
        at, best = changed[k], bests[k]
        if best < 0:
            fields = nodes.fields[at]
            fields[COLUMN], fields[CUT], fields[CHILD], fields[N_CHILDREN] = -1, LEVELS, -1, 0
            continue
        i = record.number[at]
        start, stop = judged.start[i], judged.start[i + 1]
        some.cut[best] = judged.cut[i, best]
        branch, n_branch, _, _, _ = grow_rows(
            table, training, some, logs, least,
            judged.places[start:stop], judged.weights[start:stop], best, np.int64(0),
        )  # fmt: skip
        nodes, n_nodes = _grafted(nodes, n_nodes, at, branch, n_branch)
    return nodes, n_nodes


@kernel
def variant_probabilities(
    table, training, record, starts, removed, least, collapse, rows, base, out
):
    """Class probabilities by trees that lack some columns of a recorded one.

    Parameters
    ----------
    table, training, record, least, collapse
        See `record_of` and `grow`; the record is complete.
    starts, removed : arrays of int64
        ``removed[starts[v] : starts[v + 1]]`` are the columns that variant v lacks, as positions in
        ``record.columns``.
    rows : array of int64, shape (n_tested,)
    base : array of float64, shape (n_tested, n_classes)
        Is overwritten by the probabilities of the recorded tree.
    out : array of float64, shape (n_variants, n_tested, n_classes)
        Is overwritten.
    """
    n_nodes, place = record.number.shape[0], np.arange(table.codes.shape[0])
    some = candidates_among(table, training, record.columns)
    logs = table_of_logs(training.rows.shape[0])
    changed, bests = np.empty(n_nodes, np.int64), np.empty(n_nodes, np.int64)
    tree = tree_of(_copied(record.nodes, n_nodes), n_nodes, collapse)
    class_probabilities(
        tree, table.codes, place, table.levels, table.starts, training.floor, rows, base
    )
    for v in range(out.shape[0]):
        some.active[:] = True
        for k in removed[starts[v] : starts[v + 1]]:
            some.active[k] = False
        count_active(some)
        n_changes = _changes(record, some.active, some.counted, changed, bests)
        if n_changes == 0:
            out[v] = base
            continue
        nodes, n_all = _regrown(
            table, training, some, logs, least, record, changed[:n_changes], bests[:n_changes]
        )
        tree = tree_of(nodes, n_all, collapse)
        class_probabilities(
            tree, table.codes, place, table.levels, table.starts, training.floor, rows, out[v]
        )
