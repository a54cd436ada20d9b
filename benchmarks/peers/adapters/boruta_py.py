"""BorutaPy with the forest of its manual."""

import numpy as np
from boruta import BorutaPy
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor


def select(X, y, task, seed, n_features):
    if task == "classification":
        forest = RandomForestClassifier(max_depth=5, class_weight="balanced", n_jobs=1)
    else:
        # scikit-learn's regression forest tries all columns in each split: many times slower, and
        # not what the authors of Boruta mean by a forest
        forest = RandomForestRegressor(max_depth=5, max_features="sqrt", n_jobs=1)
    selector = BorutaPy(forest, n_estimators="auto", random_state=seed).fit(X, y)
    # its support_ is all true where it rejected nothing at all; the ranking is right
    return np.flatnonzero(selector.ranking_ == 1)
