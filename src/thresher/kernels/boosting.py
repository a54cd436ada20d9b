"""Boosted shallow trees on columns and contrasts, for their importances and surrogates.

The rows of a tree come in three parts: in the bag (they choose the split points), out of the bag
(they choose among the columns, and earn importance), and others (they are only predicted).
"""

import numpy as np

from ._jit import kernel
from ._rows import all_alike, make_part, partition, prepare_outputs, slice_part, slice_places, upper
from ._splits import LEVELS, best_split, make_scratch, plain_table
from .gradients import gradients
from .rng import shuffle_first
from .surrogates import surrogate

#: Least number of rows out of the bag that may choose a split.
_MIN_OUT_OF_BAG = 4
#: Least weight on both sides of a surrogate split, as in rpart.
_MIN_SURROGATE_LEAF = 2.0


def boosted_trees(
    codes, n_bins, categorical, link, values, weight, permutation, n_trees, n_in, n_out, max_depth,
    min_leaf, rate, state, prediction, earned, masking,
):  # fmt: skip
    """Grow trees one after the other, each on what the prediction leaves to explain.

    The leaf values of each tree, times ``rate``, are added to the prediction.

    Parameters
    ----------
    codes, n_bins, categorical, weight, permutation
        As in ``forest_importances``.
    link : int
        The loss, see ``gradients``. Leaf values are sums of its gradient over sums of its
        curvature, in the bag and out of it.
    values : array of shape (n_rows, n_outputs)
        The target.
    n_trees : int
    n_in, n_out : int
        Rows that each tree draws, in the bag and out of it.
    max_depth : int
    min_leaf : float
        Least weight on both sides of a cut, in the bag.
    rate : float
    state : uint64 array of shape (1,)
        Of the random numbers.
    prediction : array of shape (n_rows, n_outputs)
    earned : array of shape (2 n_columns,)
        What splits earned is added here: columns first, then contrasts.
    masking : array of shape (2 n_columns, 2 n_columns)
        To ``masking[i, j]`` is added what splits on i earned, times the lambda of j for i.
    """
    table = plain_table(codes, n_bins, categorical, permutation)
    n_outputs = values.shape[1]
    rows = np.arange(codes.shape[1], dtype=np.uint32)
    _boost(
        table,
        link,
        values,
        weight,
        make_part(rows, n_outputs // 2 + 1),
        np.arange(len(codes), dtype=np.uint32),
        rows,
        n_trees,
        n_in,
        n_out,
        max_depth,
        float(min_leaf),
        float(rate),
        make_scratch(table, n_outputs),
        state,
        prediction,
        earned,
        masking,
    )


@kernel
def _boost(
    table, link, values, weight, whole, columns, rows, n_trees, n_in, n_out, max_depth, min_leaf,
    rate, scratch, state, prediction, earned, masking,
):  # fmt: skip
    target, curvature = np.empty_like(values), np.empty_like(values)
    # rows out of the bag need no order of their own, but may have to be drawn
    n_drawn = n_in + n_out if n_in + n_out < rows.shape[0] else n_in
    for _tree in range(n_trees):
        shuffle_first(rows, n_drawn, state)
        gradients(link, values, prediction, rows[: n_in + n_out], target, curvature)
        for i in range(rows.shape[0]):
            whole.rows[i] = rows[i]
        outputs = prepare_outputs(target, weight, rows[: n_in + n_out])
        _grow(
            table, outputs, target, curvature, weight, whole, columns, n_in, n_out, max_depth,
            min_leaf, rate, scratch, prediction, earned, masking,
        )  # fmt: skip


@kernel
def _grow(
    table, outputs, target, curvature, weight, whole, columns, n_in, n_out, max_depth, min_leaf,
    rate, scratch, prediction, earned, masking,
):  # fmt: skip
    n_rows = whole.rows.shape[0]
    spare = np.empty(n_rows, dtype=np.uint32)
    sides = np.empty(2 * n_rows, dtype=np.int64)
    stack = np.empty((max_depth + 2, 7), dtype=np.int64)
    n_open = _push(
        stack, np.int64(0), np.int64(0), n_in, n_in, n_in + n_out, n_in + n_out, n_rows, np.int64(0)
    )
    while n_open:
        n_open -= 1
        a, b, c, d = stack[n_open, 0], stack[n_open, 1], stack[n_open, 2], stack[n_open, 3]
        e, f, depth = stack[n_open, 4], stack[n_open, 5], stack[n_open, 6]
        inside = slice_part(whole, a, b, table.permutation, outputs)
        outside = slice_part(whole, c, d, table.permutation, outputs)
        others = slice_places(whole, e, f, table.permutation, outputs.words.shape[0])
        gain, slot = 0.0, -1
        if (
            depth < max_depth
            and b - a >= 2.0 * min_leaf
            and d - c >= _MIN_OUT_OF_BAG
            and not all_alike(target, inside.rows)
            and not all_alike(target, outside.rows)
        ):
            gain, slot = best_split(table, columns, inside, outside, outputs, min_leaf, scratch)
        if slot < 0:
            _add_leaf(inside, outside, others, target, curvature, weight, rate, prediction)
            continue
        earned[slot] += gain
        _add_masking(
            table, columns, inside, outside, outputs.one, slot, gain, sides, scratch, masking
        )
        left = a + partition(table.codes, slot, scratch.best_left, inside, spare)
        left_out = c + partition(table.codes, slot, scratch.best_left, outside, spare)
        left_rest = e + partition(table.codes, slot, scratch.best_left, others, spare)
        n_open = _push(stack, n_open, a, left, c, left_out, e, left_rest, depth + 1)
        n_open = _push(stack, n_open, left, b, left_out, d, left_rest, f, depth + 1)


@kernel
def _push(stack, n_open, a, b, c, d, e, f, depth):
    """Note a node with rows ``a:b`` in the bag, ``c:d`` out of it and ``e:f`` of the others."""
    stack[n_open, 0] = a
    stack[n_open, 1] = b
    stack[n_open, 2] = c
    stack[n_open, 3] = d
    stack[n_open, 4] = e
    stack[n_open, 5] = f
    stack[n_open, 6] = depth
    return n_open + 1


@kernel
def _add_leaf(inside, outside, others, target, curvature, weight, rate, prediction):
    for k in range(target.shape[1]):
        slope, bend = 0.0, 0.0
        for rows in (inside.rows, outside.rows):
            for row in rows:
                slope += target[row, k] * weight[row]
                bend += curvature[row, k] * weight[row]
        step = rate * slope / bend if bend > 0.0 else 0.0
        for rows in (inside.rows, outside.rows, others.rows):
            for row in rows:
                prediction[row, k] += step


@kernel
def _add_masking(
    table, columns, inside, outside, one, primary, gain, sides, scratch, masking
):  # fmt: skip
    """Add what the primary split earned to whoever could stand in for it, times its lambda."""
    codes, n_bins, kind = table.codes, table.n_bins, table.kind
    by_code, left = scratch.by_code, scratch.left
    places, places_out = inside.places, outside.places
    n, n_out = inside.rows.shape[0], outside.rows.shape[0]
    sides_in = sides[:n].reshape((1, n))
    sides_out = sides[n : n + n_out].reshape((1, n_out))
    _note_sides(table, primary, inside, scratch.best_left, sides_in)
    _note_sides(table, primary, outside, scratch.best_left, sides_out)
    for column in columns:
        for contrast in range(2):
            slot = np.intp(column) + contrast * codes.shape[0]
            if slot == primary:
                continue
            value = surrogate(
                codes, column, contrast, n_bins[column], kind[column] == LEVELS, places, sides_in,
                places_out, sides_out, _MIN_SURROGATE_LEAF * one, by_code, left,
            )  # fmt: skip
            if value > 0.0:
                masking[primary, slot] += gain * value


@kernel
def _note_sides(table, slot, part, left, sides):
    """Where a split sends the rows; missing cells of ordered columns have no side of their own."""
    contrast, column = divmod(slot, table.codes.shape[0])
    has_levels, n_bins = table.kind[column] == LEVELS, table.n_bins[column]
    for i in range(part.rows.shape[0]):
        code = table.codes[column, part.places[contrast, i]]
        weight = upper(part.words[0, i])
        known = has_levels or code < n_bins
        sides[0, i] = (weight << 32) + weight * left[code] if known else 0
