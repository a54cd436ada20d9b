"""feature-engine: correlated columns dropped, then the rest against random probes in a forest."""

import pandas as pd
from feature_engine.selection import ProbeFeatureSelection, SmartCorrelatedSelection
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor


def select(X, y, task, seed, n_features):
    classes = task == "classification"
    kind = RandomForestClassifier if classes else RandomForestRegressor
    forest = kind(n_estimators=100, max_features="sqrt", random_state=seed, n_jobs=1)
    # its data frames must have names that are text
    frame = pd.DataFrame(X, columns=[f"x{position}" for position in range(X.shape[1])])
    target = pd.Series(y)
    apart = SmartCorrelatedSelection(threshold=0.8, selection_method="corr_with_target")
    frame = apart.fit_transform(frame, target)
    probes = ProbeFeatureSelection(
        forest,
        scoring="accuracy" if classes else "r2",
        n_probes=3,
        distribution="all",
        threshold="max",
        cv=3,
        random_state=seed,
    )
    return [int(name[1:]) for name in probes.fit_transform(frame, target).columns]
