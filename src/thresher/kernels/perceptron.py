"""Thermal and pocket perceptrons: weights are changed row by row, wherever a row is misclassified.

Layout: a row is its inputs, then a 1 for the intercept, then zeros up to a multiple of four, as an
array of shape (n_groups, 4). Weighted sums have four accumulators, added in a fixed order: this is
faster than one, and gives the same bits wherever they are computed. That matters, because steps
blow up rounding errors until two sets of weights have nothing in common.
"""

from typing import NamedTuple

import numpy as np

from ._jit import kernel
from .rng import draw_below, shuffle_first

LANES = 4
#: What a full step adds to the weighted sum of its own row, on average.
_REACH = 10.0
#: Rows this many temperatures on the wrong side are given up: a step would be 2e-9 of a full one.
_FROZEN = 20.0
# What is known of weights that are not misclassifying at the moment.
_UNTRIED, _KEPT, _REFUSED = 0, 1, 2


class Rule(NamedTuple):
    """How weights are learned.

    Attributes
    ----------
    pocket : bool
        Whether to keep the weights with the longest run, instead of annealing.
    n_epochs : int
        As many visits as this times the number of rows.
    temperature, decay : float
        At first, and what it is multiplied by after each epoch. Annealing only.
    learning_rate : float
        Size of the steps at the first temperature. Annealing only.
    shuffle : bool
        Whether each epoch visits the rows in a new order. Annealing only.
    ratchet : bool
        Whether weights must also be right about more rows to get into the pocket. Pocket only.
    """

    pocket: bool
    n_epochs: int
    temperature: float = 1.0
    decay: float = 1.0
    learning_rate: float = 1.0
    shuffle: bool = True
    ratchet: bool = True


@kernel
def column_scales(table, rows):
    """Mean and two standard deviations of each column; 0 as the latter where all rows are equal.

    Parameters
    ----------
    table : array of shape (n_rows, n_columns)
        Numbers with finite squares.
    rows : int array
        Those that count.
    """
    n_columns = table.shape[1]
    lowest = table[rows[0]].copy()
    highest = lowest.copy()
    for i in rows:
        row = table[i]
        for j in range(n_columns):
            lowest[j] = min(lowest[j], row[j])
            highest[j] = max(highest[j], row[j])
    # as shares of the range, so that no square vanishes
    means = np.zeros(n_columns)
    squares = np.zeros(n_columns)
    spans = np.empty(n_columns)
    for j in range(n_columns):
        spans[j] = highest[j] - lowest[j] if highest[j] > lowest[j] else 1.0
    for i in rows:
        row = table[i]
        for j in range(n_columns):
            means[j] += (row[j] - lowest[j]) / spans[j]
    for j in range(n_columns):
        means[j] /= rows.shape[0]
    for i in rows:
        row = table[i]
        for j in range(n_columns):
            deviation = (row[j] - lowest[j]) / spans[j] - means[j]
            squares[j] += deviation * deviation
    for j in range(n_columns):
        squares[j] = 2.0 * np.sqrt(squares[j] / rows.shape[0]) * spans[j]
        means[j] = lowest[j] + means[j] * spans[j]
        if highest[j] == lowest[j]:
            squares[j] = 0.0
    return means, squares


@kernel
def scaled_rows(table, rows, columns, centre, scale):
    """Some rows and columns in the layout of this module, centred and scaled.

    A column without a scale becomes 0, so that its weight is never changed.
    """
    n_inputs = columns.shape[0]
    out = np.zeros((rows.shape[0], n_inputs // LANES + 1, LANES))
    flat = out.reshape(rows.shape[0], -1)
    for r in range(rows.shape[0]):
        row = table[rows[r]]
        for k in range(n_inputs):
            j = columns[k]
            if scale[j] > 0.0:
                flat[r, k] = (row[j] - centre[j]) / scale[j]
        flat[r, n_inputs] = 1.0
    return out


@kernel
def _weighted_sum(weights, rows, i):
    # all rows and the place of one, because making a view of a row takes as long as a short sum
    a = 0.0
    b = 0.0
    c = 0.0
    d = 0.0
    for g in range(weights.shape[0]):
        a += weights[g, 0] * rows[i, g, 0]
        b += weights[g, 1] * rows[i, g, 1]
        c += weights[g, 2] * rows[i, g, 2]
        d += weights[g, 3] * rows[i, g, 3]
    return (a + b) + (c + d)


@kernel
def _squared_length(rows, i):
    return _weighted_sum(rows[i], rows, i)


@kernel
def _add(weights, rows, i, step):
    for g in range(weights.shape[0]):
        for lane in range(LANES):
            weights[g, lane] += step * rows[i, g, lane]


@kernel
def _thermal_step(weights, rows, i, side, phi, temperature, size):
    """Move the weights towards a misclassified row; return whether it was near enough for that."""
    share = abs(phi) / temperature
    if share > _FROZEN:
        return False
    _add(weights, rows, i, side * size * np.exp(-share))
    return True


@kernel
def anneal(rows, sides, weights, rule, state):
    """Train a thermal perceptron.

    Parameters
    ----------
    rows : array of shape (n_rows, n_groups, 4)
        See the module.
    sides : array of shape (n_rows,)
        1.0 or -1.0.
    weights : array of shape (n_groups, 4)
        Where to start; changed.
    rule : Rule
        How to train.
    state : uint64 array of shape (1,)
        Of the generator of random numbers.
    """
    n_rows = rows.shape[0]
    # so that the temperature means the same for any number of inputs, and of any scale
    length = 0.0
    for i in range(n_rows):
        length += _squared_length(rows, i) / n_rows
    order = np.arange(n_rows)
    temperature = rule.temperature
    for _ in range(rule.n_epochs):
        if rule.shuffle:
            shuffle_first(order, n_rows, state)
        size = rule.learning_rate * _REACH / length * (temperature / rule.temperature)
        moved = False
        for m in range(0, n_rows, 2):
            i = order[m]
            j = order[min(m + 1, n_rows - 1)]
            # `_weighted_sum` of two rows, since the first rarely moves the weights; written out,
            # because a call would take longer than a short sum
            a = 0.0
            b = 0.0
            c = 0.0
            d = 0.0
            e = 0.0
            f = 0.0
            g = 0.0
            h = 0.0
            for k in range(weights.shape[0]):
                w = weights[k, 0]
                x = weights[k, 1]
                y = weights[k, 2]
                z = weights[k, 3]
                a += w * rows[i, k, 0]
                b += x * rows[i, k, 1]
                c += y * rows[i, k, 2]
                d += z * rows[i, k, 3]
                e += w * rows[j, k, 0]
                f += x * rows[j, k, 1]
                g += y * rows[j, k, 2]
                h += z * rows[j, k, 3]
            phi = (a + b) + (c + d)
            next_phi = (e + f) + (g + h)
            if phi * sides[i] <= 0.0 and _thermal_step(
                weights, rows, i, sides[i], phi, temperature, size
            ):
                moved = True
                next_phi = _weighted_sum(weights, rows, j)
            if m + 1 < n_rows and next_phi * sides[j] <= 0.0:
                moved |= _thermal_step(weights, rows, j, sides[j], next_phi, temperature, size)
        if not moved:
            return  # nor would they ever be, as the temperature only falls
        temperature *= rule.decay


@kernel
def _n_right(rows, sides, weights):
    n_right = 0
    for i in range(rows.shape[0]):
        n_right += _weighted_sum(weights, rows, i) * sides[i] > 0.0
    return n_right


@kernel
def fill_pocket(rows, sides, weights, rule, state):
    """Train a pocket perceptron; parameters are those of `anneal`."""
    n_rows = rows.shape[0]
    pocket = weights.copy()
    pocket_run = 0
    pocket_right = 0
    run = 0
    status = _UNTRIED
    for _ in range(rule.n_epochs * n_rows):
        i = draw_below(state, n_rows)
        a = 0.0
        b = 0.0
        c = 0.0
        d = 0.0
        for k in range(weights.shape[0]):  # `_weighted_sum`, as above
            a += weights[k, 0] * rows[i, k, 0]
            b += weights[k, 1] * rows[i, k, 1]
            c += weights[k, 2] * rows[i, k, 2]
            d += weights[k, 3] * rows[i, k, 3]
        if ((a + b) + (c + d)) * sides[i] <= 0.0:
            _add(weights, rows, i, sides[i])
            run = 0
            status = _UNTRIED
            continue
        run += 1
        if run <= pocket_run or status == _REFUSED:
            continue
        if status == _UNTRIED:
            n_right = _n_right(rows, sides, weights) if rule.ratchet else 0
            if rule.ratchet and n_right <= pocket_right:
                status = _REFUSED
                continue
            status = _KEPT
            pocket[:] = weights
            pocket_right = n_right
            if n_right == n_rows:
                break  # nothing will ever change these
        pocket_run = run
    if pocket_run > 0 or pocket_right > 0:
        weights[:] = pocket


@kernel
def _unit_length(weights):
    """Divide weights by their length: a weighted sum is a distance from the plane then."""
    length = np.sqrt((weights * weights).sum())
    if length > 0.0:
        weights /= length


@kernel
def train(rows, classes, n_classes, rule, seed):
    """Learn to tell classes apart: the second of two from the first, or each from all others.

    Parameters
    ----------
    rows : array of shape (n_rows, n_groups, 4)
        See the module.
    classes : int array of shape (n_rows,)
        0 .. n_classes - 1.
    n_classes : int
        At least two.
    rule : Rule
        How to train.
    seed : uint64
        Of the generator of random numbers; below 2**32, higher bits tell the classes.

    Returns
    -------
    array of shape (1 or n_classes, n_groups, 4)
        Weights of length 1.
    """
    n_models = 1 if n_classes == 2 else n_classes
    weights = np.zeros((n_models, rows.shape[1], LANES))
    sides = np.empty(rows.shape[0])
    state = np.empty(1, dtype=np.uint64)
    for m in range(n_models):
        # how long the others took must not matter
        state[0] = seed + (np.uint64(m) << np.uint64(32))
        positive = 1 if n_classes == 2 else m
        for i in range(rows.shape[0]):
            sides[i] = 1.0 if classes[i] == positive else -1.0
        if rule.pocket:
            fill_pocket(rows, sides, weights[m], rule, state)
        else:
            anneal(rows, sides, weights[m], rule, state)
        _unit_length(weights[m])
    return weights


@kernel
def decisions(rows, weights):
    """Weighted sums of rows, an array of shape (n_rows, n_models)."""
    out = np.empty((rows.shape[0], weights.shape[0]))
    for i in range(rows.shape[0]):
        for m in range(weights.shape[0]):
            out[i, m] = _weighted_sum(weights[m], rows, i)
    return out


@kernel
def chosen_classes(sums):
    """Classes that rows are put into, given their weighted sums; the first of equal ones."""
    n_rows, n_models = sums.shape
    chosen = np.zeros(n_rows, dtype=np.intp)
    for i in range(n_rows):
        if n_models == 1:
            chosen[i] = 1 if sums[i, 0] > 0.0 else 0
        for m in range(1, n_models):
            if sums[i, m] > sums[i, chosen[i]]:
                chosen[i] = m
    return chosen


@kernel
def held_out_losses(table, columns, scales, learned, classes, n_classes, tested, truth, rule, seed):
    """Whether tested rows are misclassified, 0.0 or 1.0, when only some columns are used.

    Parameters
    ----------
    table : array of shape (n_rows, n_columns)
        All rows.
    columns : int array
        Those to use, ascending.
    scales : tuple of two arrays
        What `column_scales` says of the training rows.
    learned, classes : int arrays
        The training rows, and their classes.
    n_classes : int
        How many classes they have.
    tested, truth : int arrays
        The test rows, and their classes; -1 for one without training rows.
    rule, seed
        See `train`.
    """
    centre, scale = scales
    rows = scaled_rows(table, learned, columns, centre, scale)
    weights = train(rows, classes, n_classes, rule, seed)
    new = scaled_rows(table, tested, columns, centre, scale)
    chosen = chosen_classes(decisions(new, weights))
    losses = np.empty(tested.shape[0])
    for i in range(tested.shape[0]):
        losses[i] = 0.0 if chosen[i] == truth[i] else 1.0
    return losses
