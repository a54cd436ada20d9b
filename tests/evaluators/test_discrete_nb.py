"""Fast losses of `DiscreteNB`, and of what is left of a base after removals."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit
from sklearn.naive_bayes import BernoulliNB, CategoricalNB

from tests.naive import naive_bayes as naive
from thresher.evaluators import Flips, Removals, evaluator_for
from thresher.evaluators._discrete_nb import DiscreteNBEvaluator
from thresher.evaluators._estimator import EstimatorEvaluator
from thresher.evaluators._folds import each_fold
from thresher.learners import DiscreteNB
from thresher.testing import check_evaluator

KFOLD = KFold(3, shuffle=True, random_state=1)
SETTINGS = [
    {},
    {"m": "levels", "prior": "laplace", "n_bins": 4},
    {"m": 0, "binning": "width", "n_bins": 5},
    {"m": 1e-30, "prior": "uniform", "n_bins": 3},
]


def mixed_table(seed, n_rows=36, *, numbers=True):
    """Columns of all kinds with gaps, rare levels and rare classes."""
    rng = np.random.default_rng(seed)
    y = rng.choice(4, n_rows, p=[0.5, 0.3, 0.15, 0.05])
    y[:2] = 0, 1

    def with_gaps(values, share):
        return np.where(rng.random(n_rows) < share, None, values)

    table = {
        "few": rng.integers(0, 4, n_rows) * 1.5 + (y == 1),
        "flag": rng.random(n_rows) < 0.2 + 0.3 * (y == 2),
        "single": np.where(np.arange(n_rows) == 7, 3.0, rng.integers(0, 2, n_rows) * 5.0),
        "kind": pd.Categorical(with_gaps(rng.choice(list("abcdef"), n_rows), 0.2)),
        "text": pd.Series(with_gaps(np.char.add("t", y.astype(str)), 0.4), dtype="str"),
        "sparse": np.where(rng.random(n_rows) < 0.9, np.nan, rng.integers(0, 3, n_rows)),
        "empty": np.full(n_rows, np.nan),
    }
    if numbers:
        table["smooth"] = rng.normal(size=n_rows) + y
        table["gaps"] = np.where(rng.random(n_rows) < 0.3, np.nan, rng.normal(size=n_rows).round(1))
        table["tied"] = np.maximum(rng.normal(size=n_rows), 0.5)
    return pd.DataFrame(table), y


def fast_and_slow(learner, X, y, **options):
    fast = evaluator_for(learner, X, y, **options)
    slow = evaluator_for(learner, X, y, fast=False, **options)
    assert isinstance(fast, DiscreteNBEvaluator)
    return fast, slow


@pytest.mark.parametrize("loss", ["zero_one", "log"])
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("cv", [KFOLD, "loo"])
def test_losses_are_those_of_refitting(cv, setting, loss):
    X, y = mixed_table(len(str(setting)), n_rows=10 if cv == "loo" else 36, numbers=cv != "loo")
    if cv == "loo":
        X = X.drop(columns="few") if setting.get("n_bins", 10) < 6 else X
    options = {"cv": cv, "loss": loss, "feature_groups": [["kind", "flag"]]}
    fast, slow = fast_and_slow(DiscreteNB(**setting), X, y, **options)
    n = fast.n_variables
    subsets = [
        frozenset({0}),
        frozenset({1, n - 1}),
        frozenset(range(1, n, 2)),
        frozenset(range(n)),
    ]
    found, expected = fast.losses(subsets), slow.losses(subsets)
    if loss == "zero_one":
        assert_array_equal(found, expected)
    else:
        assert_allclose(found, expected, atol=1e-9)
    flips = Flips(subsets[2], range(n))
    assert_array_equal(fast.losses(flips), fast.losses(list(flips)))


def test_an_only_row_left_out_leaves_its_level_to_the_neighbour():
    X = np.array([0.0, 0, 0, 1, 1, 1, 5, 6, 6, 9])[:, None]
    y = np.array([0, 0, 1, 1, 1, 0, 0, 1, 1, 1])
    for m in (1.0, 0, "levels"):
        fast, slow = fast_and_slow(DiscreteNB(m=m), X, y, cv="loo", loss="log")
        assert_allclose(fast.losses([{0}]), slow.losses([{0}]), atol=1e-12)


def test_sparse_tables_and_folds_that_miss_rows():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 50)
    X = scipy.sparse.csr_matrix((rng.random((50, 6)) < 0.2 + 0.2 * y[:, None]).astype(float))
    cv = ShuffleSplit(1, test_size=0.4, random_state=0)
    fast, slow = fast_and_slow(DiscreteNB(), X, y, cv=cv, loss="brier")
    removals = Removals(frozenset(range(6)), [frozenset({0, 1}), frozenset({4})])
    assert_allclose(fast.losses(removals), slow.losses(removals), atol=1e-12)
    assert np.isnan(fast.losses(removals)).any()


def test_threads_and_conformance():
    X, y = mixed_table(3)
    one, two = (evaluator_for(DiscreteNB(), X, y, cv=KFOLD, loss="log", n_jobs=n) for n in (1, 2))
    removals = Removals(frozenset(range(9)), [frozenset({k, (3 * k + 1) % 9}) for k in range(9)])
    assert_array_equal(one.losses(removals), two.losses(removals))
    check_evaluator(two)


@pytest.mark.parametrize(
    ("learner", "options"),
    [
        (DiscreteNB(), {"cv": RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)}),
        (DiscreteNB(n_bins=3), {"cv": "loo"}),
        (DiscreteNB(), {"sample_weight": np.ones(36), "cv": KFOLD}),
        (DiscreteNB(m=-1), {"cv": KFOLD}),
    ],
)
def test_what_is_left_to_refitting(learner, options):
    X, y = mixed_table(0)
    assert isinstance(evaluator_for(learner, X, y, **options), EstimatorEvaluator)


# --- removals -------------------------------------------------------------------------------------

LEARNERS = [DiscreteNB(), DiscreteNB(m=0), BernoulliNB(binarize=1.5), CategoricalNB()]


def levels_table(n_rows=90, n_columns=12, seed=2):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    return np.clip(rng.integers(0, 3, (n_rows, n_columns)) + (y == 1)[:, None], 0, 3) * 1.0, y


def walk(rng, n_variables, n_steps):
    """A random elimination that starts over and goes back now and then: bases and removals."""
    everything = frozenset(range(n_variables))
    base, before = everything, [everything]
    for _ in range(n_steps):
        n_sets = rng.integers(1, 4)
        sizes = rng.integers(0, len(base) + 1, n_sets)
        removed = [frozenset(rng.choice(sorted(base), k, replace=False).tolist()) for k in sizes]
        yield Removals(base, removed)
        nexts = [base - removed[0], before[rng.integers(len(before))], frozenset(set(base)), base]
        base = nexts[rng.integers(4)] or everything
        before.append(base)


REPEATED = RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)
FAST = [
    (learner, cv)
    for learner in LEARNERS
    for cv in (4, "loo", REPEATED)
    if not (isinstance(learner, DiscreteNB) and cv is REPEATED)  # left to refitting
]


@pytest.mark.parametrize(("learner", "cv"), FAST)
def test_walks_of_removals_leave_no_trace(learner, cv):
    X, y = levels_table()
    groups = [[0, 3], [5, 1, 2]]
    for loss in ("zero_one", "log"):
        options = {"cv": cv, "loss": loss, "feature_groups": groups}
        judges = [evaluator_for(learner, X, y, n_jobs=n, **options) for n in (1, 2)]
        fresh = evaluator_for(learner, X, y, **options)
        rng = np.random.default_rng(4)
        for removals in walk(rng, judges[0].n_variables, 12):
            expected = fresh.losses(list(removals))
            rows = rng.integers(0, len(y), 7)
            for judge in judges:
                assert_array_equal(judge.losses(removals), expected)
                assert_array_equal(judge.losses(removals, rows=rows), expected[:, rows])
        assert judges[0].n_fits == judges[1].n_fits


def test_removals_are_counted_as_the_same_subsets_in_a_list():
    X, y = levels_table()
    removals = Removals(frozenset(range(12)), [frozenset({0, 1}), frozenset()])
    for cv in (4, "loo"):
        one, other = (evaluator_for(DiscreteNB(), X, y, cv=cv) for _ in range(2))
        one.losses(removals)
        other.losses(list(removals))
        assert (one.n_losses, one.n_fits) == (other.n_losses, other.n_fits)


@pytest.mark.parametrize("m", [1.0, 0])
def test_removals_equal_the_naive_twin(m):
    X, y = levels_table(n_rows=45, n_columns=6)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    for loss in ("zero_one", "brier"):
        judge = evaluator_for(DiscreteNB(m=m), X, y, cv=3, loss=loss)
        removals = Removals(frozenset(range(6)), [frozenset({1, 4}), frozenset({0, 2, 5})])
        expected = np.empty((2, len(y)))
        for k, subset in enumerate(removals):
            Z = X[:, sorted(subset)]
            for fold in each_fold(judge.problem.folds):
                for r in fold.test:
                    scores = naive.m_estimate_scores(Z[fold.train], y[fold.train], Z[r], 3, m)
                    if np.isinf(scores).all():
                        scores = np.log(np.bincount(y[fold.train], minlength=3))
                    expected[k, r] = naive.loss_of_scores(loss, scores, y[r])
        assert_allclose(judge.losses(removals), expected, atol=1e-9)


def test_threads_may_ask_for_different_bases_at_once():
    X, y = levels_table()
    judge, fresh = (evaluator_for(DiscreteNB(), X, y, cv=3, loss="log") for _ in range(2))
    families = list(walk(np.random.default_rng(1), 12, 60))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(judge.losses, families))
    for family, losses in zip(families, found, strict=True):
        assert_array_equal(losses, fresh.losses(list(family)))


def test_positions_of_a_base_are_checked():
    X, y = levels_table()
    judge = evaluator_for(DiscreteNB(), X, y)
    base = frozenset({3, 12})
    for _ in range(2):
        with pytest.raises(ValueError, match="positions of variables"):
            judge.losses(Removals(base, [frozenset({3})]))
