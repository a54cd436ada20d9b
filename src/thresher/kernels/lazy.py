"""Predictions of lazy learning: local models of several kinds and sizes, the best for each query.

A table here holds numbers, and numbers of levels, as floats; NaN is a missing cell. A difference to
the query is scaled by a factor of its column: two random rows of the training table then differ
by 2 in squared distance, whatever the kind of the column (see ``scales``). Where a cell is
missing, 2 is what the distance counts, and the models take the cell for the query's own. A column
with the factor 0 is left out, as if the subset did not have it.

Layout: tables are (columns, rows), so that inner loops run along rows and use vector instructions.
Sums run over rows in their order: leaving a row out by ``own`` gives the same bits as a table
without it.
"""

from typing import NamedTuple

import numpy as np

from ._jit import kernel
from ._lazy_inputs import equally_far, find_nearest, measure, set_differences, set_squares
from ._lazy_models import (
    CONSTANT,
    LINEAR,
    QUADRATIC,
    Growth,
    Kept,
    combined,
    grow_constant,
    grow_plane,
    make_growth,
    make_kept,
    mean_of_all,
)
from ._loss import SQUARED, loss_of_value

#: Fewest neighbours of a model, and fewest that the largest may have.
_FEWEST, _MOST = 3, 15


class Rule(NamedTuple):
    """How lazy learning predicts, and what a prediction costs.

    Attributes
    ----------
    constant, linear, quadratic : bool
        The kinds of models to try.
    products : bool
        Whether quadratic models have products of different columns, not only squares.
    fewest, most : float
        Neighbours per coefficient of a model.
    max_neighbours : int
        At least 1.
    n_combined : int
        How many models predict together.
    ridge : float
        What is added to the sums of squares of inputs, above 0.
    loss : int
        See ``_loss``.
    """

    constant: bool
    linear: bool
    quadratic: bool
    products: bool
    fewest: float
    most: float
    max_neighbours: int
    n_combined: int
    ridge: float
    loss: int = SQUARED


class Plan(NamedTuple):
    """Sizes of the models of a subset, from the first to the last; the last is 0 if left out."""

    constant: tuple
    linear: tuple
    quadratic: tuple
    n_linear: int
    n_quadratic: int


class Scratch(NamedTuple):
    """Memory that is used again for each prediction."""

    members: np.ndarray  # columns that are not left out
    distances: np.ndarray  # of all training rows
    shuffled: np.ndarray  # the same, in any order
    nearest: np.ndarray  # rows, the nearest first
    outputs: np.ndarray  # their target, relative to the first of them
    growth: Growth
    kept: Kept


@kernel
def _sizes(wanted, n_inputs, n_rows, rule):
    """First and last size of a model; (0, 0) if it is not wanted or there are too few rows."""
    n_coefficients = n_inputs + 1.0
    # what is a whole number but for rounding is taken for it
    first = max(_FEWEST, np.ceil(rule.fewest * n_coefficients - 1e-9))
    last = max(_MOST, first, np.floor(rule.most * n_coefficients + 1e-9))
    if not wanted or first > n_rows:
        return 0, 0
    return int(first), int(min(last, n_rows))


@kernel
def _plan(members, is_level, factors, n_rows, rule):
    n_columns = 0
    n_squares = 0
    for column in members:
        if factors[column] > 0.0:
            n_columns += 1
            n_squares += not is_level[column]
    n_pairs = n_columns * (n_columns - 1) // 2 if rule.products else 0
    n_quadratic = n_columns + n_squares + n_pairs
    n_rows = min(n_rows, rule.max_neighbours)
    constant = _sizes(rule.constant, 0, n_rows, rule)
    linear = _sizes(rule.linear and n_columns > 0, n_columns, n_rows, rule)
    # levels alone have no squares, and what is left is the linear model again
    differs = n_quadratic > (n_columns if rule.linear else 0)
    quadratic = _sizes(rule.quadratic and differs, n_quadratic, n_rows, rule)
    if constant[1] + linear[1] + quadratic[1] == 0:
        constant = (n_rows, n_rows)
    return Plan(constant, linear, quadratic, n_columns, n_quadratic)


@kernel
def _n_nearest(plan):
    return max(plan.constant[1], plan.linear[1], plan.quadratic[1])


@kernel
def _scratch(table, is_level, factors, starts, columns, rule):
    """Room for the largest of the models of all subsets."""
    n_columns, n_rows = table.shape
    n_inputs = 0
    n_neighbours = 0
    for i in range(factors.shape[0]):
        if i > 0 and factors[i].min() > 0.0:
            continue  # which columns are left out is all that matters
        for s in range(starts.shape[0] - 1):
            plan = _plan(columns[starts[s] : starts[s + 1]], is_level, factors[i], n_rows, rule)
            n_neighbours = max(n_neighbours, _n_nearest(plan))
            if plan.linear[1] > 0:
                n_inputs = max(n_inputs, plan.n_linear)
            if plan.quadratic[1] > 0:
                n_inputs = max(n_inputs, plan.n_quadratic)
    return Scratch(
        np.empty(n_columns, dtype=np.intp),
        np.empty(n_rows),
        np.empty(n_rows),
        np.empty(n_neighbours, dtype=np.intp),
        np.empty(n_neighbours),
        make_growth(n_inputs, n_neighbours),
        make_kept(rule.n_combined),
    )


@kernel
def _used(members, factors, room):
    n_used = 0
    for column in members:
        room[n_used] = column
        n_used += factors[column] > 0.0
    return room[:n_used]


@kernel
def _predict(table, is_level, target, point, own, factors, members, rule, scratch):
    """Predict a point; what it was predicted by is left in ``scratch.kept``."""
    n_rows = table.shape[1] - (1 if own >= 0 else 0)
    plan = _plan(members, is_level, factors, n_rows, rule)
    members = _used(members, factors, scratch.members)
    n_nearest = _n_nearest(plan)
    outputs, nearest, kept = scratch.outputs, scratch.nearest, scratch.kept
    measure(table, is_level, point, factors, members, scratch.distances)
    if equally_far(scratch.distances, own):
        return mean_of_all(target, own, kept)
    find_nearest(own, n_nearest, scratch)
    origin = target[nearest[0]]
    for k in range(n_nearest):
        outputs[k] = target[nearest[k]] - origin
    kept.n_kept[0] = 0
    mean = grow_constant(outputs, plan.constant[0], plan.constant[1], kept)
    if plan.linear[1] + plan.quadratic[1] > 0:
        set_differences(table, is_level, point, factors, members, n_nearest, scratch)
    if plan.linear[1] > 0:
        first, last = plan.linear
        grow_plane(plan.n_linear, outputs, first, last, LINEAR, rule.ridge, scratch.growth, kept)
    if plan.quadratic[1] > 0:
        first, last = plan.quadratic
        set_squares(is_level, members, n_nearest, rule.products, scratch.growth)
        grow_plane(
            plan.n_quadratic, outputs, first, last, QUADRATIC, rule.ridge, scratch.growth, kept
        )
    if kept.n_kept[0] > 0:
        return origin + combined(kept)
    # one row has no other to be judged by
    kept.errors[0], kept.sizes[0], kept.models[0] = np.nan, max(plan.constant[1], 1), CONSTANT
    return origin + mean


@kernel
def predictions(table, is_level, target, tested, factors, rule):
    """Predict rows from all columns of a table.

    Parameters
    ----------
    table : array of shape (n_columns, n_rows)
        The training rows: numbers, or numbers of levels; NaN where a cell is missing.
    is_level : bool array of shape (n_columns,)
        Which columns hold levels.
    target : array of shape (n_rows,)
        The target of the training rows.
    tested : array of shape (n_tested, n_columns)
        The rows to predict; NaN also where a level is not in the table.
    factors : array of shape (1, n_columns)
        What differences in a column are multiplied by.
    rule : Rule
        How to predict.

    Returns
    -------
    tuple of arrays of shape (n_tested,)
        Predictions; number of neighbours, kind of model and mean squared leave-one-out error of
        the best model, NaN if the table has one row only.
    """
    n_tested = tested.shape[0]
    predicted, errors = np.empty(n_tested), np.empty(n_tested)
    sizes, models = np.empty(n_tested, dtype=np.intp), np.empty(n_tested, dtype=np.intp)
    members = np.arange(table.shape[0])
    starts = np.array([0, table.shape[0]])
    scratch = _scratch(table, is_level, factors, starts, members, rule)
    kept = scratch.kept
    none = np.intp(-1)
    for i in range(n_tested):
        predicted[i] = _predict(
            table, is_level, target, tested[i], none, factors[0], members, rule, scratch
        )
        sizes[i], models[i], errors[i] = kept.sizes[0], kept.models[0], kept.errors[0]
    return predicted, sizes, models, errors


@kernel
def subset_losses(table, is_level, target, tested, truth, own, factors, starts, columns, rule):
    """Losses of tested rows under each of many subsets.

    Parameters
    ----------
    table, is_level, target, tested, rule
        As in `predictions`.
    truth : array of shape (n_tested,)
        The target of the tested rows.
    own : array of int of shape (n_tested,)
        The training row that each of them is, and that must not predict it; -1 if none.
    factors : array of shape (n_tested, n_columns) or (1, n_columns)
        What differences to each tested row are multiplied by, or to all of them.
    starts, columns : arrays of int
        Subset s consists of ``columns[starts[s]:starts[s + 1]]``: at least one, ascending.

    Returns
    -------
    array of shape (n_subsets, n_tested)
    """
    n_subsets = starts.shape[0] - 1
    losses = np.empty((n_subsets, tested.shape[0]))
    scratch = _scratch(table, is_level, factors, starts, columns, rule)
    for i in range(tested.shape[0]):
        own_factors = factors[i if factors.shape[0] > 1 else 0]
        for s in range(n_subsets):
            members = columns[starts[s] : starts[s + 1]]
            predicted = _predict(
                table, is_level, target, tested[i], own[i], own_factors, members, rule, scratch
            )
            losses[s, i] = loss_of_value(rule.loss, predicted, truth[i])
    return losses


@kernel
def draw_losses(table, is_level, target, tested, truth, own, factors, starts, columns, rule):
    """Loss of each tested row under a subset of its own.

    Parameters
    ----------
    table, is_level, target, tested, truth, own, factors, rule
        As in `subset_losses`.
    starts, columns : arrays of int
        The subset of tested row i consists of ``columns[starts[i]:starts[i + 1]]``.

    Returns
    -------
    array of shape (n_tested,)
    """
    losses = np.empty(tested.shape[0])
    scratch = _scratch(table, is_level, factors, starts, columns, rule)
    for i in range(tested.shape[0]):
        own_factors = factors[i if factors.shape[0] > 1 else 0]
        members = columns[starts[i] : starts[i + 1]]
        predicted = _predict(
            table, is_level, target, tested[i], own[i], own_factors, members, rule, scratch
        )
        losses[i] = loss_of_value(rule.loss, predicted, truth[i])
    return losses
