"""A plane fitted to weighted rows, in the scratch memory of ``local``."""

import numpy as np

from ._jit import kernel

#: A column that others explain but for this share of its squares has no slope of its own.
_GUARD = 1e-12
#: Sums of squares below this are rounded so coarsely that slopes mean nothing.
_TINY = 2.0**-960


@kernel
def centre_columns(table, point, centre, total, n_weighed, members, scratch):
    """Subtract their weighted means from the columns, and from the point to predict."""
    rows, weights = scratch.rows, scratch.weights
    for i in range(members.shape[0]):
        values, inputs = table[members[i]], scratch.inputs[i]
        origin = values[centre]
        for k in range(n_weighed):
            inputs[k] = values[rows[k]] - origin
        mean = _dot(weights, inputs, n_weighed) / total
        for k in range(n_weighed):
            inputs[k] -= mean
        scratch.point[i] = point[members[i]] - origin - mean


@kernel
def fit_plane(n_inputs, n_weighed, ridge, scratch):
    """Find the slopes of the target on centred columns."""
    weights, weighted, moments = scratch.weights, scratch.weighted, scratch.moments
    slopes = scratch.slopes
    trace = 0.0
    for i in range(n_inputs):
        inputs = scratch.inputs[i]
        for k in range(n_weighed):
            weighted[k] = weights[k] * inputs[k]
        for m in range(i + 1):
            moments[i, m] = _dot(weighted, scratch.inputs[m], n_weighed)
        slopes[i] = _dot(weighted, scratch.outputs, n_weighed)
        trace += moments[i, i]
    if not trace > _TINY:
        slopes[:n_inputs] = 0.0
        return
    for i in range(n_inputs):
        moments[i, i] += ridge * trace / n_inputs
    _solve(moments, slopes, n_inputs)


@kernel
def _solve(matrix, right, n):
    """Solve a symmetric system in place by Cholesky's method, reading the lower half.

    What depends on earlier columns gets a 0 on the diagonal and a 0 in the solution.
    """
    for i in range(n):
        whole = matrix[i, i]
        pivot = whole
        for m in range(i):
            value = matrix[i, m]
            for k in range(m):
                value -= matrix[i, k] * matrix[m, k]
            value = value / matrix[m, m] if matrix[m, m] > 0.0 else 0.0
            matrix[i, m] = value
            pivot -= value * value
        matrix[i, i] = np.sqrt(pivot) if pivot > _GUARD * whole else 0.0
    for i in range(n):
        value = right[i]
        for k in range(i):
            value -= matrix[i, k] * right[k]
        right[i] = value / matrix[i, i] if matrix[i, i] > 0.0 else 0.0
    for i in range(n - 1, -1, -1):
        value = right[i]
        for k in range(i + 1, n):
            value -= matrix[k, i] * right[k]
        right[i] = value / matrix[i, i] if matrix[i, i] > 0.0 else 0.0


@kernel
def _dot(one, other, n):
    """Sum of products; four sums side by side, so that none waits for the other."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    whole = n - n % 4
    for k in range(0, whole, 4):
        a += one[k] * other[k]
        b += one[k + 1] * other[k + 1]
        c += one[k + 2] * other[k + 2]
        d += one[k + 3] * other[k + 3]
    for k in range(whole, n):
        a += one[k] * other[k]
    return (a + b) + (c + d)
