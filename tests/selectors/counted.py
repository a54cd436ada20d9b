"""An estimator that counts its fits, and a table for it."""

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier

FITS = []


class Counted(ClassifierMixin, BaseEstimator):
    """A tree that counts its fits, in this process."""

    def __init__(self, depth=3):
        self.depth = depth

    def fit(self, X, y):
        FITS.append(np.asarray(X).shape)
        self.model_ = DecisionTreeClassifier(max_depth=self.depth, random_state=0).fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(X)

    def predict_proba(self, X):
        return self.model_.predict_proba(X)


def small_table():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(100, 6)), columns=list("abcdef"))
    return X, (X["a"] + X["b"] > 0).astype(int).to_numpy()
