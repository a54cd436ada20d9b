"""feature-engine's RecursiveFeatureElimination: least important first, put back if missed."""

import pandas as pd
from feature_engine.selection import RecursiveFeatureElimination
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor


def select(X, y, task, seed, n_features):
    classes = task == "classification"
    kind = RandomForestClassifier if classes else RandomForestRegressor
    forest = kind(n_estimators=50, max_features="sqrt", random_state=seed, n_jobs=1)
    frame = pd.DataFrame(X, columns=[f"x{position}" for position in range(X.shape[1])])
    selector = RecursiveFeatureElimination(
        forest, scoring="accuracy" if classes else "r2", cv=3, threshold=0.01
    )
    return [int(name[1:]) for name in selector.fit_transform(frame, pd.Series(y)).columns]
