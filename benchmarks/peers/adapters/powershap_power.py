"""powershap around CatBoost as its manual has it: SHAP values against one random column."""

import numpy as np
import pandas as pd
from catboost import CatBoostClassifier, CatBoostRegressor
from powershap import PowerShap


def select(X, y, task, seed, n_features):
    classes = task == "classification"
    kind = CatBoostClassifier if classes else CatBoostRegressor
    model = kind(
        n_estimators=250, verbose=0, use_best_model=True, random_seed=seed, thread_count=1,
        allow_writing_files=False,
    )  # fmt: skip
    frame = pd.DataFrame(X, columns=[f"x{position}" for position in range(X.shape[1])])
    selector = PowerShap(model, automatic=True, stratify=classes, show_progress=False)
    return np.flatnonzero(selector.fit(frame, pd.Series(y)).get_support())
