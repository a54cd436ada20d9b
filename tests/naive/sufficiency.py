"""Loops that say what `thresher.stats.sufficiency` and linear models ought to find."""

from math import sqrt

import numpy as np
from scipy import stats


def bounds(losses, best, n_train, confidence):
    """Mean rise with its lower and its upper bound."""
    n = len(losses)
    total = 0.0
    for own, other in zip(losses, best, strict=True):
        total += own - other
    mean = total / n
    squares = 0.0
    for own, other in zip(losses, best, strict=True):
        squares += (own - other - mean) ** 2
    error = sqrt(squares / (n - 1) * (1 / n + 1 / n_train))
    reach = stats.t.ppf(confidence, n - 1) * error
    return mean, mean - reach, mean + reach


def ridge_objective(table, values):
    """Lowest penalised sum of squares of a ridge regression with penalty 1."""
    table, values = table - table.mean(axis=0), values - values.mean()
    if not table.shape[1]:
        return float(values @ values)
    stacked = np.vstack([table, np.eye(table.shape[1])])
    goal = np.concatenate([values, np.zeros(table.shape[1])])
    coefficients, *_ = np.linalg.lstsq(stacked, goal, rcond=None)
    return float(((goal - stacked @ coefficients) ** 2).sum())
