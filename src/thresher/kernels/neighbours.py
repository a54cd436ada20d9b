"""Held-out losses of nearest-neighbour learners, for many subsets of columns at once.

A distance here is the sum over columns of squared (absolute, under Manhattan) differences: roots
change no order and are drawn only where distances become weights. It is *defined* as the sum in the
order of the table, so that a subset gets the same bits however it was reached.

For a flip, that sum is not computed anew: the base's distances plus or minus the flipped columns
are right but for rounding. Rows that are so near that rounding could matter, and only those, are
summed again from scratch. So equal rows stay exactly equal and zero stays zero.

Layout: tables are (columns, rows), so that inner loops run along rows and use vector instructions.
"""

from typing import NamedTuple

import numpy as np

from ._distances import add_columns, copy_plus_column, flipped_columns
from ._jit import kernel
from ._loss import ZERO_ONE, loss_of_probabilities, loss_of_value

# Rows whose smallest distance is found together; as a constant, so that the compiler unrolls loops.
_BLOCK = 32


class Rule(NamedTuple):
    """How neighbours predict, and what a prediction costs.

    Attributes
    ----------
    n_neighbours : int
        At most the number of training rows (without the tested one).
    manhattan : bool
        Sum absolute instead of squared differences.
    by_distance : bool
        Weigh neighbours by their inverse distance.
    n_classes : int
        0 for regression.
    loss : int
        See ``_loss``.
    rounding : float
        Relative rounding error of one addition, with a margin; 0 if no sum can ever be rounded.
    """

    n_neighbours: int
    manhattan: bool
    by_distance: bool
    n_classes: int
    loss: int
    rounding: float


class Scratch(NamedTuple):
    """Memory that is used again for each prediction."""

    distances: np.ndarray  # of all training rows; infinite for the one to be skipped
    minima: np.ndarray  # of the distances in each block of rows
    smallest: np.ndarray  # as many as there are neighbours, ascending
    candidates: np.ndarray  # rows that may be among the nearest, ascending
    nearest: np.ndarray  # rows of the neighbours
    nearest_distances: np.ndarray
    votes: np.ndarray  # of each class
    members: np.ndarray  # columns of the subset at hand


@kernel
def _scratch(table, rule):
    n_columns, n_rows = table.shape
    return Scratch(
        np.empty(n_rows),
        np.empty(n_rows // _BLOCK),
        np.empty(rule.n_neighbours),
        np.empty(n_rows, dtype=np.intp),
        np.empty(rule.n_neighbours, dtype=np.intp),
        np.empty(rule.n_neighbours),
        np.empty(rule.n_classes),
        np.empty(n_columns, dtype=np.intp),
    )


@kernel
def _keep_smallest(smallest, value):
    """Put a value in its place among the smallest ones, if it is one of them."""
    i = smallest.shape[0] - 1
    if not value < smallest[i]:
        return
    while i > 0 and smallest[i - 1] > value:
        smallest[i] = smallest[i - 1]
        i -= 1
    smallest[i] = value


@kernel
def _find_candidates(scratch, relative, absolute):
    """Collect the rows that may be among the k nearest, and return how many there are.

    Where distances are rounded, rows up to d * relative + absolute may be nearer than one at d.
    """
    distances, minima, smallest = scratch.distances, scratch.minima, scratch.smallest
    candidates = scratch.candidates
    k = smallest.shape[0]
    for block in range(minima.shape[0]):
        start = block * _BLOCK
        least = distances[start]
        for j in range(start + 1, start + _BLOCK):
            least = distances[j] if distances[j] < least else least
        minima[block] = least
    # k blocks have their minimum up to here, so k rows are at least as near
    smallest[:] = np.inf
    for block in range(minima.shape[0]):
        _keep_smallest(smallest, minima[block])
    limit = smallest[-1] * relative + absolute
    n_found = 0
    for block in range(minima.shape[0]):
        if minima[block] <= limit:
            for j in range(block * _BLOCK, (block + 1) * _BLOCK):
                candidates[n_found] = j
                n_found += distances[j] <= limit
            if limit == 0.0 and n_found >= k:
                return k  # none can be nearer, and of equals the first are taken
    for j in range(minima.shape[0] * _BLOCK, distances.shape[0]):
        candidates[n_found] = j
        n_found += distances[j] <= limit
    if n_found == k:
        return k
    smallest[:] = np.inf
    for i in range(n_found):
        _keep_smallest(smallest, distances[candidates[i]])
    limit = smallest[-1] * relative + absolute
    n_kept = 0
    for i in range(n_found):
        candidates[n_kept] = candidates[i]
        n_kept += distances[candidates[i]] <= limit
    return n_kept


@kernel
def _sum_again(table, point, n_members, n_candidates, manhattan, scratch):
    """Sum the distances of candidates from scratch, in the order of the table."""
    for j in scratch.candidates[:n_candidates]:
        total = 0.0
        for column in scratch.members[:n_members]:
            difference = table[column, j] - point[column]
            total += abs(difference) if manhattan else difference * difference
        scratch.distances[j] = total


@kernel
def _sort(rows):
    """Sort a few numbers; numba's own sort takes seconds to compile."""
    for n_sorted in range(1, rows.shape[0]):
        row = rows[n_sorted]
        i = n_sorted
        while i > 0 and rows[i - 1] > row:
            rows[i] = rows[i - 1]
            i -= 1
        rows[i] = row


@kernel
def _settle(scratch, n_candidates, ascending_rows):
    """Choose the neighbours from candidates with exact distances; of equals, the earlier rows."""
    nearest, found = scratch.nearest, scratch.nearest_distances
    k = nearest.shape[0]
    n_found = 0
    for j in scratch.candidates[:n_candidates]:
        distance = scratch.distances[j]
        if n_found == k and not distance < found[k - 1]:
            continue
        i = min(n_found, k - 1)
        while i > 0 and found[i - 1] > distance:
            found[i] = found[i - 1]
            nearest[i] = nearest[i - 1]
            i -= 1
        found[i] = distance
        nearest[i] = j
        n_found = min(n_found + 1, k)
    if ascending_rows:
        # sums over equal votes must not depend on whether the distances were looked at
        _sort(nearest)


@kernel
def _prediction_loss(scratch, target, truth, rule):
    """Let the neighbours vote, and judge the outcome."""
    nearest, weights, votes = scratch.nearest, scratch.nearest_distances, scratch.votes
    if rule.by_distance:
        _distances_to_weights(weights, rule.manhattan)
    else:
        weights[:] = 1.0
    total = 0.0
    if rule.n_classes == 0:
        weighted = 0.0
        for i in range(nearest.shape[0]):
            weighted += weights[i] * target[nearest[i]]
            total += weights[i]
        return loss_of_value(rule.loss, weighted / total, truth)
    votes[:] = 0.0
    for i in range(nearest.shape[0]):
        votes[int(target[nearest[i]])] += weights[i]
    # the 0/1 loss looks at the votes as they are: division could make unequal ones equal
    if rule.loss != ZERO_ONE:
        for c in range(rule.n_classes):
            total += votes[c]
        for c in range(rule.n_classes):
            votes[c] /= total
    return loss_of_probabilities(rule.loss, votes, int(truth))


@kernel
def _distances_to_weights(found, manhattan):
    """Turn distances into their inverses; rows at distance 0 count alone, and equally."""
    at_zero = False
    for i in range(found.shape[0]):
        distance = found[i] if manhattan else np.sqrt(found[i])
        found[i] = 1.0 / distance if distance > 0.0 else np.inf
        at_zero = at_zero or np.isinf(found[i])
    if at_zero:
        for i in range(found.shape[0]):
            found[i] = 1.0 if np.isinf(found[i]) else 0.0


@kernel
def _loss_of_subset(table, target, point, truth, own, members, rule, scratch):
    """Loss of one tested row under one subset."""
    distances = scratch.distances
    distances[:] = 0.0
    add_columns(distances, table, point, members, 1.0, rule.manhattan)
    if own >= 0:
        distances[own] = np.inf
    n_candidates = _find_candidates(scratch, 1.0, 0.0)
    _settle(scratch, n_candidates, not rule.by_distance)
    return _prediction_loss(scratch, target, truth, rule)


@kernel
def subset_losses(table, target, tested, truth, own, starts, columns, rule):
    """Losses of tested rows under each of many subsets.

    Parameters
    ----------
    table : array of shape (n_columns, n_rows)
        The training rows.
    target : array of shape (n_rows,)
        Their target: numbers, or class codes as floats.
    tested : array of shape (n_tested, n_columns)
        The rows to predict.
    truth : array of shape (n_tested,)
        Their target.
    own : array of int of shape (n_tested,)
        The training row that each of them is, and that must not predict it; -1 if none.
    starts, columns : arrays of int
        Subset s consists of ``columns[starts[s]:starts[s + 1]]``: at least one, ascending.
    rule : Rule
        How to predict and judge.

    Returns
    -------
    array of shape (n_subsets, n_tested)
    """
    n_subsets = starts.shape[0] - 1
    losses = np.empty((n_subsets, tested.shape[0]))
    scratch = _scratch(table, rule)
    for i in range(tested.shape[0]):
        for s in range(n_subsets):
            members = columns[starts[s] : starts[s + 1]]
            losses[s, i] = _loss_of_subset(
                table, target, tested[i], truth[i], own[i], members, rule, scratch
            )
    return losses


@kernel
def draw_losses(table, target, tested, truth, own, starts, columns, rule):
    """Loss of each tested row under a subset of its own.

    Parameters
    ----------
    table, target, tested, truth, own, rule
        As in `subset_losses`.
    starts, columns : arrays of int
        The subset of tested row i consists of ``columns[starts[i]:starts[i + 1]]``.

    Returns
    -------
    array of shape (n_tested,)
    """
    losses = np.empty(tested.shape[0])
    scratch = _scratch(table, rule)
    for i in range(tested.shape[0]):
        members = columns[starts[i] : starts[i + 1]]
        losses[i] = _loss_of_subset(
            table, target, tested[i], truth[i], own[i], members, rule, scratch
        )
    return losses


@kernel
def flip_losses(table, target, tested, truth, own, base, flips, starts, columns, rule):
    """Losses of tested rows under each subset that differs from a base by one variable.

    Parameters
    ----------
    table, target, tested, truth, own, rule
        As in `subset_losses`.
    base : array of int
        The columns of the base, ascending; may be empty.
    flips : array of int
        For each variable to flip, its number plus 1 to add it, or minus that to remove it.
    starts, columns : arrays of int
        Variable v consists of ``columns[starts[v]:starts[v + 1]]``, ascending.

    Returns
    -------
    array of shape (n_flips, n_tested)
    """
    losses = np.empty((flips.shape[0], tested.shape[0]))
    base_distances = np.empty(table.shape[1])
    scratch = _scratch(table, rule)
    for i in range(tested.shape[0]):
        point = tested[i]
        base_distances[:] = 0.0
        add_columns(base_distances, table, point, base, 1.0, rule.manhattan)
        largest = 0.0
        for j in range(base_distances.shape[0]):
            largest = max(largest, base_distances[j])
        if own[i] >= 0:
            base_distances[own[i]] = np.inf
        for f in range(flips.shape[0]):
            sign = 1.0 if flips[f] > 0 else -1.0
            variable = abs(flips[f]) - 1
            flipped = columns[starts[variable] : starts[variable + 1]]
            first = flipped[0]
            copy_plus_column(
                base_distances, table[first], point[first], sign, rule.manhattan, scratch.distances
            )
            add_columns(scratch.distances, table, point, flipped[1:], sign, rule.manhattan)
            _find_after_flip(largest, table, point, base, flipped, sign, rule, scratch)
            losses[f, i] = _prediction_loss(scratch, target, truth[i], rule)
    return losses


@kernel
def _find_after_flip(largest, table, point, base, flipped, sign, rule, scratch):
    """Find the neighbours by distances that were updated, and so rounded in another order."""
    # Rounding is relative to what was summed up: where something is taken away from a sum, to the
    # sum before (``largest``), so that the error may be large next to what is left.
    error = rule.rounding * (base.shape[0] + flipped.shape[0])
    relative = 1.0 + error if sign > 0.0 else 1.0
    absolute = 0.0 if sign > 0.0 else error * largest
    n_candidates = _find_candidates(scratch, relative, absolute)
    if n_candidates == rule.n_neighbours and not rule.by_distance:
        # by hand: numba takes seconds to compile the assignment of one array to another
        for i in range(n_candidates):
            scratch.nearest[i] = scratch.candidates[i]
        return
    if rule.rounding > 0.0:
        n_members = flipped_columns(base, flipped, sign, scratch.members)
        _sum_again(table, point, n_members, n_candidates, rule.manhattan, scratch)
    _settle(scratch, n_candidates, not rule.by_distance)
