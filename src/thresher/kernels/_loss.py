"""What a prediction costs, for one row, inside a kernel.

The codes are the values of ``thresher.evaluators.Loss``.
"""

import numpy as np

from ._jit import kernel

ZERO_ONE, LOG, BRIER, ABSOLUTE, SQUARED = 0, 1, 2, 3, 4
_EPS = np.finfo(np.float64).eps


@kernel
def loss_of_probabilities(loss, probability, truth):
    """Loss of one row from its class probabilities; the first of equal maxima is predicted."""
    n_classes = probability.shape[0]
    if loss == ZERO_ONE:
        best = 0
        for c in range(1, n_classes):
            if probability[c] > probability[best]:
                best = c
        return 0.0 if best == truth else 1.0
    if loss == LOG:
        p = probability[truth]
        return -np.log(min(max(p, _EPS), 1.0 - _EPS))
    total = 0.0
    for c in range(n_classes):
        difference = probability[c] - (1.0 if c == truth else 0.0)
        total += difference * difference
    return 0.5 * total if n_classes == 2 else total


@kernel
def loss_of_scores(loss, log_joint, truth):
    """Loss of one row from unnormalised log probabilities of its classes."""
    n_classes = log_joint.shape[0]
    best = 0
    for c in range(1, n_classes):
        if log_joint[c] > log_joint[best]:
            best = c
    if loss == ZERO_ONE:
        return 0.0 if best == truth else 1.0
    total = 0.0
    for c in range(n_classes):
        total += np.exp(log_joint[c] - log_joint[best])
    # dividing by the total, not subtracting its logarithm: that would lose digits of large scores
    if loss == LOG:
        p = np.exp(log_joint[truth] - log_joint[best]) / total
        return -np.log(min(max(p, _EPS), 1.0 - _EPS))
    squares = 0.0
    for c in range(n_classes):
        difference = np.exp(log_joint[c] - log_joint[best]) / total - (1.0 if c == truth else 0.0)
        squares += difference * difference
    return 0.5 * squares if n_classes == 2 else squares


@kernel
def loss_of_value(loss, prediction, truth):
    """Loss of one row from its predicted number."""
    difference = prediction - truth
    if loss == ABSOLUTE:
        return abs(difference)
    return difference * difference
