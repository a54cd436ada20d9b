"""Weights of WEKA's ReliefF, on tables of levels, of numbers, of both with gaps; and RReliefF."""

import pytest
from numpy.testing import assert_allclose

from tests.oracles import columns_and_target, read_weka
from thresher.columns import read_columns
from thresher.evaluators import make_target
from thresher.filters._relief_weights import relief_table, relief_weights

OPTIONS = {
    "ReliefF_all_k10": {"n_neighbors": 10},
    "ReliefF_all_k1": {"n_neighbors": 1},
    "ReliefF_all_k10_weighted_sigma2": {"n_neighbors": 10, "sigma": 2.0},
}


@pytest.mark.parametrize("data", ["nominal", "numeric", "mixed_missing", "regression"])
@pytest.mark.parametrize("key", OPTIONS)
def test_weights_are_those_of_weka(data, key):
    X, y = columns_and_target(data)
    table = relief_table(read_columns(X))
    target = make_target(y, classifier=data != "regression")
    weights = relief_weights(table, target, **OPTIONS[key])
    assert_allclose(weights[0], read_weka(data)[key]["scores"], rtol=0, atol=1e-13)
