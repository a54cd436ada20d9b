"""Predictions of memory-based regression: every training row counts, near ones more.

A row at squared distance d weighs exp(-(d - least) * scale), where least is the smallest d: the
nearest row has weight 1 however narrow the kernel is, and nothing is ever divided by zero.

Means are taken of differences from the heaviest row. Where it outweighs all others by many orders
of magnitude, they would drown in its rounding errors otherwise, and slopes would be noise.

Layout: tables are (columns, rows), so that inner loops run along rows and use vector instructions.
Sums run over the rows with a weight, in their order: leaving a row out by ``own`` gives the same
bits as a table without it.
"""

from typing import NamedTuple

import numpy as np

from ._distances import add_columns, copy_plus_column, flipped_columns
from ._exponential import exponentials
from ._jit import kernel
from ._loss import SQUARED, loss_of_value
from ._plane import centre_columns, fit_plane

#: Updated distances are good enough if they change no weight by more than this share.
_TOLERANCE = 1e-12
_EPS = np.finfo(np.float64).eps


class Rule(NamedTuple):
    """How rows near by predict, and what a prediction costs.

    Attributes
    ----------
    scale : float
        1 / (2 width^2), finite.
    linear : bool
        Fit a plane to the weighted rows instead of taking their mean.
    ridge : float
        What is added to each variance in that fit, in units of their mean.
    loss : int
        See ``_loss``.
    """

    scale: float
    linear: bool
    ridge: float
    loss: int = SQUARED


class Scratch(NamedTuple):
    """Memory that is used again for each prediction."""

    distances: np.ndarray  # of all training rows
    rows: np.ndarray  # those that have a weight, ascending
    weights: np.ndarray  # of these; before, of all rows
    bits: np.ndarray  # for the exponentials
    outputs: np.ndarray  # their target, centred
    inputs: np.ndarray  # their columns, centred; (columns, rows)
    weighted: np.ndarray  # one of the columns times the weights
    point: np.ndarray  # the row to predict, centred alike
    moments: np.ndarray  # weighted sums of products of columns
    slopes: np.ndarray  # of columns with the target, and then the solution
    members: np.ndarray  # columns of the subset at hand


@kernel
def _scratch(table, rule):
    n_columns, n_rows = table.shape
    n_inputs = n_columns if rule.linear else 0
    return Scratch(
        np.empty(n_rows),
        np.empty(n_rows, dtype=np.intp),
        np.empty(n_rows),
        np.empty(n_rows, dtype=np.int64),
        np.empty(n_rows),
        np.empty((n_inputs, n_rows)),
        np.empty(n_rows),
        np.empty(n_inputs),
        np.empty((n_inputs, n_inputs)),
        np.empty(n_inputs),
        np.empty(n_columns, dtype=np.intp),
    )


@kernel
def _smallest(values, skipped):
    """Smallest of the values, except for one of them."""
    least = np.inf
    for j in range(values.shape[0]):
        if values[j] < least and j != skipped:
            least = values[j]
    return least


@kernel
def _weigh(row_weights, own, least, rule, scratch):
    """Collect the rows that have a weight; return how many, and the place of the heaviest."""
    distances, rows, weights = scratch.distances, scratch.rows, scratch.weights
    for j in range(distances.shape[0]):
        weights[j] = (least - distances[j]) * rule.scale
    if own >= 0:
        weights[own] = -np.inf
    exponentials(weights, scratch.bits)
    n_weighed = 0
    heaviest = 0
    for j in range(distances.shape[0]):
        weight = weights[j] * row_weights[j]
        if weight > 0.0:
            rows[n_weighed] = j
            weights[n_weighed] = weight
            if weight > weights[heaviest]:
                heaviest = n_weighed
            n_weighed += 1
    return n_weighed, heaviest


@kernel
def _predicted(table, target, row_weights, point, own, least, members, rule, scratch):
    """Predict a point from the distances to the training rows, the smallest of which is given."""
    rows, weights, outputs = scratch.rows, scratch.weights, scratch.outputs
    n_weighed, heaviest = _weigh(row_weights, own, least, rule, scratch)
    centre = rows[heaviest]
    total = 0.0
    shift = 0.0
    for k in range(n_weighed):
        outputs[k] = target[rows[k]] - target[centre]
        total += weights[k]
        shift += weights[k] * outputs[k]
    shift /= total
    if not rule.linear:
        return target[centre] + shift
    for k in range(n_weighed):
        outputs[k] -= shift
    centre_columns(table, point, centre, total, n_weighed, members, scratch)
    fit_plane(members.shape[0], n_weighed, rule.ridge, scratch)
    for i in range(members.shape[0]):
        shift += scratch.slopes[i] * scratch.point[i]
    return target[centre] + shift


@kernel
def _sum_and_predict(table, target, row_weights, point, own, members, rule, scratch):
    """Predict a point from nothing but the columns of the subset."""
    scratch.distances[:] = 0.0
    add_columns(scratch.distances, table, point, members, 1.0, False)
    least = _smallest(scratch.distances, own)
    return _predicted(table, target, row_weights, point, own, least, members, rule, scratch)


@kernel
def predictions(table, target, row_weights, tested, rule):
    """Predict rows from all columns of a table.

    Parameters
    ----------
    table : array of shape (n_columns, n_rows)
        The training rows.
    target : array of shape (n_rows,)
        Their target.
    row_weights : array of shape (n_rows,)
        What their weights are multiplied by; all above 0.
    tested : array of shape (n_tested, n_columns)
        The rows to predict.
    rule : Rule
        How to predict.

    Returns
    -------
    array of shape (n_tested,)
    """
    predicted = np.empty(tested.shape[0])
    members = np.arange(table.shape[0])
    scratch = _scratch(table, rule)
    none = np.intp(-1)
    for i in range(tested.shape[0]):
        predicted[i] = _sum_and_predict(
            table, target, row_weights, tested[i], none, members, rule, scratch
        )
    return predicted


@kernel
def subset_losses(table, target, tested, truth, own, starts, columns, rule):
    """Losses of tested rows under each of many subsets.

    Parameters are those of the kernel of this name for neighbours; see there.
    """
    n_subsets = starts.shape[0] - 1
    losses = np.empty((n_subsets, tested.shape[0]))
    scratch = _scratch(table, rule)
    equal = np.ones(table.shape[1])
    for i in range(tested.shape[0]):
        for s in range(n_subsets):
            members = columns[starts[s] : starts[s + 1]]
            predicted = _sum_and_predict(
                table, target, equal, tested[i], own[i], members, rule, scratch
            )
            losses[s, i] = loss_of_value(rule.loss, predicted, truth[i])
    return losses


@kernel
def draw_losses(table, target, tested, truth, own, starts, columns, rule):
    """Loss of each tested row under a subset of its own.

    Parameters are those of the kernel of this name for neighbours; see there.
    """
    losses = np.empty(tested.shape[0])
    scratch = _scratch(table, rule)
    equal = np.ones(table.shape[1])
    for i in range(tested.shape[0]):
        members = columns[starts[i] : starts[i + 1]]
        predicted = _sum_and_predict(
            table, target, equal, tested[i], own[i], members, rule, scratch
        )
        losses[i] = loss_of_value(rule.loss, predicted, truth[i])
    return losses


@kernel
def flip_losses(table, target, tested, truth, own, base, flips, starts, columns, rule):
    """Losses of tested rows under each subset that differs from a base by one variable.

    Parameters are those of the kernel of this name for neighbours; see there.
    """
    losses = np.empty((flips.shape[0], tested.shape[0]))
    base_distances = np.empty(table.shape[1])
    scratch = _scratch(table, rule)
    equal = np.ones(table.shape[1])
    for i in range(tested.shape[0]):
        point = tested[i]
        base_distances[:] = 0.0
        largest = 0.0
        # a plane costs so much more than its distances that updating these is not worth it
        if not rule.linear:
            add_columns(base_distances, table, point, base, 1.0, False)
            for j in range(base_distances.shape[0]):
                largest = max(largest, base_distances[j])
        for f in range(flips.shape[0]):
            sign = 1.0 if flips[f] > 0 else -1.0
            variable = abs(flips[f]) - 1
            flipped = columns[starts[variable] : starts[variable + 1]]
            updated = not rule.linear
            if updated:
                least = _update(base_distances, table, point, own[i], flipped, sign, scratch)
                # Rounding errors are relative to what was summed up: on removal the sum before, on
                # addition the sum now, of which only rows near the smallest count.
                summed = least if sign > 0.0 else largest
                n_terms = base.shape[0] + flipped.shape[0]
                updated = n_terms * _EPS * summed * rule.scale < _TOLERANCE
            if updated:
                predicted = _predicted(
                    table, target, equal, point, own[i], least, base, rule, scratch
                )
            else:
                n_members = flipped_columns(base, flipped, sign, scratch.members)
                members = scratch.members[:n_members]
                predicted = _sum_and_predict(
                    table, target, equal, point, own[i], members, rule, scratch
                )
            losses[f, i] = loss_of_value(rule.loss, predicted, truth[i])
    return losses


@kernel
def _update(base_distances, table, point, own, flipped, sign, scratch):
    """Turn the base's distances into those of a flip, and return the smallest of them."""
    first = flipped[0]
    copy_plus_column(base_distances, table[first], point[first], sign, False, scratch.distances)
    add_columns(scratch.distances, table, point, flipped[1:], sign, False)
    return _smallest(scratch.distances, own)
