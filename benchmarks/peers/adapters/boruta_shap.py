"""BorutaShap: Boruta by SHAP importance of a forest."""

import pandas as pd
from BorutaShap import BorutaShap
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor


def select(X, y, task, seed, n_features):
    classes = task == "classification"
    kind = RandomForestClassifier if classes else RandomForestRegressor
    forest = kind(n_estimators=50, max_depth=5, max_features="sqrt", random_state=seed, n_jobs=1)
    frame = pd.DataFrame(X, columns=[f"x{position}" for position in range(X.shape[1])])
    selector = BorutaShap(model=forest, importance_measure="shap", classification=classes)
    selector.fit(
        frame, y, n_trials=50, random_state=seed, sample=False, normalize=True, verbose=False
    )
    return [int(name[1:]) for name in selector.Subset().columns]
