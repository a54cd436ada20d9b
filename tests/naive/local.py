"""Kernel and locally weighted regression in plain numpy, one row to predict at a time."""

import numpy as np

ABSOLUTE, SQUARED = 3, 4


def kernel_weights(train, point, width, row_weights=None):
    """Gaussian weights of training rows, the nearest having 1, times weights of their own."""
    squares = np.array(
        [sum((a - b) ** 2 for a, b in zip(row, point, strict=True)) for row in train]
    )
    with np.errstate(under="ignore", over="ignore"):
        weights = np.exp(-(squares - squares.min()) / width / (2.0 * width))
    return weights if row_weights is None else weights * row_weights


def weighted_mean(train, target, point, width, row_weights=None):
    """Predict by kernel regression."""
    weights = kernel_weights(train, point, width, row_weights)
    nearest = target[weights.argmax()]
    return nearest + (weights * (target - nearest)).sum() / weights.sum()


def plane(train, target, point, width, ridge, row_weights=None):
    """Predict by locally weighted regression."""
    weights = kernel_weights(train, point, width, row_weights)
    nearest = weights.argmax()
    # relative to the heaviest row, as light ones would be lost in its rounding errors
    inputs, outputs = train - train[nearest], target - target[nearest]
    x_mean, y_mean = weights @ inputs / weights.sum(), weights @ outputs / weights.sum()
    inputs, outputs = inputs - x_mean, outputs - y_mean
    with np.errstate(under="ignore"):
        moments = (weights[:, None] * inputs).T @ inputs
        right = (weights[:, None] * inputs).T @ outputs
    trace = np.trace(moments)
    if trace < 1e-280:
        return target[nearest] + y_mean
    n_columns = len(point)
    # in units of the trace, which may be a tiny number
    system = moments / trace + ridge / n_columns * np.eye(n_columns)
    slopes = np.linalg.lstsq(system, right / trace, rcond=None)[0]
    return target[nearest] + y_mean + slopes @ (point - train[nearest] - x_mean)


def row_loss(train, target, point, truth, *, width, ridge, loss):
    """Loss of one row; a ridge of None means kernel regression."""
    if ridge is None:
        error = weighted_mean(train, target, point, width) - truth
    else:
        error = plane(train, target, point, width, ridge) - truth
    return abs(error) if loss == ABSOLUTE else error**2


def held_out_losses(X, y, splits, subsets, **rule):
    """Losses of all rows for subsets given as lists of columns; each row is tested once."""
    losses = np.empty((len(subsets), len(y)))
    for s, columns in enumerate(subsets):
        for train, test in splits:
            for i in test:
                known = X[np.ix_(train, columns)]
                losses[s, i] = row_loss(known, y[train], X[i, columns], y[i], **rule)
    return losses
