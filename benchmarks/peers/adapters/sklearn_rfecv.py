"""scikit-learn's RFECV around a forest."""

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.feature_selection import RFECV

N_STEPS = 20


def select(X, y, task, seed, n_features):
    kind = RandomForestClassifier if task == "classification" else RandomForestRegressor
    # a regression forest looks at all columns in each split unless told otherwise
    forest = kind(n_estimators=50, max_features="sqrt", random_state=seed, n_jobs=1)
    step = max(1, X.shape[1] // N_STEPS)
    return np.flatnonzero(RFECV(forest, step=step, cv=5, n_jobs=1).fit(X, y).support_)
