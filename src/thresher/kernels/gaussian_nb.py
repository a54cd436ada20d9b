"""Held-out losses of Gaussian naive Bayes, for many subsets of columns at once.

The score of a class is a sum of log densities over columns, so a flip adds one term to the sums of
its base. Values are (columns, rows); where one row is left out, each row has a model of its own,
values are (rows, columns), and rows come one by one.

All kernels write the losses to ``out``, of shape (n_subsets, n_tested).
"""

from typing import NamedTuple

import numpy as np

from ._class_scores import (
    CELLS,
    columns_of,
    copy,
    fill,
    judge_row,
    judge_rows,
    judging_space,
    start_sums,
)
from ._jit import kernel

# Sums over what comes before a variable, for all variables together: these fit in the last cache.
_BEFORE = 2**19
_LOG_TWO_PI = np.log(2.0 * np.pi)


class Normals(NamedTuple):
    """Normal densities of columns within classes: arrays of shape (n_columns, n_classes)."""

    mean: np.ndarray
    variance: np.ndarray


class LeftOut(NamedTuple):
    """The table, and what changes when a row is left out: arrays of shape (n_rows, n_columns).

    Attributes
    ----------
    own_variance, spread : arrays
        Variance of a column without the row: within the row's class, and over all classes.
    stretch : array of shape (n_classes,)
        How much further a row is from the mean of its class without it.
    inverse, log_variance : arrays of shape (n_columns, n_classes)
        Of the variances that do not change: 1 / variance (or infinity), and log(2 pi variance).
    """

    values: np.ndarray
    own_variance: np.ndarray
    spread: np.ndarray
    stretch: np.ndarray
    inverse: np.ndarray
    log_variance: np.ndarray


@kernel
def _normal_terms(values, rows, normals, j, epsilon, factor, what, block, sums):
    """Add ``factor`` times the log densities of column j, or their slopes in ``epsilon``.

    ``what`` is 0 for densities, 1 for slopes, 2 for densities that take the place of old sums.
    """
    n = rows.shape[0]
    column = values[j]
    for r in range(n):
        block[r] = column[rows[r]]
    for c in range(sums.shape[0]):
        total = sums[c]
        v = normals.variance[j, c] + epsilon
        if v == 0.0:
            for r in range(n):
                total[r] = np.nan
            continue
        constant = -0.5 * factor * (_LOG_TWO_PI + np.log(v))
        weight = -0.5 * factor / v
        if what == 1:
            constant, weight = weight, -weight / v
        centre = normals.mean[j, c]
        if what == 2:
            for r in range(n):
                d = block[r] - centre
                total[r] = constant + weight * (d * d)
        else:
            for r in range(n):
                d = block[r] - centre
                total[r] += constant + weight * (d * d)


@kernel
def gaussian_flips(values, normals, tested, base, epsilon, near, lists, epsilons, sign, out):
    """Losses of a base with each of several lists of columns added to it (or taken out).

    Parameters
    ----------
    values : array of float64, shape (n_columns, n_rows)
    normals : Normals
    tested : Tested
    base : array of int64
        Columns.
    epsilon : float
        What is added to the variances of the base.
    near : float
        With up to so much more added, sums over the base are linear in it.
    lists : Lists
        None of them empty.
    epsilons : array of float64, shape (n_lists,)
        What is added to all variances once the list has joined; never less than ``epsilon``.
    sign : float
        1 to add the lists; -1 to take them out, with the same ``epsilon``.
    out : array of float64, shape (n_lists, n_tested)
    """
    n_classes, n = normals.mean.shape[1], tested.rows.shape[0]
    size = max(CELLS // n_classes, 64)
    sums, slopes = np.empty((n_classes, size)), np.zeros((n_classes, size))
    left, terms = np.empty((n_classes, size)), np.empty((n_classes, size))
    block, space = np.empty(size), judging_space(sums)
    moves = False
    for i in range(out.shape[0]):
        moves |= 0.0 < epsilons[i] - epsilon <= near
    for first in range(0, n, size):
        last = min(first + size, n)
        rows, truth = tested.rows[first:last], tested.truth[first:last]
        start_sums(truth, tested.prior, sums)
        fill(slopes, 0.0)
        for j in base:
            _normal_terms(values, rows, normals, j, epsilon, 1.0, 0, block, sums)
            if moves:
                _normal_terms(values, rows, normals, j, epsilon, 1.0, 1, block, slopes)
        for i in range(out.shape[0]):
            more = epsilons[i] - epsilon if base.shape[0] else 0.0
            if more > near:
                start_sums(truth, tested.prior, left)
                for j in base:
                    _normal_terms(values, rows, normals, j, epsilons[i], 1.0, 0, block, left)
            elif more > 0.0:
                for c in range(n_classes):
                    for r in range(last - first):
                        left[c, r] = sums[c, r] + more * slopes[c, r]
            what = 2
            for j in columns_of(lists, i):
                _normal_terms(values, rows, normals, j, epsilons[i], sign, what, block, terms)
                what = 0
            both = left if more > 0.0 else sums
            judge_rows(both, terms, truth, tested.loss, 1.0, space, out[i, first:last])


@kernel
def gaussian_removals(values, normals, tested, epsilon, base, place, out):
    """Losses of the base without each of some of its variables, without a subtraction.

    Where terms are as large as 1e9, what is left after taking one out of a sum is rounding error.
    So the sum over what comes before the variable and that over what comes after are added up.

    Parameters
    ----------
    values, normals, tested, epsilon
        As for `gaussian_flips`.
    base : Lists
        The columns of each variable.
    place : array of int64, shape (n_base,)
        The row of ``out`` for the base without this variable; -1 if not asked for.
    out : array of float64, shape (n_asked, n_tested)
    """
    n_classes, n, n_base = normals.mean.shape[1], tested.rows.shape[0], place.shape[0]
    size = max(min(CELLS // n_classes, _BEFORE // (out.shape[0] * n_classes)), 64)
    before, sums = np.empty((out.shape[0], n_classes, size)), np.empty((n_classes, size))
    block, space = np.empty(size), judging_space(sums)
    for first in range(0, n, size):
        last = min(first + size, n)
        rows, truth = tested.rows[first:last], tested.truth[first:last]
        start_sums(truth, tested.prior, sums)
        for k in range(n_base):
            if place[k] >= 0:
                copy(sums, before[place[k]])
            for j in columns_of(base, k):
                _normal_terms(values, rows, normals, j, epsilon, 1.0, 0, block, sums)
        fill(sums, 0.0)
        for k in range(n_base - 1, -1, -1):
            if place[k] >= 0:
                losses = out[place[k], first:last]
                judge_rows(before[place[k]], sums, truth, tested.loss, 1.0, space, losses)
            for j in columns_of(base, k):
                _normal_terms(values, rows, normals, j, epsilon, 1.0, 0, block, sums)


@kernel
def _left_out_terms(left_out, row, y, normals, columns, epsilon, old, new):
    """Add the log densities of columns to the scores of one row, which is of class ``y``."""
    for c in range(new.shape[0]):
        score = old[c]
        for j in columns:
            d = left_out.values[row, j] - normals.mean[j, c]
            v = normals.variance[j, c] + epsilon
            ratio = epsilon * left_out.inverse[j, c]
            if c == y:
                d *= left_out.stretch[c]
                v = left_out.own_variance[row, j] + epsilon
            elif ratio < 1e-4:
                # the first terms of two series are exact here, and much faster than log(v) and 1/v
                more = ratio * (1.0 - ratio * (0.5 - ratio / 3.0))
                less = left_out.inverse[j, c] * (1.0 - ratio * (1.0 - ratio * (1.0 - ratio)))
                score -= 0.5 * (left_out.log_variance[j, c] + more + d * d * less)
                continue
            if v == 0.0:
                score = np.nan
            else:
                score -= 0.5 * (_LOG_TWO_PI + np.log(v) + d * d / v)
        new[c] = score


@kernel
def _largest(values, columns):
    largest = 0.0
    for j in columns:
        largest = max(largest, values[j])
    return largest


@kernel
def _two_largest(spread, base):
    """Largest spread in the base, the variable that has it, and the largest without that one."""
    top, holder, second = 0.0, -1, 0.0
    for k in range(base.starts.shape[0] - 1):
        peak = _largest(spread, columns_of(base, k))
        if peak > top:
            top, holder, second = peak, k, top
        else:
            second = max(second, peak)
    return top, holder, second


@kernel
def gaussian_left_out(left_out, normals, tested, smoothing, base, lists, place, out):
    """Losses of rows, each predicted from all the others, for a base with one variable flipped.

    Parameters
    ----------
    left_out : LeftOut
    normals : Normals
        Of all rows.
    tested : Tested
    smoothing : float
        The portion of the largest spread in a subset that is added to its variances.
    base, lists : Lists
        The columns of each variable of the base, and of each variable that is flipped.
    place : array of int64, shape (n_flips,)
        Which variable of the base this is; the number of these if it is one to be added.
    out : array of float64, shape (n_flips, n_tested)
    """
    n_base, n_classes = base.starts.shape[0] - 1, normals.mean.shape[1]
    # sums over the variables before each one of the base, and from each one on
    before, since = np.empty((n_base + 1, n_classes)), np.zeros((n_base + 2, n_classes))
    scores = np.empty(n_classes)
    for t in range(tested.rows.shape[0]):
        row, y = tested.rows[t], tested.truth[t]
        spread, prior = left_out.spread[row], tested.prior[y]
        top, holder, second = _two_largest(spread, base)
        epsilon = smoothing * top
        for c in range(n_classes):
            before[0, c] = prior[c]
        for k in range(n_base):
            old, new = before[k], before[k + 1]
            _left_out_terms(left_out, row, y, normals, columns_of(base, k), epsilon, old, new)
        for k in range(n_base - 1, -1, -1):
            old, new = since[k + 1], since[k]
            _left_out_terms(left_out, row, y, normals, columns_of(base, k), epsilon, old, new)
        for i in range(out.shape[0]):
            p, some = place[i], columns_of(lists, i)
            new_top = second if p == holder else top
            if p == n_base:
                new_top = max(top, _largest(spread, some))
            epsilon = smoothing * new_top
            if new_top == top:
                old = scores
                for c in range(n_classes):
                    scores[c] = before[p, c] + since[p + 1, c]
            else:
                old = prior
                for k in range(n_base):
                    if k != p:
                        others = columns_of(base, k)
                        _left_out_terms(left_out, row, y, normals, others, epsilon, old, scores)
                        old = scores
            if p == n_base:
                _left_out_terms(left_out, row, y, normals, some, epsilon, old, scores)
            out[i, t] = judge_row(scores, y, tested.loss)
