"""Naive Bayes on discrete tables against WEKA's, which smooths levels and classes by Laplace."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from tests.oracles import columns_and_target, digits, read_weka
from thresher.learners import DiscreteNB


def oracle(name):
    """The table as categories, numbers cut where WEKA cuts them; its target; WEKA's account."""
    account = read_weka(name)
    table, target = columns_and_target(name, dtype="str")
    for column, cuts in (account["mdl_cut_points"] or {}).items():
        numbers = table[column].astype(float).to_numpy()
        bins = np.searchsorted(cuts, numbers).astype(str).astype(object)
        table[column] = pd.Series(np.where(np.isnan(numbers), None, bins), dtype="str")
    return table.astype("category"), target, account


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("nominal", "NaiveBayes"),
        ("mixed_missing", "NaiveBayes_supervised_discretize"),
        ("numeric", "NaiveBayes_supervised_discretize"),
    ],
)
def test_probabilities_are_those_of_weka(name, key):
    X, y, account = oracle(name)
    model = DiscreteNB(m="levels", prior="laplace").fit(X, y)
    assert model.classes_.tolist() == account["class_values"]
    assert_allclose(model.predict_proba(X), account[key]["train_dist"], rtol=1e-10, atol=1e-12)
    assert (model.predict(X) == y).sum() == account[key]["train_correct"]


def test_predictions_of_its_ten_folds_are_those_of_weka():
    X, y, account = oracle("nominal")
    fold_of_row = digits(account["cv10_seed1_fold_of_row"])
    predicted = np.empty(len(y), dtype=object)
    for fold in range(10):
        test = fold_of_row == fold
        model = DiscreteNB(m="levels", prior="laplace").fit(X[~test], y[~test])
        predicted[test] = model.predict(X[test])
    expected = [account["class_values"][k] for k in digits(account["NaiveBayes"]["cv_pred"])]
    assert predicted.tolist() == expected
