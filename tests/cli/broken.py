"""Estimators that fail, in a module that workers can import."""

from sklearn.dummy import DummyClassifier


class Broken(DummyClassifier):
    def fit(self, X, y):
        raise RuntimeError("the motor is off")


class Refusing(DummyClassifier):
    def fit(self, X, y):
        raise ValueError("the motor is off")
