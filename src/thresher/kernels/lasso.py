"""Lasso coefficients along a path of penalties, by coordinate descent."""

import numpy as np

from ._jit import kernel


@kernel
def score_products(codes, scores, values, order, products):
    """Product of each column of scores, its rows taken in ``order``, with each output."""
    n_columns, n_rows = codes.shape
    n_outputs = values.shape[1]
    # the values are moved once, so that each column is read from end to end
    moved = np.empty((n_outputs, n_rows))
    for i in range(n_rows):
        for k in range(n_outputs):
            moved[k, order[i]] = values[i, k]
    for j in range(n_columns):
        for k in range(n_outputs):
            product = 0.0
            for i in range(n_rows):
                product += scores[j, codes[j, i]] * moved[k, i]
            products[j, k] = product


@kernel
def lasso_path(columns, target, penalties, max_active, max_sweeps, tolerance, coefficients):
    """Follow the penalties, largest first, while at most ``max_active`` coefficients are not zero.

    ``columns`` has one row for each variable, each of unit mean square, and the penalties are in
    units of the mean product with the target. Writes the coefficients at the last penalty that kept
    within ``max_active``; returns how many penalties that took.
    """
    n_columns, n_rows = columns.shape
    residual = target.copy()
    current = np.zeros(n_columns)
    active = np.zeros(n_columns, dtype=np.bool_)
    for step in range(penalties.shape[0]):
        penalty = penalties[step]
        for sweep in range(max_sweeps):
            # a whole sweep finds who comes in; between two of them only the active ones move
            whole = sweep % 5 == 0
            largest = 0.0
            for j in range(n_columns):
                if not (whole or active[j]):
                    continue
                product = 0.0
                for i in range(n_rows):
                    product += columns[j, i] * residual[i]
                product = product / n_rows + current[j]
                new = max(abs(product) - penalty, 0.0)
                if product < 0.0:
                    new = -new
                change = new - current[j]
                if change != 0.0:
                    for i in range(n_rows):
                        residual[i] -= change * columns[j, i]
                    current[j] = new
                    largest = max(largest, abs(change))
                active[j] = new != 0.0
            if whole and largest < tolerance:
                break
        n_active = 0
        for j in range(n_columns):
            n_active += active[j]
        if n_active > max_active:
            return step
        for j in range(n_columns):
            coefficients[j] = current[j]
    return penalties.shape[0]
