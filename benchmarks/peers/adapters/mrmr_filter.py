"""mrmr_selection: F statistic over mean correlation, told how many columns to take."""

import pandas as pd
from mrmr import mrmr_classif, mrmr_regression


def select(X, y, task, seed, n_features):
    function = mrmr_classif if task == "classification" else mrmr_regression
    chosen = function(pd.DataFrame(X), pd.Series(y), K=n_features, n_jobs=1, show_progress=False)
    return [int(name) for name in chosen]
