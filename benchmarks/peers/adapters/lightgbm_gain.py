"""Columns whose gain in LightGBM is at least the mean gain, as SelectFromModel has it."""

import numpy as np
from lightgbm import LGBMClassifier, LGBMRegressor


def select(X, y, task, seed, n_features):
    kind = LGBMClassifier if task == "classification" else LGBMRegressor
    model = kind(importance_type="gain", random_state=seed, n_jobs=1, verbose=-1).fit(X, y)
    gain = model.feature_importances_
    return np.flatnonzero((gain >= gain.mean()) & (gain > 0))
