"""scikit-learn's RFECV around LightGBM."""

import numpy as np
from lightgbm import LGBMClassifier, LGBMRegressor
from sklearn.feature_selection import RFECV

N_STEPS = 20


def select(X, y, task, seed, n_features):
    kind = LGBMClassifier if task == "classification" else LGBMRegressor
    model = kind(importance_type="gain", random_state=seed, n_jobs=1, verbose=-1)
    step = max(1, X.shape[1] // N_STEPS)
    return np.flatnonzero(RFECV(model, step=step, cv=5, n_jobs=1).fit(X, y).support_)
