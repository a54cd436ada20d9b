"""Trees and predictions of WEKA's J48."""

import re

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tests.oracles import columns_and_target, digits, read_weka
from thresher.learners import C45Classifier

OPTIONS = {
    "J48_unpruned_M1_nocollapse": {},
    "J48_unpruned_M1": {"collapse": True},
    "J48_unpruned_M2": {"collapse": True, "min_samples_leaf": 2},
    "J48_default": {"collapse": True, "min_samples_leaf": 2, "prune": True},
}


def drawn(text):
    """Branches of a drawn tree: depth, condition, class and weights of the leaf."""
    pattern = r"((?:\|   )*)(\S+) (=|<=|>) ([^\s:]+)(?:: (\S+) \(([\d.]+)(?:/([\d.]+))?\))?"
    lines = [re.fullmatch(pattern, line.rstrip()) for line in text.splitlines()]
    found = [line.groups() for line in lines if line]
    conditions = [
        (len(depth), name, sign, value if sign == "=" else float(value), label)
        for depth, name, sign, value, label, _, _ in found
    ]
    weights = np.array([[float(total or 0), float(wrong or 0)] for *_, total, wrong in found])
    return conditions, weights


@pytest.mark.parametrize("data", ["nominal", "numeric", "mixed_missing"])
@pytest.mark.parametrize("key", OPTIONS)
def test_trees_and_predictions_are_those_of_j48(data, key):
    oracle = read_weka(data)
    X, y = columns_and_target(data)
    model, expected = C45Classifier(**OPTIONS[key]), oracle[key]

    conditions, weights = drawn(model.fit(X, y).to_text())
    expected_conditions, expected_weights = drawn(expected["model"])
    assert conditions == expected_conditions
    assert np.abs(weights - expected_weights).max() < 0.0101  # printed with two digits
    classes = np.array(oracle["class_values"])
    assert_array_equal(model.predict(X), classes[digits(expected["train_pred"])])

    fold_of_row = digits(oracle["cv10_seed1_fold_of_row"])
    predicted = np.empty(len(y), dtype=object)
    for fold in range(10):
        test = fold_of_row == fold
        predicted[test] = model.fit(X[~test], y[~test]).predict(X[test])
    assert_array_equal(predicted, classes[digits(expected["cv_pred"])])
