"""Scores of classes that are sums over columns, and the losses they lead to.

Shared by the kernels of naive Bayes learners. Sums are (classes, rows), and rows are taken a block
at a time: inner loops run along rows, use vector instructions and stay in the cache.
"""

from typing import NamedTuple

import numpy as np

from ._jit import kernel
from ._loss import ZERO_ONE, loss_of_scores

# Scores held at a time: two arrays of this many fit in the fastest cache.
CELLS = 2048


class Lists(NamedTuple):
    """Lists of columns, end to end: list i is ``columns[starts[i] : starts[i + 1]]``."""

    starts: np.ndarray
    columns: np.ndarray


class Tested(NamedTuple):
    """The rows to be judged.

    Attributes
    ----------
    rows, truth : arrays of int64, shape (n_tested,)
        Where they are in the table, and their classes.
    prior : array of shape (n_classes, n_classes)
        Log prior of each class (second index) for rows whose own class is the first index.
    loss : int
        See ``_loss``.
    """

    rows: np.ndarray
    truth: np.ndarray
    prior: np.ndarray
    loss: int


@kernel
def columns_of(lists, i):
    return lists.columns[lists.starts[i] : lists.starts[i + 1]]


@kernel
def fill(array, value):
    # loops compile in a fraction of the time that assignments to slices take
    for i in range(array.shape[0]):
        for k in range(array.shape[1]):
            array[i, k] = value


@kernel
def copy(source, target):
    for i in range(source.shape[0]):
        for k in range(source.shape[1]):
            target[i, k] = source[i, k]


@kernel
def start_sums(truth, prior, sums):
    for c in range(sums.shape[0]):
        for r in range(truth.shape[0]):
            sums[c, r] = prior[truth[r], c]


@kernel
def judging_space(sums):
    """Memory for `judge_rows`, used again and again."""
    n_classes, size = sums.shape
    best, next_best = np.empty(size, sums.dtype), np.empty(size, sums.dtype)
    winner, next_winner = np.empty(size, np.int64), np.empty(size, np.int64)
    return best, next_best, winner, next_winner, np.empty(n_classes)


@kernel
def judge_rows(left, right, truth, loss, unit, space, out):
    """Losses of rows whose scores are ``left + right``, in multiples of ``unit``.

    The running maximum moves between two arrays: updated in place, it would compile to masked
    stores, which some processors do very slowly.
    """
    n_classes, n = left.shape[0], truth.shape[0]
    for c in range(n_classes):
        if left[c, 0] + right[c, 0] != left[c, 0] + right[c, 0]:
            # a class without any variance: numpy's argmax, and so scikit-learn, picks the NaN
            for r in range(n):
                out[r] = np.nan if loss != ZERO_ONE else (0.0 if truth[r] == c else 1.0)
            return
    if n_classes == 2 and loss == ZERO_ONE:
        for r in range(n):
            winner_is_second = left[1, r] + right[1, r] > left[0, r] + right[0, r]
            out[r] = 0.0 if winner_is_second == truth[r] else 1.0
        return
    best, next_best, winner, next_winner, scores = space
    for r in range(n):
        best[r] = left[0, r] + right[0, r]
        winner[r] = 0
    for c in range(1, n_classes):
        a, b = left[c], right[c]
        for r in range(n):
            score = a[r] + b[r]
            better = score > best[r]
            next_best[r] = score if better else best[r]
            next_winner[r] = c if better else winner[r]
        best, next_best = next_best, best
        winner, next_winner = next_winner, winner
    if loss == ZERO_ONE:
        for r in range(n):
            out[r] = 0.0 if winner[r] == truth[r] else 1.0
        return
    for r in range(n):
        for c in range(n_classes):
            scores[c] = (left[c, r] + right[c, r] - best[r]) * unit
        out[r] = loss_of_scores(loss, scores, truth[r])


@kernel
def judge_row(scores, truth, loss):
    """Loss of a single row, by the same rules; its scores are lost."""
    best = -np.inf
    for c in range(scores.shape[0]):
        if scores[c] != scores[c]:
            return np.nan if loss != ZERO_ONE else (0.0 if truth == c else 1.0)
        best = max(best, scores[c])
    for c in range(scores.shape[0]):
        scores[c] -= best
    return loss_of_scores(loss, scores, truth)
