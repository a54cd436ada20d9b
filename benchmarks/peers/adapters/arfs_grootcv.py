"""arfs' GrootCV: SHAP importance against shadows in a cross-validated LightGBM."""

import numpy as np
import pandas as pd
from arfs.feature_selection.allrelevant import GrootCV


def select(X, y, task, seed, n_features):
    n_classes = len(np.unique(y))
    settings = {"seed": seed, "num_threads": 1, "verbose": -1}
    objective = "rmse"
    if task == "classification":
        # LightGBM has two names for it, but GrootCV knows what to do with "softmax" only
        objective = "binary" if n_classes == 2 else "softmax"
        settings |= {} if n_classes == 2 else {"num_class": n_classes}
    np.random.seed(seed)  # noqa: NPY002 - its shadows come from there
    selector = GrootCV(
        objective=objective, cutoff=1, n_folds=5, n_iter=5, silent=True, lgbm_params=settings
    )
    frame = pd.DataFrame(X, columns=[f"x{position}" for position in range(X.shape[1])])
    selector.fit(frame, pd.Series(y))
    return [int(name[1:]) for name in selector.selected_features_]
