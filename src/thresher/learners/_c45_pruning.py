"""Pruning of a C4.5 tree by upper bounds of the errors of its nodes."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from thresher.kernels._c45_types import Table, Training, Tree

__all__ = ["added_errors", "pruned"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
#: Places among the training rows, and weights.
Rows = tuple[IntArray, FloatArray]

_SMALL = 1e-6
#: So many more errors are no reason to keep a subtree.
_SLACK = 0.1


def added_errors(total: float, errors: float, confidence: float) -> float:
    """Upper bound of the errors among ``total`` rows, less those that were seen.

    The bound is that of a binomial distribution in its normal approximation with a correction for
    continuity, exact at no error, and interpolated between none and one.

    Examples
    --------
    >>> round(added_errors(6.0, 0.0, 0.25), 3), round(added_errors(16.0, 1.0, 0.25), 3)
    (1.238, 1.476)
    """
    if errors < 1.0:
        at_none = float(total * (1.0 - confidence ** (1.0 / total)))
        if errors == 0.0:
            return at_none
        return at_none + errors * (added_errors(total, 1.0, confidence) - at_none)
    if errors + 0.5 >= total:
        return max(total - errors, 0.0)
    z, share = float(ndtri(1.0 - confidence)), (errors + 0.5) / total
    spread = z * np.sqrt(share / total - share**2 / total + z**2 / (4.0 * total**2))
    return float((share + z**2 / (2.0 * total) + spread) / (1.0 + z**2 / total) * total - errors)


@dataclass(eq=False)
class _Node:
    """One node, with all that is below it."""

    column: int
    cut: int
    totals: FloatArray
    shares: FloatArray
    children: "list[_Node]" = field(default_factory=list)

    def become(self, other: "_Node") -> None:
        """Take the place of another node."""
        self.column, self.cut, self.totals = other.column, other.cut, other.totals
        self.shares, self.children = other.shares, other.children

    def become_leaf(self) -> None:
        """Forget all that is below."""
        self.column, self.cut, self.children = -1, -1, []

    def leaves(self) -> "Iterator[_Node]":
        """Yield the leaves below, or the node itself if it is one."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            waiting += node.children
            if not node.children:
                yield node


def pruned(
    tree: Tree, table: Table, training: Training, confidence: float, *, raising: bool
) -> Tree:
    """Return a tree in which no subtree has a worse bound than a leaf or its largest branch."""
    return _flat(_Pruning(table, training, confidence, raising=raising).run(_linked(tree)))


class _Pruning:
    def __init__(self, table: Table, training: Training, confidence: float, *, raising: bool):
        self._table, self._training = table, training
        self._confidence, self._raising = confidence, raising

    def run(self, root: _Node) -> _Node:
        """Prune from the leaves to the root; after a raise, again from below."""
        every = np.arange(len(self._training.rows)), self._training.weights
        waiting: list[tuple[_Node, Rows, bool]] = [(root, every, False)]
        while waiting:
            node, rows, children_done = waiting.pop()
            if not node.children:
                continue
            if not children_done:
                waiting.append((node, rows, True))
                parts = self._split(node, node.shares, rows)
                waiting += [
                    (child, part, False) for child, part in zip(node.children, parts, strict=True)
                ]
            elif self._decide(node, rows):
                waiting.append((node, rows, False))
        return root

    def _decide(self, node: _Node, rows: Rows) -> bool:
        """Replace a node by a leaf or by its largest branch; True in the second case."""
        largest = node.children[_last_largest(node.shares)]
        if_raised = self._errors_of_rows(largest, rows) if self._raising else np.inf
        if_leaf = self._bound(node.totals)
        as_is = sum(self._bound(leaf.totals) for leaf in node.leaves())
        slack = _SLACK + _SMALL
        if if_leaf < as_is + slack and if_leaf < if_raised + slack:
            node.become_leaf()
            return False
        if if_raised < as_is + slack:
            node.become(largest)
            self._refill(node, rows)
            return True
        return False

    def _bound(self, totals: FloatArray) -> float:
        total = float(totals.sum())
        if total < _SMALL:
            return 0.0
        errors = total - float(totals.max())
        return errors + added_errors(total, errors, self._confidence)

    def _errors_of_rows(self, top: _Node, rows: Rows) -> float:
        """Bound of the errors of a subtree, were it to be given these rows."""
        bound, waiting = 0.0, [(top, rows)]
        while waiting:
            node, part = waiting.pop()
            if not node.children:
                bound += self._bound(self._totals(part))
            else:
                parts = self._split(node, self._shares(node, part), part)
                waiting += zip(node.children, parts, strict=True)
        return bound

    def _refill(self, top: _Node, rows: Rows) -> None:
        """Give other rows to a subtree."""
        waiting = [(top, rows)]
        while waiting:
            node, part = waiting.pop()
            node.totals = self._totals(part)
            if node.children:
                node.shares = self._shares(node, part)
                waiting += zip(node.children, self._split(node, node.shares, part), strict=True)

    def _totals(self, rows: Rows) -> FloatArray:
        classes = self._training.classes[rows[0]]
        totals = np.bincount(classes, rows[1], minlength=self._training.n_classes)
        return np.asarray(totals, dtype=np.float64)  # of no rows, it counts in whole numbers

    def _branches(self, node: _Node, rows: Rows) -> IntArray:
        cells = self._table.codes[node.column, self._training.rows[rows[0]]]
        codes: IntArray = cells.astype(np.intp)
        if self._table.levels[node.column]:
            return codes
        return np.where(codes < 0, -1, codes > node.cut)

    def _shares(self, node: _Node, rows: Rows) -> FloatArray:
        branches, n_branches = self._branches(node, rows), len(node.children)
        known = branches >= 0
        weights = np.bincount(branches[known], rows[1][known], minlength=n_branches)
        total = weights.sum()
        return weights / total if total > _SMALL else np.full(n_branches, 1.0 / n_branches)

    def _split(self, node: _Node, shares: FloatArray, rows: Rows) -> list[Rows]:
        branches = self._branches(node, rows)
        places, weights = rows
        parts = []
        for branch, share in enumerate(shares):
            mine = branches == branch
            if share > _SMALL:
                mine |= branches < 0
            scale = np.where(branches[mine] < 0, share, 1.0)
            parts.append((places[mine], weights[mine] * scale))
        return parts


def _last_largest(shares: FloatArray) -> int:
    return int(np.flatnonzero(shares >= shares.max() - _SMALL)[-1])


def _linked(tree: Tree) -> _Node:
    nodes = [
        _Node(int(tree.column[i]), int(tree.cut[i]), tree.totals[i], np.empty(0))
        for i in range(len(tree.column))
    ]
    for i, node in enumerate(nodes):
        below = slice(int(tree.child[i]), int(tree.child[i] + tree.n_children[i]))
        if tree.n_children[i]:
            node.children, node.shares = nodes[below], tree.share[below]
    return nodes[0]


def _flat(root: _Node) -> Tree:
    nodes, parent, share, child = [root], [-1], [1.0], []
    for i, node in enumerate(nodes):  # grows while it runs
        child.append(len(nodes) if node.children else -1)
        nodes += node.children
        parent += [i] * len(node.children)
        share += node.shares.tolist() if node.children else []
    return Tree(
        column=np.array([node.column for node in nodes]),
        cut=np.array([node.cut for node in nodes]),
        child=np.array(child),
        n_children=np.array([len(node.children) for node in nodes]),
        parent=np.array(parent),
        share=np.array(share),
        totals=np.array([node.totals for node in nodes]),
    )
