"""The lasso, or L1-penalised logistic regression, with the penalty chosen by cross-validation.

The columns should be standardised.
"""

import numpy as np
import sklearn
from sklearn.linear_model import LassoCV, LogisticRegressionCV

N_FOLDS = 5


def missing():
    """Why this peer cannot run: nothing keeps it from running, as thresher needs scikit-learn."""


def version():
    return f"scikit-learn {sklearn.__version__}"


def select(X, y, task, seed, n_features):
    if task == "regression":
        coefficients = LassoCV(cv=N_FOLDS, random_state=seed).fit(X, y).coef_[None, :]
    else:
        coefficients = logistic(*without_rare_classes(X, y), seed)
    return np.flatnonzero((coefficients != 0).any(axis=0))


def without_rare_classes(X, y):
    """Leave out rows of classes that are not in every fold."""
    frequent = np.bincount(y)[y] >= N_FOLDS
    return X[frequent], y[frequent]


def logistic(X, y, seed):
    n_classes = len(np.unique(y))
    if n_classes < 2:
        return np.zeros((1, X.shape[1]))
    # liblinear is faster, but knows two classes only
    solver = {"solver": "liblinear"} if n_classes == 2 else {"solver": "saga", "tol": 1e-3}
    model = LogisticRegressionCV(
        l1_ratios=(1.0,),
        cv=N_FOLDS,
        scoring="neg_log_loss",
        max_iter=300,
        random_state=seed,
        use_legacy_attributes=False,
        **solver,
    )
    return model.fit(X, y).coef_
