"""Loops that say what `thresher.stats.sufficiency` and linear models ought to find."""

from math import sqrt

import numpy as np
from scipy import stats


def bounds(losses, best, n_train, confidence):
    """Mean rise with its lower and its upper bound."""
    rises = [own - other for own, other in zip(losses, best, strict=True)]
    mean, reach = _mean_and_reach(rises, n_train, confidence)
    only_up, reach_up = _mean_and_reach([max(rise, 0.0) for rise in rises], n_train, confidence)
    return mean, mean - reach, min(mean + reach, only_up + reach_up)


def _mean_and_reach(values, n_train, confidence):
    n = len(values)
    mean = sum(values) / n
    squares = 0.0
    for value in values:
        squares += (value - mean) ** 2
    error = sqrt(squares / (n - 1) * (1 / n + 1 / n_train))
    return mean, stats.t.ppf(confidence, n - 1) * error


def ridge_objective(table, values):
    """Lowest penalised sum of squares of a ridge regression with penalty 1."""
    table, values = table - table.mean(axis=0), values - values.mean()
    if not table.shape[1]:
        return float(values @ values)
    stacked = np.vstack([table, np.eye(table.shape[1])])
    goal = np.concatenate([values, np.zeros(table.shape[1])])
    coefficients, *_ = np.linalg.lstsq(stacked, goal, rcond=None)
    return float(((goal - stacked @ coefficients) ** 2).sum())
