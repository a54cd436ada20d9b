"""WEKA's numbers: information, cut points, merits, and the subsets of CFS and FCBF."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris

from tests.oracles import columns_and_target, read_table, read_weka
from thresher.columns import read_columns
from thresher.filters import CFS, FCBF, GainRatio, MDLDiscretizer
from thresher.searches import Backward

CLASSES = ["nominal", "numeric", "mixed_missing"]
SCORES = {
    "InfoGainAttributeEval": "information-gain",
    "GainRatioAttributeEval": "gain-ratio",
    "SymmetricalUncertAttributeEval": "symmetrical-uncertainty",
}
#: WEKA keeps correlations as 32-bit floats
SINGLE = 1e-6


def read(data):
    return *columns_and_target(data), read_weka(data)


def cfs_of(data, **options):
    """CFS with the settings of WEKA."""
    task = "regression" if data == "regression" else "classification"
    return CFS(standardize=False, task=task, **options)


def evaluator_of(cfs, X, y):
    return cfs._evaluator(read_columns(X), y, seed=0)


@pytest.mark.parametrize("data", CLASSES)
@pytest.mark.parametrize("missing", ["spread", "separate"])
@pytest.mark.parametrize("key", SCORES)
def test_scores_are_those_of_weka(data, key, missing):
    X, y, oracle = read(data)
    expected = oracle[key if missing == "spread" else f"{key}_missing_separate"]["scores"]
    found = GainRatio(criterion=SCORES[key], missing=missing).fit(X, y)
    assert_allclose(found.scores_, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("data", CLASSES)
def test_cut_points_are_those_of_weka(data):
    X, y, oracle = read(data)
    found = dict(zip(X.columns, MDLDiscretizer().fit(X, y).cut_points_, strict=True))
    numbers = {name: cuts for name, cuts in found.items() if cuts is not None}
    expected = oracle["mdl_cut_points"]
    assert numbers.keys() == expected.keys()
    for name, cuts in numbers.items():
        assert_allclose(cuts, expected[name], rtol=0, atol=1e-9)


def test_cut_points_of_iris():
    cuts = MDLDiscretizer().fit(*load_iris(return_X_y=True)).cut_points_
    expected = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    for found, published in zip(cuts, expected, strict=True):
        assert_allclose(found, published, rtol=0, atol=1e-12)


@pytest.mark.parametrize("data", CLASSES)
def test_pairs_are_as_uncertain_as_in_weka(data):
    X, y, _ = read(data)
    pairs = read_table(f"{data}.su_pairs")
    target = read_table(data, nrows=0).columns[-1]
    correlations = evaluator_of(cfs_of(data), X, y).correlations
    place = {name: k for k, name in enumerate(X.columns)}
    assert len(pairs) >= len(place) * (len(place) - 1) // 2
    for one, other, expected in pairs.itertuples(index=False):
        if target in (one, other):
            found = correlations.with_target[place[one if other == target else other]]
        else:
            j, k = place[one], place[other]
            if correlations.flat[j] or correlations.flat[k]:
                assert expected == 0  # a merit counts it as 1
                continue
            found = correlations.with_column(j)[k]
            assert_allclose(correlations.with_column(k)[j], expected, rtol=0, atol=1e-9)
        assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("data", [*CLASSES, "regression"])
@pytest.mark.parametrize("missing", ["spread", "separate"])
def test_merits_are_those_of_weka(data, missing):
    X, y, oracle = read(data)
    listed = oracle["CFS" if missing == "spread" else "CFS_missing_separate"]["subsets"]
    evaluator = evaluator_of(cfs_of(data, missing=missing), X, y)
    found = evaluator.merits([frozenset(subset["atts0"]) for subset in listed])
    assert_allclose(found, [subset["merit"] for subset in listed], rtol=0, atol=SINGLE)


@pytest.mark.parametrize("data", [*CLASSES, "regression"])
@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("CFS_BestFirst", {"locally_predictive": True}),
        ("CFS_L_BestFirst", {}),
        ("CFS_Greedy", {"search": "greedy"}),
        ("CFS_GreedyBack", {"search": Backward()}),
        ("CFS_Genetic", {"search": "genetic", "random_state": 0}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_subsets_are_those_of_weka(data, key, options):
    X, y, oracle = read(data)
    expected = oracle[key]
    cfs = cfs_of(data, **options).fit(X, y)
    if key != "CFS_Genetic":  # which draws its own numbers
        assert set(cfs.selection_.selected) == set(expected["selected"])
        assert cfs.merit_ == pytest.approx(expected["merit"], abs=SINGLE)
    assert cfs.merit_ >= expected["merit"] - SINGLE


@pytest.mark.parametrize("data", [*CLASSES, "regression"])
def test_no_subset_is_better_than_that_of_exhaustive_search(data):
    X, y, oracle = read(data)
    expected = oracle["CFS_Exhaustive"]
    evaluator, n = evaluator_of(cfs_of(data), X, y), X.shape[1]
    subsets = [frozenset(s) for size in range(1, n + 1) for s in combinations(range(n), size)]
    merits = evaluator.merits(subsets)
    assert merits.max() == pytest.approx(expected["merit"], abs=SINGLE)
    best = {X.columns[p] for p in subsets[int(np.argmax(merits))]}
    assert best == set(expected["selected"])


@pytest.mark.parametrize("data", CLASSES)
@pytest.mark.parametrize(("key", "threshold"), [("FCBF", 0.0), ("FCBF_T0.01", 0.01)])
def test_fcbf_selects_the_columns_of_weka_in_their_order(data, key, threshold):
    X, y, oracle = read(data)
    found = FCBF(threshold=threshold).fit(X, y).selection_
    assert list(found.selected) == oracle[key]["selected"]
