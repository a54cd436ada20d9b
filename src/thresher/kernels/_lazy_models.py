"""Local models that grow neighbour by neighbour, and the leave-one-out error of each size.

Recursive least squares with centred rows: the intercept is not penalised, a ridge keeps the slopes
small. When a row joins, the residuals of those that are in and one minus their leverages change by
rank-one updates; their ratios are the residuals of leaving one out [1]_. What is one minus a
leverage only ever grows, so that nothing cancels, however near to zero it starts.

Inputs are relative to the nearest row. This changes no prediction, but keeps digits where the query
lies far away.

.. [1] M. Birattari, G. Bontempi and H. Bersini, "Lazy learning meets the recursive least squares
   algorithm", Advances in Neural Information Processing Systems 11, 1999.
"""

from typing import NamedTuple

import numpy as np

from ._jit import kernel

#: The models, in the order in which ties are decided; typed, since numba would compile kernels
#: for each plain number.
CONSTANT, LINEAR, QUADRATIC = np.int64(0), np.int64(1), np.int64(2)


class Kept(NamedTuple):
    """The best models so far, best first."""

    n_kept: np.ndarray  # one number
    errors: np.ndarray  # mean squared error of leaving one out
    sizes: np.ndarray
    models: np.ndarray
    predictions: np.ndarray


class Growth(NamedTuple):
    """Memory of a model that grows."""

    inputs: np.ndarray  # (inputs, neighbours), relative to the nearest one
    shift: np.ndarray  # the inputs of the nearest one
    means: np.ndarray  # of the inputs of rows that are in
    inverse: np.ndarray  # of their scatter matrix and the ridge
    slopes: np.ndarray
    step: np.ndarray  # the new row's distance from the means
    gain: np.ndarray  # the inverse times the step
    residuals: np.ndarray
    freedoms: np.ndarray  # one minus leverage
    sensitivities: np.ndarray  # of the fit at each row to the new row; then, errors without it


@kernel
def make_kept(n_combined):
    """Room for the best models."""
    return Kept(
        np.zeros(1, dtype=np.intp),
        np.empty(n_combined),
        np.empty(n_combined, dtype=np.intp),
        np.empty(n_combined, dtype=np.intp),
        np.empty(n_combined),
    )


@kernel
def make_growth(n_inputs, n_neighbours):
    """Room for models of up to so many inputs and neighbours."""
    return Growth(
        np.empty((n_inputs, n_neighbours)),
        np.empty(n_inputs),
        np.empty(n_inputs),
        np.empty((n_inputs, n_inputs)),
        np.empty(n_inputs),
        np.empty(n_inputs),
        np.empty(n_inputs),
        np.empty(n_neighbours),
        np.empty(n_neighbours),
        np.empty(n_neighbours),
    )


@kernel
def keep(kept, error, size, model, prediction):
    """Put a model in its place among the best, if it is one of them."""
    if not error < np.inf:
        return
    place = kept.n_kept[0]
    while place > 0 and not (
        kept.errors[place - 1] < error
        or (kept.errors[place - 1] == error and kept.sizes[place - 1] <= size)
    ):
        place -= 1
    if place == kept.errors.shape[0]:
        return
    kept.n_kept[0] = min(kept.n_kept[0] + 1, kept.errors.shape[0])
    for i in range(kept.n_kept[0] - 1, place, -1):
        kept.errors[i] = kept.errors[i - 1]
        kept.sizes[i] = kept.sizes[i - 1]
        kept.models[i] = kept.models[i - 1]
        kept.predictions[i] = kept.predictions[i - 1]
    kept.errors[place] = error
    kept.sizes[place] = size
    kept.models[place] = model
    kept.predictions[place] = prediction


@kernel
def combined(kept):
    """Mean prediction of the best models, weighted by the inverse of their errors."""
    best = kept.errors[0]
    total = 0.0
    weighed = 0.0
    for i in range(kept.n_kept[0]):
        weight = 1.0 if kept.errors[i] == best else 0.0
        if best > 0.0:
            weight = best / kept.errors[i]
        total += weight
        weighed += weight * kept.predictions[i]
    return weighed / total


@kernel
def grow_constant(outputs, first, last, kept):
    """Judge means of the first, first + 1, ..., last neighbours; return the mean of the last."""
    mean = 0.0
    squares = 0.0
    for k in range(last):
        size = k + 1
        difference = outputs[k] - mean
        mean += difference / size
        squares += difference * (outputs[k] - mean)
        if size >= first and k > 0:
            error = squares * size / (k * k)
            keep(kept, error, size, CONSTANT, mean)
    return mean


@kernel
def mean_of_all(target, own, kept):
    """Predict by the mean of all rows but one's own; NaN is the error of a single row."""
    mean = 0.0
    squares = 0.0
    size = 0
    for j in range(target.shape[0]):
        if j != own:
            size += 1
            difference = target[j] - mean
            mean += difference / size
            squares += difference * (target[j] - mean)
    kept.sizes[0], kept.models[0] = size, CONSTANT
    kept.errors[0] = squares * size / ((size - 1) * (size - 1)) if size > 1 else np.nan
    return mean


@kernel
def grow_plane(n_inputs, outputs, first, last, model, ridge, growth, kept):
    """Judge models of the first, first + 1, ..., last neighbours that are linear in the inputs."""
    inputs, means, slopes, shift = growth.inputs, growth.means, growth.slopes, growth.shift
    inverse, step, gain = growth.inverse, growth.step, growth.gain
    pull, residuals, freedoms = growth.sensitivities, growth.residuals, growth.freedoms
    for i in range(n_inputs):
        means[i] = 0.0  # the nearest row is where inputs are relative to
        slopes[i] = 0.0
        for m in range(n_inputs):
            inverse[i, m] = 0.0
        inverse[i, i] = 1.0 / ridge
    residuals[0] = 0.0
    freedoms[0] = 0.0
    output_mean = outputs[0]
    for k in range(1, last):
        surprise = outputs[k] - output_mean
        for i in range(n_inputs):
            step[i] = inputs[i, k] - means[i]
            surprise -= slopes[i] * step[i]
        spread = _set_gain(n_inputs, inverse, step, gain)
        _set_sensitivities(n_inputs, k, inputs, means, gain, pull)
        shrink = 1.0 / (1.0 + 1.0 / k + spread)
        scaled = surprise * shrink
        for j in range(k):
            residuals[j] -= pull[j] * scaled
            freedoms[j] += pull[j] * pull[j] * shrink
        residuals[k] = scaled
        freedoms[k] = shrink
        size = k + 1
        for i in range(n_inputs):
            part = gain[i] * shrink
            for m in range(n_inputs):
                inverse[i, m] -= part * gain[m]
            slopes[i] += gain[i] * scaled
            means[i] += step[i] / size
        output_mean += (outputs[k] - output_mean) / size
        if size >= first:
            prediction = output_mean
            for i in range(n_inputs):
                prediction -= slopes[i] * (shift[i] + means[i])
            error = _mean_square(size, residuals, freedoms, pull)
            keep(kept, error, size, model, prediction)


@kernel
def _set_gain(n_inputs, inverse, step, gain):
    """Multiply the inverse by the step; return the squared length of the step in its metric."""
    for m in range(n_inputs):
        gain[m] = 0.0
    for i in range(n_inputs):
        at = step[i]
        for m in range(n_inputs):
            gain[m] += at * inverse[i, m]
    spread = 0.0
    for i in range(n_inputs):
        spread += gain[i] * step[i]
    if not spread > 0.0:
        # zero, or so small that the rest is rounding: such a row moves the mean only
        for i in range(n_inputs):
            gain[i] = 0.0
        return 0.0
    return spread


@kernel
def _set_sensitivities(n_inputs, n_in, inputs, means, gain, pull):
    """How much a new row pulls the fit at each row that is in."""
    start = 1.0 / n_in
    for i in range(n_inputs):
        start -= gain[i] * means[i]
    for j in range(n_in):
        pull[j] = start
    whole = n_inputs - n_inputs % 4
    for i in range(0, whole, 4):  # four at a time, to read and write sums less often
        a, b, c, d = gain[i], gain[i + 1], gain[i + 2], gain[i + 3]
        for j in range(n_in):
            one = a * inputs[i, j] + b * inputs[i + 1, j]
            pull[j] += one + (c * inputs[i + 2, j] + d * inputs[i + 3, j])
    for i in range(whole, n_inputs):
        a = gain[i]
        for j in range(n_in):
            pull[j] += a * inputs[i, j]


@kernel
def _mean_square(size, residuals, freedoms, left_out):
    """Mean squared error of leaving one out."""
    for j in range(size):
        # a plain division would look for zeros, one number at a time
        left_out[j] = np.divide(residuals[j], freedoms[j])
    a, b, c, d = 0.0, 0.0, 0.0, 0.0  # four sums side by side, so that none waits for the other
    whole = size - size % 4
    for j in range(0, whole, 4):
        a += left_out[j] * left_out[j]
        b += left_out[j + 1] * left_out[j + 1]
        c += left_out[j + 2] * left_out[j + 2]
        d += left_out[j + 3] * left_out[j + 3]
    for j in range(whole, size):
        a += left_out[j] * left_out[j]
    return ((a + b) + (c + d)) / size
