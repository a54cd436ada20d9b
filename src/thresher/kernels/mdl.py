"""Where Fayyad and Irani cut a column of numbers: as often as a shorter description pays for it.

A part of the rows, in the order of their values, is cut where the classes on either side are
purest, if the information gained is worth more than what it takes to write down the cut and the
classes; then the two sides are cut in the same way.
"""

import numpy as np

from ._jit import kernel


@kernel
def _purity(counts, x_log_x):
    """Sum of ``n log n`` over classes minus that of their total: minus the entropy, times rows."""
    total, found = 0, 0.0
    for count in counts:
        total += count
        found += x_log_x[count]
    return found - x_log_x[total]


@kernel
def _n_present(counts):
    n = 0
    for count in counts:
        n += count > 0
    return n


@kernel
def _best_cut(values, classes, first, last, x_log_x, left, right, best_left):
    """Purest cut of the rows ``first .. last - 1``, or -1.

    ``right`` has their classes on entry and is spoilt; ``best_left`` gets those before the cut.
    """
    total = right.copy()
    least = _purity(total, x_log_x)
    tiny = 1e-12 * max(1.0, -least)  # equally pure cuts differ by rounding; the first one counts
    best = -1
    left[:] = 0
    for i in range(first, last - 1):
        left[classes[i]] += 1
        right[classes[i]] -= 1
        if values[i] < values[i + 1]:
            purity = _purity(left, x_log_x) + _purity(right, x_log_x)
            if purity > least + tiny:
                least, best = purity, i + 1
                best_left[:] = left
    return best


@kernel
def is_worth_it(total, left, right, before, after_left, after_right):
    """Whether the information gained by a cut pays for its description.

    Parameters
    ----------
    total, left, right : arrays of shape (n_classes,)
        Rows of each class, together and on either side.
    before, after_left, after_right : float
        Their entropies, times rows.
    """
    n = float(total.sum())
    gain = (before - after_left - after_right) / n
    k, k_left, k_right = _n_present(total), _n_present(left), _n_present(right)
    # log2(3**k - 2) without the power, which overflows for many classes
    codes = k * np.log2(3.0) + np.log2(1.0 - 2.0 * 3.0 ** -float(k))
    bits = k * before / n - k_left * after_left / left.sum() - k_right * after_right / right.sum()
    return gain > (np.log2(n - 1.0) + codes - bits) / n


@kernel
def mdl_cuts(values, classes, n_classes, x_log_x, edges):
    """Cut one column; return the number of cuts, written to ``edges`` in ascending order.

    Parameters
    ----------
    values : array of float64, shape (n_known,)
        In ascending order, none missing.
    classes : array of int64, shape (n_known,)
        Of the same rows.
    n_classes : int
    x_log_x : array of float64, shape (at least n_known + 1,)
        ``n * log2(n)`` for n = 0, 1, ...
    edges : array of float64, shape (at least n_known - 1,)
    """
    n = values.shape[0]
    todo = np.empty((n + 1, 2), dtype=np.int64)
    n_todo, n_edges = 0, 0
    if n > 1:
        todo[0, 0], todo[0, 1] = 0, n
        n_todo = 1
    total = np.empty(n_classes, dtype=np.int64)
    left, right, best_left = np.empty_like(total), np.empty_like(total), np.empty_like(total)
    while n_todo > 0:
        n_todo -= 1
        first, last = todo[n_todo, 0], todo[n_todo, 1]
        total[:] = 0
        for i in range(first, last):
            total[classes[i]] += 1
        right[:] = total
        cut = _best_cut(values, classes, first, last, x_log_x, left, right, best_left)
        if cut < 0:
            continue
        right[:] = total - best_left
        entropies = (
            -_purity(total, x_log_x),
            -_purity(best_left, x_log_x),
            -_purity(right, x_log_x),
        )
        if not is_worth_it(total, best_left, right, *entropies):
            continue
        # the halves are taken first: the sum of two huge numbers would overflow
        middle = 0.5 * values[cut - 1] + 0.5 * values[cut]
        edges[n_edges] = middle if middle < values[cut] else values[cut - 1]
        n_edges += 1
        todo[n_todo, 0], todo[n_todo, 1] = first, cut
        todo[n_todo + 1, 0], todo[n_todo + 1, 1] = cut, last
        n_todo += 2
    edges[:n_edges].sort()
    return n_edges


@kernel
def mdl_columns(values, order, classes, n_classes, x_log_x, edges, n_levels):
    """Cut columns of numbers.

    Parameters
    ----------
    values : array of float64, shape (n_columns, n_rows)
        NaN where a cell is missing.
    order : array of int64, shape (n_columns, n_rows)
        What sorts each column, missing cells last.
    classes : array of int64, shape (n_rows,)
    n_classes : int
    x_log_x : array of float64, shape (n_rows + 1,)
    edges : array of float64, shape (n_columns, at least n_rows - 1)
    n_levels : array of int64, shape (n_columns,)
        One more than the number of cuts; 0 where no cell is known.
    """
    n_rows = values.shape[1]
    sorted_values = np.empty(n_rows)
    sorted_classes = np.empty(n_rows, dtype=np.int64)
    for j in range(values.shape[0]):
        n_known = 0
        for r in order[j]:
            if values[j, r] != values[j, r]:
                break
            sorted_values[n_known] = values[j, r]
            sorted_classes[n_known] = classes[r]
            n_known += 1
        n_levels[j] = 0
        if n_known > 0:
            n_levels[j] = 1 + mdl_cuts(
                sorted_values[:n_known], sorted_classes[:n_known], n_classes, x_log_x, edges[j]
            )
