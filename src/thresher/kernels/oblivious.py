"""Oblivious trees: what the nearest training rows say, for many subsets of columns at once.

A row is predicted from all training rows at the smallest distance. If the distance in one column is
at most w, then to add or remove a column moves no distance by more than w: whoever is nearest
afterwards was at most w farther than the nearest before. Mostly these are a handful of rows, and
only these are looked at for each of the columns that may go.
"""

from typing import NamedTuple

import numpy as np

from ._jit import kernel
from ._loss import ZERO_ONE, loss_of_probabilities, loss_of_value
from ._oblivious_distances import BLOCK, add_columns, find_near


class Rule(NamedTuple):
    """What is predicted, and what that costs.

    Attributes
    ----------
    target : array of float64, shape (n_rows,)
        Of the training rows: numbers, or codes of classes.
    totals : array of float64, shape (n_classes,)
        Training rows of each class; without entries in regression.
    loss : int
        See ``_loss``.
    """

    target: np.ndarray
    totals: np.ndarray
    loss: int


class Moves(NamedTuple):
    """Sets of columns that are added to a base, or removed from it.

    Attributes
    ----------
    starts, columns : arrays of int64
        Move m concerns ``columns[starts[m] : starts[m + 1]]``.
    signs : array of int32, shape (n_moves,)
        1 to add, -1 to remove.
    near : array of int32, shape (n_rows, len(columns))
        Codes of the training rows in these columns, row by row.
    steps : array of int32, shape (4, len(columns))
        What makes distances of differences in these columns.
    reach : int
        How far a move can change a distance.
    one_each : bool
        Whether each move concerns one column.
    """

    starts: np.ndarray
    columns: np.ndarray
    signs: np.ndarray
    near: np.ndarray
    steps: np.ndarray
    reach: int
    one_each: bool


class Scratch(NamedTuple):
    """Memory that is used again for each prediction."""

    minima: np.ndarray  # of the distances in each block of rows
    found: np.ndarray  # rows that may be nearest
    point: np.ndarray  # codes of the tested row, in the columns that move
    again: np.ndarray  # where these columns are coded anew for it, or -1
    shares: np.ndarray  # of these columns in one distance
    moved: np.ndarray  # that distance after each move
    least: np.ndarray  # the smallest distance after each move
    votes: np.ndarray  # (classes, moves), or the number and the sum of targets
    shared: np.ndarray  # votes for one move, as probabilities


@kernel
def _scratch(distances, rule, n_moves, n_columns):
    n_rows = distances.shape[-1]
    n_classes = rule.totals.shape[0]
    n_sums = n_classes if n_classes > 0 else 2
    return Scratch(
        np.empty(n_rows // BLOCK, dtype=distances.dtype),
        np.empty(n_rows, dtype=np.int64),
        np.empty(n_columns, dtype=np.int32),
        np.empty(n_columns, dtype=np.int64),
        np.empty(n_columns, dtype=np.int32),
        np.empty(n_moves, dtype=np.int64),
        np.empty(n_moves, dtype=np.int64),
        np.empty((n_sums, n_moves)),
        np.empty(n_sums),
    )


@kernel
def most_voted(votes, m, totals, own_class):
    """Class with most votes; of equals the one with most training rows, then the first.

    The row that is left out, of ``own_class``, is no training row; -1 if there is none.
    """
    best, best_total = 0, 0.0
    for c in range(votes.shape[0]):
        total = totals[c] - (1.0 if c == own_class else 0.0)
        more = votes[c, m] > votes[best, m]
        if c == 0 or more or (votes[c, m] == votes[best, m] and total > best_total):
            best, best_total = c, total
    return best


@kernel
def _loss_of_votes(votes, m, shared, truth, own, totals, loss):
    if totals.shape[0] == 0:
        return loss_of_value(loss, votes[1, m] / votes[0, m], truth)
    if loss == ZERO_ONE:
        best = most_voted(votes, m, totals, int(truth) if own >= 0 else -1)
        return 0.0 if best == int(truth) else 1.0
    total = 0.0
    for c in range(votes.shape[0]):
        total += votes[c, m]
    for c in range(votes.shape[0]):
        shared[c] = votes[c, m] / total
    return loss_of_probabilities(loss, shared, int(truth))


@kernel
def _count_votes(moved, least, votes, target, by_class):
    """Add what a training row says to the moves after which it is as near as any other."""
    if by_class:
        c = int(target)
        for m in range(moved.shape[0]):
            votes[c, m] += 1.0 if moved[m] == least[m] else 0.0
        return
    for m in range(moved.shape[0]):
        nearest = moved[m] == least[m]
        votes[0, m] += 1.0 if nearest else 0.0
        votes[1, m] += target if nearest else 0.0


@kernel
def _clear(votes):
    for c in range(votes.shape[0]):
        for m in range(votes.shape[1]):
            votes[c, m] = 0.0


@kernel
def _share(near, j, point, steps, shares):
    """Share of each of the columns that move in the distance of training row j."""
    for k in range(shares.shape[0]):
        gap = np.int32(near[j, k] - point[k])
        gap = np.int32(-gap) if gap < 0 else gap
        gap = np.int32(np.uint32(gap + steps[0, k]) >> np.uint32(steps[1, k]))
        gap = steps[2, k] if gap > steps[2, k] else gap
        shares[k] = np.int32(gap * steps[3, k])


@kernel
def _share_again(rescaled, j, own, again, steps, shares):
    """Do the same for the columns that are coded anew without the tested row."""
    for k in range(shares.shape[0]):
        if again[k] >= 0:
            gap = abs(np.int64(rescaled[again[k], j]) - rescaled[again[k], own])
            shares[k] = min((gap + steps[0, k]) >> steps[1, k], steps[2, k]) * steps[3, k]


@kernel
def _find_again(lonely, place, columns, own, again):
    """Find where columns are coded anew for a row that is left out; return how many are."""
    if own < 0:
        return 0
    n_again = 0
    for k in range(columns.shape[0]):
        again[k] = -1
        for side in range(2):
            if lonely[side, columns[k]] == own:
                again[k] = place[side, columns[k]]
                n_again += 1
    return n_again


@kernel
def _move(distance, starts, signs, one_each, shares, moved):
    """Distance of a training row after each move, from the shares of the columns."""
    if one_each:
        for m in range(moved.shape[0]):
            moved[m] = distance + signs[m] * shares[m]
        return
    for m in range(moved.shape[0]):
        share = np.int64(0)
        for k in range(starts[m], starts[m + 1]):
            share += shares[k]
        moved[m] = distance + signs[m] * share


@kernel
def _vote(distances, own, coded, moves, n_again, rule, scratch):
    """Let the rows that are nearest after each move vote."""
    # arrays are taken out of their tuples first: to do so in the loop takes longer than the sums
    least, moved, found, votes = scratch.least, scratch.moved, scratch.found, scratch.votes
    point, again, shares = scratch.point, scratch.again, scratch.shares
    near, steps, starts, signs = moves.near, moves.steps, moves.starts, moves.signs
    one_each, rescaled, target = moves.one_each, coded.rescaled, rule.target
    by_class = rule.totals.shape[0] > 0
    n_found = find_near(distances, moves.reach, scratch.minima, found)
    _clear(votes)
    if n_found == 1:  # nobody else is near enough, whatever moves
        for m in range(moved.shape[0]):
            least[m] = moved[m]
        _count_votes(moved, least, votes, target[found[0]], by_class)
        return
    for voting in (False, True):
        for i in range(n_found):
            j = found[i]
            _share(near, j, point, steps, shares)
            if n_again > 0:
                _share_again(rescaled, j, own, again, steps, shares)
            _move(np.int64(distances[j]), starts, signs, one_each, shares, moved)
            if voting:
                _count_votes(moved, least, votes, target[j], by_class)
            else:
                for m in range(moved.shape[0]):
                    least[m] = moved[m] if i == 0 or moved[m] < least[m] else least[m]


@kernel
def move_losses(distances, rows, coded, tested, which, moves, rule, far):
    """Losses of tested rows after each of many moves from a base.

    Parameters
    ----------
    distances : array of whole numbers, shape (n_rows, n_training_rows)
        Over the base. That of a row to itself may be changed.
    rows, which : arrays of int64, shape (n,)
        The rows of ``distances``, and the tested rows that they belong to.
    coded, tested, moves, rule
        See there.
    far : int
        More than any distance.

    Returns
    -------
    array of shape (n_moves, n)
    """
    n_moves, n_columns = moves.signs.shape[0], moves.columns.shape[0]
    losses = np.empty((n_moves, rows.shape[0]))
    scratch = _scratch(distances, rule, n_moves, n_columns)
    votes, shared, totals = scratch.votes, scratch.shared, rule.totals
    point, points, columns = scratch.point, tested.points, moves.columns
    for i in range(rows.shape[0]):
        t = which[i]
        own, truth = tested.own[t], tested.truth[t]
        row, kept = distances[rows[i]], 0
        for k in range(n_columns):
            point[k] = points[t, columns[k]]
        n_again = _find_again(coded.lonely, coded.place, columns, own, scratch.again)
        if own >= 0:
            kept = row[own]
            row[own] = far
        _vote(row, own, coded, moves, n_again, rule, scratch)
        if own >= 0:
            row[own] = kept
        for m in range(n_moves):
            losses[m, i] = _loss_of_votes(votes, m, shared, truth, own, totals, rule.loss)
    return losses


@kernel
def _loss_of_subset(distances, coded, tested, t, columns, rule, far, scratch):
    """Loss of one tested row under one subset, from nothing."""
    own = tested.own[t]
    for j in range(distances.shape[0]):
        distances[j] = 0
    add_columns(distances, coded, tested.points[t], own, columns, 1)
    if own >= 0:
        distances[own] = far
    n_found = find_near(distances, 0, scratch.minima, scratch.found)
    _clear(scratch.votes)
    scratch.least[0] = scratch.moved[0]
    for i in range(n_found):
        target = rule.target[scratch.found[i]]
        _count_votes(scratch.moved, scratch.least, scratch.votes, target, rule.totals.shape[0] > 0)
    truth = tested.truth[t]
    return _loss_of_votes(scratch.votes, 0, scratch.shared, truth, own, rule.totals, rule.loss)


@kernel
def subset_losses(coded, tested, which, starts, columns, rule, far):
    """Losses of tested rows under each of many subsets.

    Parameters
    ----------
    coded, tested, rule
        See there.
    which : array of int64, shape (n,)
        The tested rows.
    starts, columns : arrays of int64
        Subset s consists of ``columns[starts[s] : starts[s + 1]]``.
    far : int
        More than any distance.

    Returns
    -------
    array of shape (n_subsets, n)
    """
    losses = np.empty((starts.shape[0] - 1, which.shape[0]))
    distances = np.empty(coded.codes.shape[1], dtype=np.int64)
    scratch = _scratch(distances, rule, 1, 0)
    for s in range(losses.shape[0]):
        members = columns[starts[s] : starts[s + 1]]
        for i in range(which.shape[0]):
            losses[s, i] = _loss_of_subset(
                distances, coded, tested, which[i], members, rule, far, scratch
            )
    return losses


@kernel
def draw_losses(coded, tested, which, starts, columns, rule, far):
    """Loss of each tested row under a subset of its own; parameters as in `subset_losses`.

    Returns
    -------
    array of shape (n,)
    """
    losses = np.empty(which.shape[0])
    distances = np.empty(coded.codes.shape[1], dtype=np.int64)
    scratch = _scratch(distances, rule, 1, 0)
    for i in range(which.shape[0]):
        members = columns[starts[i] : starts[i + 1]]
        losses[i] = _loss_of_subset(distances, coded, tested, which[i], members, rule, far, scratch)
    return losses


@kernel
def leaf_sums(coded, points, leaves):
    """Sum what is known of the leaves that are nearest to each point.

    Parameters
    ----------
    coded : Coded
        The leaves.
    points : array of int32, shape (n_points, n_columns)
    leaves : array of float64, shape (n_leaves, n_sums)
        Weights of the classes in each leaf, or its weight and its weighted sum of targets.

    Returns
    -------
    array of shape (n_points, n_sums)
    """
    n_columns, n_leaves = coded.codes.shape
    sums = np.zeros((points.shape[0], leaves.shape[1]))
    distances = np.empty(n_leaves, dtype=np.int64)
    minima = np.empty(n_leaves // BLOCK, dtype=np.int64)
    found = np.empty(n_leaves, dtype=np.int64)
    every = np.arange(n_columns)
    for i in range(points.shape[0]):
        for j in range(n_leaves):
            distances[j] = 0
        add_columns(distances, coded, points[i], -1, every, 1)
        n_found = find_near(distances, 0, minima, found)
        for k in range(n_found):
            for c in range(leaves.shape[1]):
                sums[i, c] += leaves[found[k], c]
    return sums
