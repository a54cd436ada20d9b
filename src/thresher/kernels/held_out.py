"""Boosted shallow trees that predict, and are not asked who could stand in for whom.

The rows in the bag choose cuts and columns alike, and all columns are candidates at each node. So
the sums by code of a node are those of its parent less those of its sibling, and only the smaller
of the two is added up. Sums are whole numbers (see ``_rows``): the difference is exact.
"""

from typing import NamedTuple

import numpy as np

from ._jit import kernel
from ._rows import all_alike, move_left, prepare_outputs, unpack
from ._splits import LEVELS, ORDERED, cut_of_sums, make_scratch, plain_table
from .cuts import ordered_cut_of_words, signed_gain
from .gradients import gradients
from .rng import shuffle_first


class Tree(NamedTuple):
    """A tree as it grows; node 0 is the root.

    Attributes
    ----------
    column : int array of shape (n_nodes,)
        What a node is split on.
    left : uint8 array of shape (n_nodes, n_codes)
        Whether the rows with a code go left.
    right : int array of shape (n_nodes,)
        The right child; the left one is before it. Leaves send all rows to themselves.
    step : array of shape (n_nodes, n_outputs)
        What a leaf adds to predictions.
    """

    column: np.ndarray
    left: np.ndarray
    right: np.ndarray
    step: np.ndarray


class Memory(NamedTuple):
    """Memory that is used again for each tree."""

    by_code: np.ndarray  # sums of words: (places, columns, words, codes)
    words: np.ndarray  # of some rows
    spare: np.ndarray  # rows on their way right
    stack: np.ndarray  # open nodes, see `_push`


def boosted_predictions(
    codes, n_bins, categorical, link, values, weight, rows, n_trees, n_training, n_in, max_depth,
    min_leaf, rate, state, prediction, history, earned,
):  # fmt: skip
    """Grow trees one after the other, each on what the prediction leaves to explain.

    The leaf values of each tree, times ``rate``, are added to the prediction of all rows.

    Parameters
    ----------
    codes, n_bins, categorical, weight
        As in ``forest_importances``; at least one column.
    link : int
        The loss, see ``gradients``. Leaf values are sums of its gradient over sums of its
        curvature, in the bag.
    values : array of shape (n_rows, n_outputs)
        The target.
    rows : uint32 array of shape (n_rows,)
        First ``n_training`` rows from which each tree draws ``n_in`` into the bag, then those that
        are always held out.
    n_trees : int
    max_depth : int
    min_leaf : float
        Least weight on both sides of a cut.
    rate : float
    state : uint64 array of shape (1,)
        Of the random numbers.
    prediction : array of shape (n_rows, n_outputs)
    history : array of shape (n_trees, n_rows - n_training, n_outputs)
        Gets the prediction of the rows always held out, after each tree.
    earned : array of shape (n_trees, n_columns)
        Gets what the cuts of each tree took from the squares of its targets, by column.
    """
    n_columns, n_rows = codes.shape
    n_outputs = values.shape[1]
    n_codes = int(n_bins.max()) + 1
    n_nodes = 2 ** (max_depth + 1)
    table = plain_table(codes, n_bins, categorical, np.empty(0, dtype=np.int64))
    tree = Tree(
        # unsigned: numba would look whether the index counts from the end
        np.zeros(n_nodes, dtype=np.uintp),
        np.zeros((n_nodes, n_codes), dtype=np.uint8),
        np.zeros(n_nodes, dtype=np.uintp),
        np.zeros((n_nodes, n_outputs)),
    )
    memory = Memory(
        np.empty((max_depth + 1, n_columns, n_outputs // 2 + 1, n_codes), dtype=np.int64),
        np.empty(n_rows, dtype=np.int64),
        np.empty(n_rows, dtype=np.uint32),
        np.empty((max_depth + 2, 5), dtype=np.int64),
    )
    _boost(
        table, link, values, weight, rows, n_trees, n_training, n_in, max_depth, float(min_leaf),
        float(rate), tree, memory, make_scratch(table, n_outputs), state, prediction, history,
        earned,
    )  # fmt: skip


@kernel
def _boost(
    table, link, values, weight, rows, n_trees, n_training, n_in, max_depth, min_leaf, rate, tree,
    memory, scratch, state, prediction, history, earned,
):  # fmt: skip
    target, curvature = np.empty_like(values), np.empty_like(values)
    bag = np.empty(n_in, dtype=np.uint32)
    for t in range(n_trees):
        shuffle_first(rows[:n_training], n_in, state)
        # growing brings the rows of a node together; the next draw starts from their old order
        for i in range(n_in):
            bag[i] = rows[i]
        gradients(link, values, prediction, bag, target, curvature)
        outputs = prepare_outputs(target, weight, bag)
        _grow(
            table, outputs, target, curvature, weight, bag, max_depth, min_leaf, rate, tree, memory,
            scratch, earned[t],
        )  # fmt: skip
        _add_steps(table.codes, tree, max_depth, prediction)
        for i in range(history.shape[1]):
            for k in range(values.shape[1]):
                history[t, i, k] = prediction[rows[n_training + i], k]


@kernel
def _grow(
    table, outputs, target, curvature, weight, bag, max_depth, min_leaf, rate, tree, memory,
    scratch, earned,
):  # fmt: skip
    earned[:] = 0.0
    stack = memory.stack
    n_nodes = np.int64(1)
    _sum_by_code(table, outputs, bag, np.int64(0), memory)
    n_open = _push(stack, np.int64(0), np.int64(0), np.int64(0), len(bag), np.int64(0), np.int64(0))
    while n_open:
        n_open -= 1
        node, start, end = stack[n_open, 0], stack[n_open, 1], stack[n_open, 2]
        place, depth = stack[n_open, 3], stack[n_open, 4] + 1
        rows = bag[start:end]
        column, gain = -1, 0.0
        if depth <= max_depth and len(rows) >= 2.0 * min_leaf and not all_alike(target, rows):
            column, gain = _best_split(table, outputs, min_leaf, place, node, tree, memory, scratch)
        if column < 0:
            _make_leaf(rows, target, curvature, weight, rate, node, tree)
            continue
        tree.column[node], tree.right[node] = column, n_nodes + 1
        earned[column] += gain * outputs.gain_unit
        left = tree.left[node]
        middle = start + move_left(table.codes, column, left, rows, rows, memory.spare)
        # The smaller child is next. The larger one waits, and its sums stay where the parent's
        # were; all that is below the smaller one uses the places behind.
        if middle - start <= end - middle:
            smaller, a, b = n_nodes, start, middle
            larger, c, d = n_nodes + 1, middle, end
        else:
            smaller, a, b = n_nodes + 1, middle, end
            larger, c, d = n_nodes, start, middle
        n_nodes += 2
        if depth < max_depth:
            _sum_by_code(table, outputs, bag[a:b], place + 1, memory)
            _subtract(table, place, memory)
        n_open = _push(stack, n_open, larger, c, d, place, depth)
        n_open = _push(stack, n_open, smaller, a, b, place + 1, depth)


@kernel
def _push(stack, n_open, node, start, end, place, depth):
    """Note a node with the rows ``start:end`` of the bag, whose sums are in this place."""
    stack[n_open, 0] = node
    stack[n_open, 1] = start
    stack[n_open, 2] = end
    stack[n_open, 3] = place
    stack[n_open, 4] = depth
    return n_open + 1


@kernel
def _sum_by_code(table, outputs, rows, place, memory):
    """Sum the words of some rows by the codes of each column."""
    codes, n_bins, all_words = table.codes, table.n_bins, outputs.words
    by_code, words = memory.by_code, memory.words
    for k in range(all_words.shape[0]):
        for i in range(len(rows)):
            words[i] = all_words[k, rows[i]]
        for column in range(codes.shape[0]):
            for b in range(n_bins[column] + 1):
                by_code[place, column, k, b] = 0
            for i in range(len(rows)):
                by_code[place, column, k, codes[column, rows[i]]] += words[i]


@kernel
def _subtract(table, place, memory):
    """Turn the sums of a node into those of its larger child: the smaller one's are next."""
    n_bins, by_code = table.n_bins, memory.by_code
    for column in range(by_code.shape[1]):
        for k in range(by_code.shape[2]):
            for b in range(n_bins[column] + 1):
                by_code[place, column, k, b] -= by_code[place + 1, column, k, b]


@kernel
def _best_split(table, outputs, min_leaf, place, node, tree, memory, scratch):
    """Find the column whose best cut gains most, and how much; -1 if none gains anything."""
    kinds, all_bins, sums_of_node = table.kind, table.n_bins, memory.by_code
    total, side, left, sums = scratch.total, scratch.side, scratch.left, scratch.sums
    running, order, keys = scratch.running, scratch.order, scratch.keys
    n_outputs = outputs.n_outputs
    for k in range(sums_of_node.shape[2]):
        word = np.int64(0)
        for b in range(all_bins[0] + 1):
            word += sums_of_node[place, 0, k, b]
        unpack(word, k, total, np.intp(0))
        unpack(word, k, total, np.intp(1))
    least = min_leaf * outputs.one
    most = total[0, n_outputs] - least
    best, best_column = 0.0, -1
    for column in range(sums_of_node.shape[1]):
        kind, n_bins, by_code = kinds[column], all_bins[column], sums_of_node[place, column]
        if kind == ORDERED and n_outputs == 1:
            first, width = ordered_cut_of_words(by_code, n_bins, total, least, side)
        else:
            first, width = cut_of_sums(
                by_code, n_bins, kind, total, least, sums, running, order, keys, left, side
            )
        if width == 0 or not least <= side[0, n_outputs] <= most:
            continue
        for k in range(n_outputs + 1):
            side[1, k] = side[0, k]
        gain = signed_gain(side, total)
        if gain > best:
            best, best_column = gain, column
            for code in range(n_bins + 1):
                goes_left = left[code] if kind == LEVELS else not first <= code < first + width
                tree.left[node, code] = goes_left
    return best_column, best


@kernel
def _make_leaf(rows, target, curvature, weight, rate, node, tree):
    tree.column[node], tree.right[node] = 0, node + 1
    for code in range(tree.left.shape[1]):
        tree.left[node, code] = 1
    for k in range(target.shape[1]):
        slope, bend = 0.0, 0.0
        for row in rows:
            slope += target[row, k] * weight[row]
            bend += curvature[row, k] * weight[row]
        tree.step[node, k] = rate * slope / bend if bend > 0.0 else 0.0


@kernel
def _add_steps(codes, tree, max_depth, prediction):
    """Send all rows down the tree, always by as many levels: no branch to mispredict."""
    column, left, right, step = tree.column, tree.left, tree.right, tree.step
    for row in range(prediction.shape[0]):
        node = np.uintp(0)
        for _level in range(max_depth):
            node = right[node] - left[node, codes[column[node], row]]
        for k in range(prediction.shape[1]):
            prediction[row, k] += step[node, k]
