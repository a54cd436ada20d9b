"""Logistic regression of two classes by Newton's method: a few milliseconds, for hundreds of fits.

scikit-learn's gives the same numbers, but spends most of its time on checking its input where
columns are few.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

__all__ = ["LogisticFit", "fit_logistic"]

FloatArray = NDArray[np.float64]

MAX_STEPS = 50
#: The end: half of this is about how far the penalised log loss is from its lowest value.
DECREMENT = 1e-8
#: A step is halved until the loss falls by this part of what the slope promises.
SUFFICIENT_DECREASE = 0.25


class LogisticFit(NamedTuple):
    """Coefficients, the intercept last, and the inverse of the loss's curvature at them."""

    coefficients: FloatArray
    covariance: FloatArray


def fit_logistic(
    table: FloatArray, is_second: FloatArray, weight: FloatArray, *, penalty: float = 1.0
) -> LogisticFit:
    """Minimise the weighted log loss plus half the squared coefficients times the penalty.

    Parameters
    ----------
    table : array of shape (n_rows, n_numbers)
        Inputs. The intercept is added here, and not penalised.
    is_second : array of shape (n_rows,)
        1 for rows of the second class, else 0; both occur.
    weight : array of shape (n_rows,)
        Of the rows.
    penalty : float
        Larger than zero: the minimum exists even where a plane separates the classes.
    """
    n_rows, n_numbers = table.shape
    inputs = np.empty((n_rows, n_numbers + 1))
    inputs[:, :-1], inputs[:, -1] = table, 1.0
    penalties = np.full(n_numbers + 1, penalty)
    penalties[-1] = np.finfo(float).eps * weight.sum()  # so that the curvature has an inverse
    sign = 1 - 2 * is_second

    def loss(coefficients: FloatArray, odds: FloatArray) -> float:
        log_losses = np.logaddexp(0.0, sign * odds)
        return float(weight @ log_losses + 0.5 * penalties @ coefficients**2)

    coefficients, odds = np.zeros(n_numbers + 1), np.zeros(n_rows)
    current = loss(coefficients, odds)
    for _ in range(MAX_STEPS):
        likely = expit(odds)
        slope = inputs.T @ (weight * (likely - is_second)) + penalties * coefficients
        scaled = inputs * np.sqrt(weight * likely * (1 - likely))[:, None]
        curvature = scaled.T @ scaled
        curvature.flat[:: n_numbers + 2] += penalties
        covariance = np.linalg.inv(curvature)
        step = covariance @ slope
        decrement = float(slope @ step)
        if decrement <= DECREMENT:
            break
        direction, length = inputs @ step, 1.0
        while True:
            new, new_odds = coefficients - length * step, odds - length * direction
            lower = loss(new, new_odds)
            if lower <= current - SUFFICIENT_DECREASE * length * decrement or length < DECREMENT:
                break
            length /= 2
        coefficients, odds, current = new, new_odds, lower
    return LogisticFit(coefficients, covariance)
