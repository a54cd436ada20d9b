"""mlxtend's SequentialFeatureSelector, forward and floating, around nearest neighbours."""

from mlxtend.feature_selection import SequentialFeatureSelector
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import scale

MOST = 20


def select(X, y, task, seed, n_features):
    kind = KNeighborsClassifier if task == "classification" else KNeighborsRegressor
    # "best" and "parsimonious" walk on to the full set, which few tables here would see the end of
    sizes = (1, min(MOST, X.shape[1]))
    selector = SequentialFeatureSelector(
        kind(), k_features=sizes, forward=True, floating=True, cv=5, n_jobs=1
    )
    return selector.fit(scale(X), y).k_feature_idx_
