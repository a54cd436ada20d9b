"""Class probabilities by a C4.5 tree."""

import numpy as np

from ._c45_splits import SMALL
from ._jit import kernel


@kernel
def node_probabilities(tree):
    """Class shares of the training rows at each node; of the parent if there are none."""
    probability = np.empty(tree.totals.shape)
    for at in range(probability.shape[0]):
        total = 0.0
        for c in range(probability.shape[1]):
            total += tree.totals[at, c]
        for c in range(probability.shape[1]):
            if total >= SMALL or at == 0:
                probability[at, c] = tree.totals[at, c] / total
            else:
                probability[at, c] = probability[tree.parent[at], c]
    return probability


@kernel
def class_probabilities(tree, codes, place, levels, starts, floor, rows, out):
    """Class probabilities of some rows.

    Parameters
    ----------
    tree : Tree
    codes : array of int32, shape (n_coded, n_rows)
        -1 if missing.
    place : array of int64, shape (n_columns,)
        Where the codes of a column are.
    levels : bool array of shape (n_columns,)
        Which columns hold levels; those that do not occur in training count as missing.
    starts, floor : arrays
        See `Table` and `Training`.
    rows : array of int64, shape (n_tested,)
    out : array of float64, shape (n_tested, n_classes)
    """
    probability = node_probabilities(tree)
    n_classes = probability.shape[1]
    nodes, shares = np.empty(tree.column.shape[0], np.int64), np.empty(tree.column.shape[0])
    for i in range(rows.shape[0]):
        for c in range(n_classes):
            out[i, c] = 0.0
        nodes[0], shares[0], n_waiting = 0, 1.0, 1
        while n_waiting > 0:
            n_waiting -= 1
            at, share = nodes[n_waiting], shares[n_waiting]
            j = tree.column[at]
            if j < 0:
                for c in range(n_classes):
                    out[i, c] += share * probability[at, c]
                continue
            code, first = codes[place[j], rows[i]], tree.child[at]
            if code >= 0 and levels[j] and floor[starts[j] + code] != code:
                code = -1
            if code < 0:
                for child in range(first + tree.n_children[at] - 1, first - 1, -1):
                    if tree.share[child] > 0.0:
                        nodes[n_waiting], shares[n_waiting] = child, share * tree.share[child]
                        n_waiting += 1
            else:
                branch = code if levels[j] else (0 if code <= tree.cut[at] else 1)
                nodes[n_waiting], shares[n_waiting] = first + branch, share
                n_waiting += 1
