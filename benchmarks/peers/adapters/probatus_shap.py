"""probatus' ShapRFECV around LightGBM; the set that scores best."""

import pandas as pd
from lightgbm import LGBMClassifier, LGBMRegressor
from probatus.feature_elimination import ShapRFECV


def select(X, y, task, seed, n_features):
    classes = task == "classification"
    kind = LGBMClassifier if classes else LGBMRegressor
    model = kind(n_estimators=50, max_depth=4, n_jobs=1, verbose=-1, random_state=seed)
    scoring = "accuracy" if classes else "r2"
    selector = ShapRFECV(model, step=0.2, cv=5, scoring=scoring, n_jobs=1, random_state=seed)
    frame = pd.DataFrame(X, columns=[f"x{position}" for position in range(X.shape[1])])
    # without this it gives up where float32 sums differ in the third digit
    selector.fit_compute(frame, pd.Series(y), check_additivity=False)
    return [int(name[1:]) for name in selector.get_reduced_features_set("best")]
