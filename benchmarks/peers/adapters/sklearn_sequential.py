"""scikit-learn's SequentialFeatureSelector around nearest neighbours, as in its own example."""

import numpy as np
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import scale


def select(X, y, task, seed, n_features):
    kind = KNeighborsClassifier if task == "classification" else KNeighborsRegressor
    selector = SequentialFeatureSelector(
        kind(), n_features_to_select="auto", tol=0.001, direction="forward", cv=5, n_jobs=1
    )
    return np.flatnonzero(selector.fit(scale(X), y).support_)
