"""Random forests that are grown for their importances alone.

Split points come from the rows in the bag. The gain of each candidate, and with it the winner and
what it earns, comes from the rows out of the bag.
"""

import numpy as np

from ._jit import kernel
from ._rows import all_alike, make_part, partition, prepare_outputs, slice_part
from ._splits import best_split, make_scratch, table_with_bits
from .rng import shuffle_first


def forest_importances(
    codes, n_bins, categorical, target, weight, permutation, n_trees, n_candidates,
    share_in_bag, max_rows, min_in_bag, min_out_of_bag, min_leaf, max_depth, seed, earned,
):  # fmt: skip
    """Grow trees on columns and their contrasts, and add up what each of them earns.

    Parameters
    ----------
    codes : uint8 array of shape (n_columns, n_rows)
        Code ``n_bins[j]`` of column j stands for missing cells.
    n_bins : int array of shape (n_columns,)
    categorical : bool array of shape (n_columns,)
        Whether the codes have no order.
    target : array of shape (n_rows, n_outputs)
    weight : array of shape (n_rows,)
    permutation : int64 array of shape (n_rows,)
        The contrast of a column has in row i the code of row ``permutation[i]``.
    n_trees : int
    n_candidates : int
        Columns to draw at each node; each is tried together with its contrast.
    share_in_bag : float
        Share of the rows that choose the cuts; the others judge them.
    max_rows : int
        Of longer tables each tree draws so many rows.
    min_in_bag, min_out_of_bag : int
        Nodes below the root with fewer rows are not split.
    min_leaf : float
        Least weight on both sides of a cut, in the bag.
    max_depth : int
        Levels of splits.
    seed : uint64
    earned : array of shape (2 n_columns,)
        Sums of squares between the sides of splits are added here: columns first, then contrasts.
    """
    n_columns, n_rows = codes.shape
    table = table_with_bits(codes, n_bins, categorical, permutation)
    order = np.arange(n_rows, dtype=np.uint32)
    outputs = prepare_outputs(target, weight, order)
    n_used = min(n_rows, max_rows)
    _grow_trees(
        table,
        target,
        outputs,
        make_part(order, len(outputs.words)),
        make_scratch(table, target.shape[1]),
        order,
        np.arange(n_columns, dtype=np.uint32),
        n_trees,
        min(n_candidates, n_columns),
        n_used,
        int(share_in_bag * n_used),
        min_in_bag,
        min_out_of_bag,
        float(min_leaf),
        max_depth,
        np.array([seed], dtype=np.uint64),
        earned,
    )


@kernel
def _grow_trees(
    table, target, outputs, whole, scratch, order, pool, n_trees, n_candidates, n_used, n_in,
    min_in_bag, min_out_of_bag, min_leaf, max_depth, state, earned,
):  # fmt: skip
    spare = np.empty(n_used, dtype=np.uint32)
    # rows out of the bag need no order of their own, but may have to be drawn
    n_drawn = n_used if n_used < order.shape[0] else n_in
    # open nodes have no row in common
    stack = np.empty((n_in // max(min_in_bag, 1) + 2, 5), dtype=np.int64)
    for _tree in range(n_trees):
        shuffle_first(order, n_drawn, state)
        for i in range(n_used):
            whole.rows[i] = order[i]
        n_open = _push(stack, np.int64(0), np.int64(0), n_in, n_in, n_used, np.int64(0))
        while n_open:
            n_open -= 1
            a, b, c, d = stack[n_open, 0], stack[n_open, 1], stack[n_open, 2], stack[n_open, 3]
            depth = stack[n_open, 4] + 1
            inside = slice_part(whole, a, b, table.permutation, outputs)
            outside = slice_part(whole, c, d, table.permutation, outputs)
            if all_alike(target, inside.rows) or all_alike(target, outside.rows):
                continue
            shuffle_first(pool, n_candidates, state)
            gain, slot = best_split(
                table, pool[:n_candidates], inside, outside, outputs, min_leaf, scratch
            )
            if slot < 0:
                continue
            earned[slot] += gain
            if depth >= max_depth:
                continue
            n_left = partition(table.codes, slot, scratch.best_left, inside, spare)
            n_left_out = partition(table.codes, slot, scratch.best_left, outside, spare)
            if n_left >= min_in_bag and n_left_out >= min_out_of_bag:
                n_open = _push(stack, n_open, a, a + n_left, c, c + n_left_out, depth)
            if b - a - n_left >= min_in_bag and d - c - n_left_out >= min_out_of_bag:
                n_open = _push(stack, n_open, a + n_left, b, c + n_left_out, d, depth)


@kernel
def _push(stack, n_open, a, b, c, d, depth):
    """Note a node with rows ``a:b`` in the bag and ``c:d`` out of it."""
    stack[n_open, 0] = a
    stack[n_open, 1] = b
    stack[n_open, 2] = c
    stack[n_open, 3] = d
    stack[n_open, 4] = depth
    return n_open + 1
