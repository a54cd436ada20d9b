import numpy as np
import pytest
from sklearn.base import is_classifier, is_regressor

from thresher.evaluators import task_of
from thresher.workflow import ESTIMATORS, estimator_named

CLASSIFIERS = ("naive-bayes", "discrete-nb", "c45", "thermal-perceptron")


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_name_gives_an_estimator_for_its_task(name):
    if name == "lazy":
        with pytest.raises(ValueError, match="estimator lazy is a regressor"):
            estimator_named(name, "classification")
    else:
        assert is_classifier(estimator_named(name, "classification"))
    if name in CLASSIFIERS:
        with pytest.raises(ValueError, match=f"estimator {name} is a classifier"):
            estimator_named(name, "regression")
    else:
        assert is_regressor(estimator_named(name, "regression"))


@pytest.mark.parametrize(
    ("y", "task"),
    [
        (np.array(["a", "b"], dtype=object), "classification"),
        (np.array([True, False]), "classification"),
        (np.array([0, 1, 2, 1]), "classification"),
        (np.array([0.0, 1.0]), "classification"),
        (np.arange(100), "regression"),
        (np.array([0.5, 1.0]), "regression"),
    ],
)
def test_the_task_is_told_from_the_target(y, task):
    assert task_of(y) == task
