"""scikit-rebate's ReliefF, told how many columns to take."""

import numpy as np
from skrebate import ReliefF


def select(X, y, task, seed, n_features):
    # left to itself, it takes more than ten classes for numbers
    kind = "continuous"
    if task == "classification":
        kind = "binary" if len(np.unique(y)) == 2 else "multiclass"
    # its default of 100 neighbours is more than the rows of a small class
    selector = ReliefF(n_features_to_select=n_features, n_neighbors=10, label_type=kind, n_jobs=1)
    return selector.fit(X, y).top_features_[:n_features]
