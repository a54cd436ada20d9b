"""Estimators by name."""

from collections.abc import Callable
from typing import Any

from thresher.evaluators import Task, check_estimator
from thresher.selectors import load

__all__ = ["ESTIMATORS", "estimator_named"]


def _check_classes(name: str, task: Task) -> None:
    if task == "regression":
        raise ValueError(f"estimator {name} is a classifier, but the task is regression")


def _naive_bayes(task: Task) -> Any:
    """Gaussian naive Bayes."""
    _check_classes("naive-bayes", task)
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB()


def _discrete_nb(task: Task) -> Any:
    """Naive Bayes on levels and binned numbers; takes categories and missing values."""
    _check_classes("discrete-nb", task)
    from thresher.learners import DiscreteNB

    return DiscreteNB()


def _c45(task: Task) -> Any:
    """C4.5 trees, unpruned; take categories and missing values."""
    _check_classes("c45", task)
    from thresher.learners import C45Classifier

    return C45Classifier()


def _oblivious_tree(task: Task) -> Any:
    """The nearest distinct rows, all of them; takes categories and missing values."""
    from thresher.learners import ObliviousTree, ObliviousTreeRegressor

    return ObliviousTree() if task == "classification" else ObliviousTreeRegressor()


def _thermal_perceptron(task: Task) -> Any:
    """A thermal perceptron."""
    _check_classes("thermal-perceptron", task)
    from thresher.learners import ThermalPerceptron

    return ThermalPerceptron()


def _knn(task: Task) -> Any:
    """Five nearest neighbours."""
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

    return KNeighborsClassifier() if task == "classification" else KNeighborsRegressor()


def _lazy(task: Task) -> Any:
    """Local models around each row; takes categories and missing values."""
    if task == "classification":
        raise ValueError("estimator lazy is a regressor, but the task is classification")
    from thresher.learners import LazyRegressor

    return LazyRegressor()


def _linear(task: Task) -> Any:
    """Logistic or ridge regression."""
    from sklearn.linear_model import LogisticRegression, Ridge

    return LogisticRegression(max_iter=1000) if task == "classification" else Ridge()


def _tree(task: Task) -> Any:
    """A decision tree."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    return DecisionTreeClassifier() if task == "classification" else DecisionTreeRegressor()


def _forest(task: Task) -> Any:
    """A random forest."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    return RandomForestClassifier() if task == "classification" else RandomForestRegressor()


def _gradient_boosting(task: Task) -> Any:
    """Gradient-boosted trees on histograms."""
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    if task == "classification":
        return HistGradientBoostingClassifier()
    return HistGradientBoostingRegressor()


def _auto(task: Task) -> Any:
    """Naive Bayes or ridge regression, the fastest to judge subsets with."""
    return _naive_bayes(task) if task == "classification" else _linear(task)


ESTIMATORS: dict[str, Callable[[Task], Any]] = {
    "auto": _auto,
    "naive-bayes": _naive_bayes,
    "discrete-nb": _discrete_nb,
    "c45": _c45,
    "oblivious-tree": _oblivious_tree,
    "thermal-perceptron": _thermal_perceptron,
    "knn": _knn,
    "lazy": _lazy,
    "linear": _linear,
    "tree": _tree,
    "forest": _forest,
    "gradient-boosting": _gradient_boosting,
}


def estimator_named(name: str, task: Task) -> Any:
    """Return an estimator for a name or a dotted path."""
    if name in ESTIMATORS:
        return ESTIMATORS[name](task)
    if "." not in name:
        known = ", ".join(ESTIMATORS)
        raise ValueError(f"estimator must be one of {known}, or a dotted path; got {name!r}")
    made = load(name, "estimator")
    estimator = made() if isinstance(made, type) else made
    check_estimator(estimator)
    return estimator
