"""A C4.5 tree in words."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.kernels._c45_predict import node_probabilities
from thresher.kernels._c45_types import Tree

from ._c45_coding import Coding

__all__ = ["depth_of", "text_of"]


def depth_of(tree: Tree) -> int:
    """Return the number of splits above the deepest leaf."""
    depth = np.zeros(len(tree.column), dtype=np.intp)
    for node, parent in enumerate(tree.parent[1:].tolist(), start=1):  # parents come first
        depth[node] = depth[parent] + 1
    return int(depth.max())


def text_of(tree: Tree, coding: Coding, classes: NDArray[Any]) -> str:
    """Draw a tree: a line for each branch, with the class and the weight of rows at leaves."""
    labels = classes[node_probabilities(tree).argmax(axis=1)]
    if tree.column[0] < 0:
        return _leaf(tree, 0, labels).removeprefix(": ")
    return "\n".join(_branches(tree, coding, labels))


def _branches(tree: Tree, coding: Coding, labels: NDArray[Any]) -> Iterator[str]:
    waiting = [(0, 0, "")]
    while waiting:
        node, depth, condition = waiting.pop()
        if node > 0:
            yield "|   " * (depth - 1) + condition + _leaf(tree, node, labels)
        for branch in reversed(range(int(tree.n_children[node]))):
            child = int(tree.child[node]) + branch
            waiting.append((child, depth + 1, _condition(tree, coding, node, branch)))


def _condition(tree: Tree, coding: Coding, node: int, branch: int) -> str:
    column, cut = int(tree.column[node]), int(tree.cut[node])
    if coding.levels[column]:
        return f"{coding.names[column]} = {coding.label(column, branch)}"
    sign = "<=" if branch == 0 else ">"
    return f"{coding.names[column]} {sign} {float(coding.values_of(column)[cut])!r}"


def _leaf(tree: Tree, node: int, labels: NDArray[Any]) -> str:
    if tree.column[node] >= 0:
        return ""
    total = float(tree.totals[node].sum())
    wrong = total - float(tree.totals[node].max())
    errors = f"/{round(wrong, 2)}" if wrong > 1e-6 else ""
    return f": {labels[node]} ({round(total, 2)}{errors})"
