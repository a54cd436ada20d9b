"""arfs' Leshy: Boruta by SHAP importance of a LightGBM model, as its tutorial shows."""

import numpy as np
import pandas as pd
from arfs.feature_selection.allrelevant import Leshy
from lightgbm import LGBMClassifier, LGBMRegressor


def select(X, y, task, seed, n_features):
    kind = LGBMClassifier if task == "classification" else LGBMRegressor
    model = kind(n_jobs=1, verbose=-1, random_state=seed)
    selector = Leshy(
        model, n_estimators=50, max_iter=20, importance="shap", random_state=seed, verbose=0
    )
    frame = pd.DataFrame(X, columns=[f"x{position}" for position in range(X.shape[1])])
    return np.flatnonzero(selector.fit(frame, pd.Series(y)).support_)
