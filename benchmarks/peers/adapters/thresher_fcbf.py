"""thresher's fast correlation-based filter."""

import numpy as np

from thresher.filters import FCBF

WARM_UP = True


def select(X, y, task, seed, n_features):
    return np.flatnonzero(FCBF(task=task).fit(X, y).support_)
