"""Gradients of losses with respect to predictions, on the scale that trees add up on."""

import numpy as np

from ._jit import kernel

# losses: squared error; log-likelihood of two classes; of several, one output each
SQUARED, LOGISTIC, MULTINOMIAL = np.int64(0), np.int64(1), np.int64(2)

#: Curvature below this would make steps of rows that are already certain explode.
LEAST_CURVATURE = 1e-3


@kernel
def gradients(link, values, prediction, rows, residual, curvature):
    """Write, for some rows and each output, the negative gradient of the loss and its curvature.

    Parameters
    ----------
    link : int
        One of the losses above.
    values, prediction : arrays of shape (n_rows, n_outputs)
        The target, classes as 0 and 1; log-odds or logarithms of probabilities for these.
    rows : uint32 array
        Which rows; nothing is written for the others.
    residual, curvature : arrays of shape (n_rows, n_outputs)
    """
    n_outputs = values.shape[1]
    # the classes share one degree of freedom
    scale = n_outputs / (n_outputs - 1.0) if link == MULTINOMIAL else 1.0
    for i in rows:
        largest, total = 0.0, 1.0
        if link == MULTINOMIAL:
            largest = prediction[i].max()
            total = 0.0
            for k in range(n_outputs):
                total += np.exp(prediction[i, k] - largest)
        for k in range(n_outputs):
            if link == SQUARED:
                residual[i, k] = values[i, k] - prediction[i, k]
                curvature[i, k] = 1.0
                continue
            if link == LOGISTIC:
                p = 1.0 / (1.0 + np.exp(-prediction[i, k]))
            else:
                p = np.exp(prediction[i, k] - largest) / total
            residual[i, k] = values[i, k] - p
            curvature[i, k] = max(p * (1.0 - p) * scale, LEAST_CURVATURE)
