"""Naive Bayes on discrete tables against WEKA's, which smooths levels and classes by Laplace."""

import json

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from thresher.learners import DiscreteNB

VERSIONS = ["weka397", "weka3614"]


def oracle(shared, name, version):
    """The table as categories, numbers cut where WEKA cuts them; its target; WEKA's account."""
    account = json.loads((shared / "oracles" / f"{name}.{version}.json").read_text())
    table = pd.read_csv(shared / "oracles" / f"{name}.csv", dtype="str")
    target = table.pop(table.columns[-1]).to_numpy()
    for column, cuts in (account["mdl_cut_points"] or {}).items():
        numbers = table[column].astype(float).to_numpy()
        bins = np.searchsorted(cuts, numbers).astype(str).astype(object)
        table[column] = pd.Series(np.where(np.isnan(numbers), None, bins), dtype="str")
    return table.astype("category"), target, account


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("nominal", "NaiveBayes"),
        ("mixed_missing", "NaiveBayes_supervised_discretize"),
        ("numeric", "NaiveBayes_supervised_discretize"),
    ],
)
def test_probabilities_are_those_of_weka(shared, name, key, version):
    X, y, account = oracle(shared, name, version)
    model = DiscreteNB(m="levels", prior="laplace").fit(X, y)
    assert model.classes_.tolist() == account["class_values"]
    assert_allclose(model.predict_proba(X), account[key]["train_dist"], rtol=1e-10, atol=1e-12)
    assert (model.predict(X) == y).sum() == account[key]["train_correct"]


@pytest.mark.parametrize("version", VERSIONS)
def test_predictions_of_its_ten_folds_are_those_of_weka(shared, version):
    X, y, account = oracle(shared, "nominal", version)
    fold_of_row = np.array(account["cv10_seed1_fold_of_row"])
    predicted = np.empty(len(y), dtype=object)
    for fold in range(10):
        test = fold_of_row == fold
        model = DiscreteNB(m="levels", prior="laplace").fit(X[~test], y[~test])
        predicted[test] = model.predict(X[test])
    expected = [account["class_values"][int(k)] for k in account["NaiveBayes"]["cv_pred"]]
    assert predicted.tolist() == expected
