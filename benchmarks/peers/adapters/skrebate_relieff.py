"""scikit-rebate's ReliefF, told how many columns to take."""

import numpy as np
from skrebate import ReliefF


def select(X, y, task, seed, n_features):
    # more labels than the threshold and it takes classes for numbers
    most = max(10, len(np.unique(y))) if task == "classification" else 10
    # its default of 100 neighbours is more than the rows of a small class
    selector = ReliefF(
        n_features_to_select=n_features, n_neighbors=10, discrete_threshold=most, n_jobs=1
    )
    return selector.fit(X, y).top_features_[:n_features]
