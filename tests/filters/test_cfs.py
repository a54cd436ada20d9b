"""CFS against merits and best subsets written out, and what it says about each column."""

import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from tests.filters.tables import messy, numbers, verdicts
from tests.naive.information import merit, symmetrical_uncertainty
from thresher import searches
from thresher.columns import read_columns, with_groups
from thresher.evaluators import Flips
from thresher.filters import CFS
from thresher.selectors import named
from thresher.testing import check_evaluator


def evaluator_of(X, y, *, feature_groups=None, keep=(), **options):
    columns = with_groups(read_columns(X), feature_groups, keep)
    return CFS(**options)._evaluator(columns, y, seed=0)


def levels(seed, n_rows=80, n_columns=6):
    """A table of categories as a frame, some of them near to the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n_rows)
    codes = rng.integers(4, size=(n_columns, n_rows))
    for j in range(3):
        near = rng.random(n_rows) < 0.3 + 0.15 * j
        codes[j, near] = y[near]
    codes[4] = np.where(rng.random(n_rows) < 0.8, codes[2], codes[4])
    return codes, y


def as_text(codes):
    return pd.DataFrame({f"c{j}": [f"v{k}" for k in column] for j, column in enumerate(codes)})


def subsets_of(n):
    return [frozenset(s) for size in range(1, n + 1) for s in combinations(range(n), size)]


@pytest.mark.parametrize("seed", range(5))
def test_merits_and_the_best_subset_are_those_of_the_definition(seed):
    codes, y = levels(seed)
    columns = [column.tolist() for column in codes]
    with_target = [symmetrical_uncertainty(y.tolist(), column) for column in columns]

    def pair(i, j):
        return symmetrical_uncertainty(columns[i], columns[j])

    subsets = subsets_of(len(columns))
    expected = np.array([merit(subset, with_target, pair) for subset in subsets])
    found = evaluator_of(as_text(codes), y).merits(subsets)
    assert_allclose(found, expected, rtol=0, atol=1e-12)
    cfs = CFS().fit(as_text(codes), y)
    assert cfs.merit_ == pytest.approx(expected.max(), abs=1e-12)
    assert_allclose(cfs.scores_, with_target, rtol=0, atol=1e-12)


@pytest.mark.parametrize("standardize", [True, False])
def test_linear_merits_are_correlations_of_sums(standardize):
    X, _, y = numbers(n_columns=6)
    X = X * [1, 10, 0.1, 1, 3, 1]
    weights = np.ones(6) if standardize else X.std(axis=0)
    within, with_target = np.abs(np.corrcoef(X.T)), np.abs(np.corrcoef(X.T, y)[-1, :-1])
    evaluator = evaluator_of(X, y, standardize=standardize)
    for subset, found in zip(subsets_of(6), evaluator.merits(subsets_of(6)), strict=True):
        s = sorted(subset)
        w = weights[s]
        expected = w @ with_target[s] / np.sqrt(w @ within[np.ix_(s, s)] @ w)
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("options", [{}, {"correlation": "pearson"}, {"missing": "separate"}])
@pytest.mark.parametrize("groups", [None, {"g": ["x", "city"], "h": ["gaps", "level", "flag"]}])
@pytest.mark.parametrize("keep", [(), ("noise", "gone")])
def test_merits_of_flips_are_merits_of_subsets(options, groups, keep):
    evaluator = evaluator_of(*messy(), feature_groups=groups, keep=keep, **options)
    columns = evaluator.problem.columns
    rng = np.random.default_rng(0)
    for size in range(columns.n_variables + 1):
        base = columns.required.union(rng.choice(columns.n_variables, size, False).tolist())
        free = [v for v in range(columns.n_variables) if v not in columns.required]
        flips = Flips(base, free)
        assert_allclose(evaluator.merits(flips), evaluator.merits(list(flips)), atol=1e-12)
    assert len(evaluator.merits(Flips(columns.required, []))) == 0


def test_the_evaluator_conforms():
    X, y, _ = numbers()
    check_evaluator(evaluator_of(X, y))
    check_evaluator(evaluator_of(X, y, feature_groups={"g": [0, 3]}))


@pytest.mark.parametrize("scale", [1e-300, 1e-7, 1e7, 1e300])
@pytest.mark.parametrize("standardize", [True, False])
def test_units_that_all_columns_share_do_not_matter(scale, standardize):
    X, _, y = numbers()
    plain = CFS(standardize=standardize).fit(X, y)
    scaled = CFS(standardize=standardize).fit(X * scale, y * scale)
    assert scaled.selection_.selected == plain.selection_.selected
    assert scaled.merit_ == pytest.approx(plain.merit_, rel=1e-9)


def test_small_columns_next_to_large_ones_have_a_merit_of_their_own():
    X, _, y = numbers(n_columns=5)
    evaluator = evaluator_of(X * [1, 1e-8, 1, 1, 1], y, standardize=False)
    alone = evaluator_of(X, y).merits([frozenset({1})])
    assert_allclose(evaluator.merits([frozenset({1})]), alone, rtol=1e-9)


def test_where_numbers_begin_does_not_matter():
    X, _, y = numbers()
    moved = CFS().fit(X + 1e12, y)
    assert moved.selection_.selected == CFS().fit(X, y).selection_.selected


def test_few_correlations_are_computed():
    X, y, _ = numbers(n_rows=500, n_columns=500)
    for groups in (None, {"g": [10, 11, 12]}):
        cfs = CFS(feature_groups=groups).fit(X, y)
        assert cfs.support_[[1, 4]].all()
        assert cfs.n_correlations_ < 20 * 500


def numbers_in(text):
    return [float(found) for found in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)]


@pytest.mark.parametrize("options", [{}, {"correlation": "pearson"}, {"search": "greedy"}])
def test_reasons_are_true(options):
    X, y = messy()
    cfs = CFS(**options).fit(X, y)
    evaluator = evaluator_of(X, y, **options)
    found, place = evaluator.correlations, {name: p for p, name in enumerate(X.columns)}
    chosen = frozenset(place[name] for name in cfs.selection_.selected)
    best = evaluator.merits([chosen])[0]
    assert cfs.merit_ == pytest.approx(best)
    kinds = set()
    for name, verdict in verdicts(cfs).items():
        if verdict.reason == "constant":
            continue
        p = place[name]
        told = found.with_target[p]
        other = evaluator.merits([chosen ^ {p}])[0]
        if "nothing" in verdict.reason:
            assert told == 0
        elif verdict.kind == "relevant":
            assert numbers_in(verdict.reason) == pytest.approx([told, best, other], rel=0.05)
        elif verdict.kind == "redundant":
            near = found.with_column(place[verdict.masked_by])[p]
            assert f"closer to {verdict.masked_by} " in verdict.reason
            assert numbers_in(verdict.reason)[-2:] == pytest.approx([near, told], rel=0.05)
            assert near > told
        elif "chance" in verdict.reason:
            assert found.doubtful[p]
        else:
            assert numbers_in(verdict.reason) == pytest.approx([told, abs(best - other)], rel=0.05)
        kinds.add(verdict.kind)
    assert kinds == {"relevant", "redundant", "irrelevant"}


@pytest.mark.parametrize("correlation", ["symmetrical-uncertainty", "pearson"])
@pytest.mark.parametrize("kept", ["level", "gone"])
def test_keeping_a_constant_column_changes_nothing_else(correlation, kept):
    X, y = messy()
    plain = CFS(correlation=correlation).fit(X, y)
    keeping = CFS(correlation=correlation, keep=[kept]).fit(X, y)
    assert set(keeping.selection_.selected) == {*plain.selection_.selected, kept}
    others = [name for name in X.columns if name != kept]
    assert [verdicts(keeping)[n] for n in others] == [verdicts(plain)[n] for n in others]


def test_the_target_among_the_columns_is_enough():
    X, y, _ = numbers()
    X[:, 0] = y
    X[:, 7] = 1 - y
    cfs = CFS().fit(X, y)
    assert cfs.support_.sum() == 1
    assert cfs.merit_ == pytest.approx(1)
    assert verdicts(cfs)["x7"].reason == "as close to x0 (1) as to the target (1)"


def test_local_predictors_are_added():
    X, y = messy()
    plain, more = CFS().fit(X, y), CFS(locally_predictive=True).fit(X, y)
    assert plain.support_[more.support_].sum() == plain.n_features_
    found = evaluator_of(X, y).correlations
    for p in np.flatnonzero(more.support_ & ~plain.support_):
        for q in np.flatnonzero(plain.support_):
            assert found.with_column(q)[p] <= found.with_target[p]


@pytest.mark.parametrize("name", ["greedy", *named(searches, searches.SearchStrategy)])
def test_any_search_will_do(name):
    X, y, _ = numbers()
    cfs = CFS(search=name, random_state=0).fit(X, y)
    alone, both = evaluator_of(X, y).merits([frozenset({1}), frozenset({1, 4})])
    if name == "randomized-elimination":  # is for many columns, and may lose one of two
        assert cfs.merit_ >= alone - 1e-12
        return
    assert cfs.selection_.selected == ("x1", "x4")
    assert cfs.merit_ == pytest.approx(both)


def test_schemata_of_many_columns_are_refused():
    X, y, _ = numbers(n_columns=20)
    with pytest.raises(ValueError, match="schemata with more than 12 must be raced"):
        CFS(search="schemata").fit(X, y)


def test_a_ranking_is_one_by_the_correlation_with_the_target():
    X, y, _ = numbers()
    cfs = CFS(search=searches.Ranked(n_features=3)).fit(X, y)
    assert cfs.n_features_ == 3
    assert cfs.scores_[cfs.support_].min() >= cfs.scores_[~cfs.support_].max()
    given = CFS(search=searches.Ranked(order=(7, 6))).fit(X, y)
    assert not given.support_[:6].any()


@pytest.mark.parametrize("correlation", ["symmetrical-uncertainty", "pearson"])
def test_identifiers_tell_nothing_and_take_no_memory(correlation):
    rng = np.random.default_rng(0)
    n = 20_000  # a number for each pair of rows would take 3 GB
    x = rng.normal(size=n)
    X = pd.DataFrame({"id": [f"row {i}" for i in range(n)], "x": x, "noise": rng.normal(size=n)})
    cfs = CFS(correlation=correlation).fit(X, x + rng.normal(size=n))
    assert cfs.selection_.selected == ("x",)
    assert verdicts(cfs)["id"].score == 0
    assert "20000 levels in 20000 rows" in verdicts(cfs)["id"].reason


def test_a_column_that_is_the_target_in_another_unit():
    for seed in range(20):
        X = np.random.default_rng(seed).normal(size=(40, 3))
        found = CFS().fit(X, 2 * X[:, 1])
        assert found.support_.tolist() == [False, True, False]
        assert found.selection_.verdicts[1].p_value < 1e-12
