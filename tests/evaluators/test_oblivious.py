"""Exact losses of oblivious trees: against refitting, and against the naive twin."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import RepeatedKFold, ShuffleSplit

from tests.naive import oblivious as naive
from thresher.evaluators import Flips, Removals, _oblivious, evaluator_for
from thresher.learners import ObliviousTree, ObliviousTreeRegressor
from thresher.testing import check_evaluator

KINDS = ["bits", "steps", "numbers", "gaps", "mixed", "levels"]
N_ROWS, N_COLUMNS = 12, 4


def table_of(kind, n_rows=N_ROWS, n_columns=N_COLUMNS, seed=0):
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    shape = (n_rows, n_columns)
    if kind == "bits":
        X = rng.integers(0, 2, shape) * 1.0
        X[:, 1] = 0.0
        X[4, 1] = 1.0  # without this row the column is constant
        return X
    if kind == "steps":
        return rng.integers(0, 4, shape) * 1.0
    if kind == "numbers":
        return rng.normal(size=shape)
    if kind == "gaps":
        X = np.where(rng.random(shape) < 0.25, np.nan, rng.normal(size=shape))
        X[:, 2] = np.nan
        X[7, 2] = 1.0  # without this row nothing is known
        return X
    names = [f"x{j}" for j in range(n_columns)]
    levels = pd.DataFrame(rng.choice(["a", "b", "c"], shape), columns=names)
    levels = levels.mask(rng.random(shape) < 0.15)
    if kind == "mixed":
        for name in names[::2]:
            levels[name] = rng.normal(size=n_rows)
    return levels


def cells(X):
    """Rows as the naive twin takes them."""
    rows = X.to_numpy(dtype=object).tolist() if isinstance(X, pd.DataFrame) else X.tolist()
    return [tuple(None if pd.isna(cell) else cell for cell in row) for row in rows]


def both(kind, loss, **options):
    X = table_of(kind)
    rng = np.random.default_rng(1)
    classes = loss in ("zero_one", "log", "brier")
    y = rng.integers(0, 3, N_ROWS) if classes else rng.normal(size=N_ROWS)
    learner = ObliviousTree() if classes else ObliviousTreeRegressor()
    fast = evaluator_for(learner, X, y, loss=loss, **options)
    assert type(fast).__name__ == "ObliviousEvaluator"
    return fast, evaluator_for(learner, X, y, loss=loss, fast=False, **options)


def families(n):
    everything = frozenset(range(n))
    yield Flips(everything, range(n))
    yield Flips(frozenset({0, 2}), [1, 2])
    yield Removals(everything, [frozenset({0, 1}), frozenset()])
    yield [frozenset({0, 1}), frozenset({2})]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("loss", ["zero_one", "squared"])
@pytest.mark.parametrize("cv", ["loo", 3])
def test_losses_are_those_of_refitting(kind, loss, cv):
    fast, slow = both(kind, loss, cv=cv)
    # frames are slow to refit on, a row at a time
    rows = np.arange(0, N_ROWS, 4) if kind in ("mixed", "levels") else np.arange(N_ROWS)
    for family in families(N_COLUMNS):
        found = fast.losses(family)[:, rows]
        assert_allclose(found, slow.losses(list(family), rows), atol=1e-12)


@pytest.mark.parametrize("loss", ["log", "brier", "absolute"])
def test_other_losses_are_those_of_refitting(loss):
    fast, slow = both("steps", loss, cv="loo")
    for family in families(N_COLUMNS):
        assert_allclose(fast.losses(family), slow.losses(list(family)), rtol=1e-9)


@pytest.mark.parametrize("kind", ["bits", "gaps", "mixed"])
@pytest.mark.parametrize("cv", ["loo", 3])
def test_groups_of_columns_move_together(kind, cv):
    groups = {"pair": ["x0", "x3"]}
    fast, slow = both(kind, "zero_one", cv=cv, feature_groups=groups)
    assert fast.n_variables == N_COLUMNS - 1
    rows = np.arange(0, N_ROWS, 3)
    for family in families(N_COLUMNS - 1):
        assert_array_equal(fast.losses(family)[:, rows], slow.losses(list(family), rows))


def test_rows_held_out_twice_or_never():
    for cv in (
        RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
        ShuffleSplit(2, random_state=0),
    ):
        fast, slow = both("numbers", "squared", cv=cv)
        flips = Flips(frozenset(range(4)), range(N_COLUMNS))
        assert_allclose(fast.losses(flips), slow.losses(list(flips)), rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_leave_one_out_errors_are_those_of_the_naive_twin(kind):
    X, y = table_of(kind), np.random.default_rng(2).integers(0, 2, N_ROWS)
    evaluator = evaluator_for(ObliviousTree(), X, y, cv="loo")
    flips = Flips(frozenset(range(N_COLUMNS)), range(N_COLUMNS))
    expected = [naive.errors(cells(X), y.tolist(), sorted(subset)) for subset in flips]
    assert evaluator.losses(flips).sum(axis=1).tolist() == expected


@pytest.mark.parametrize("kind", ["bits", "numbers", "mixed"])
def test_distances_that_were_updated_are_those_made_anew(kind):
    X, y = table_of(kind, 40, 7), np.random.default_rng(3).integers(0, 2, 40)
    walker = evaluator_for(ObliviousTree(), X, y, cv="loo")
    rng = np.random.default_rng(4)
    base = frozenset(range(7))
    for step in range(60):  # more bases than are remembered
        base = frozenset(rng.choice(7, rng.integers(1, 8), replace=False).tolist())
        rows = np.sort(rng.choice(40, 11, replace=False)) if step % 3 else None
        flips = Flips(base, [v for v in range(7) if base != {v}])
        fresh = evaluator_for(ObliviousTree(), X, y, cv="loo")
        assert_array_equal(walker.losses(flips, rows), fresh.losses(list(flips), rows))


@pytest.mark.parametrize("kind", ["bits", "gaps"])
@pytest.mark.parametrize("cv", ["loo", 3])
def test_nothing_depends_on_whether_distances_are_kept(kind, cv, monkeypatch):
    kept, _ = both(kind, "log", cv=cv)
    expected = [kept.losses(family) for family in families(N_COLUMNS)]
    for limit in (N_ROWS * N_ROWS, 0):  # codes only; nothing
        monkeypatch.setattr(_oblivious, "_KEPT_BYTES", limit * 20)
        monkeypatch.setattr(_oblivious, "_BLOCK_CELLS", 100)
        again, _ = both(kind, "log", cv=cv)
        for family, losses in zip(families(N_COLUMNS), expected, strict=True):
            assert_array_equal(again.losses(family), losses)


@pytest.mark.parametrize("cv", ["loo", 3])
def test_nothing_depends_on_the_number_of_threads(cv):
    one, _ = both("mixed", "brier", cv=cv, n_jobs=1)
    two, _ = both("mixed", "brier", cv=cv, n_jobs=2)
    for family in families(N_COLUMNS):
        assert_array_equal(one.losses(family), two.losses(family))
        rows = np.arange(0, N_ROWS, 5)
        assert_array_equal(one.losses(family, rows), two.losses(family, rows))
    assert (one.n_losses, one.n_fits) == (two.n_losses, two.n_fits)


@pytest.mark.parametrize("cv", ["loo", 3])
def test_threads_do_not_move_the_distances_of_each_other(cv):
    X, y = table_of("steps", 400, 6), np.random.default_rng(7).integers(0, 2, 400)
    one, two = (evaluator_for(ObliviousTree(), X, y, cv=cv, n_jobs=k) for k in (1, 2))
    rng = np.random.default_rng(8)
    for _ in range(40):  # of two subsets, each thread has one
        pair = [frozenset(rng.choice(6, 3, replace=False).tolist()) for _ in range(2)]
        assert_array_equal(one.losses(pair), two.losses(pair))


def test_draws_are_losses_of_single_rows():
    for kind in ("bits", "mixed"):
        evaluator, _ = both(kind, "zero_one", cv="loo")
        rng = np.random.default_rng(5)
        masks, units = rng.random((50, N_COLUMNS)) < 0.5, rng.integers(0, N_ROWS, 50)
        subsets = [frozenset(np.flatnonzero(mask).tolist()) for mask in masks]
        expected = evaluator.losses(subsets)[np.arange(50), units]
        assert_array_equal(evaluator.draw_losses(masks, units), expected)


@pytest.mark.parametrize("loss", ["zero_one", "absolute"])
@pytest.mark.parametrize("cv", ["loo", 2])
def test_it_conforms(loss, cv):
    check_evaluator(both("mixed", loss, cv=cv)[0])


def test_many_columns_take_wider_numbers():
    rng = np.random.default_rng(6)
    X, y = rng.random((6, 2100)), np.arange(6) % 2
    fast = evaluator_for(ObliviousTree(), X, y, cv="loo")
    slow = evaluator_for(ObliviousTree(), X, y, cv="loo", fast=False)
    assert fast._table.dtype == np.int64
    flips = Flips(frozenset(range(2100)), [0, 2099])
    assert_array_equal(fast.losses(flips), slow.losses(list(flips)))


def test_weights_and_scorers_are_left_to_refitting():
    X, y = table_of("bits"), np.arange(N_ROWS) % 2
    weighted = evaluator_for(ObliviousTree(), X, y, sample_weight=np.ones(N_ROWS))
    scored = evaluator_for(ObliviousTree(), X, y, scoring="roc_auc")
    assert type(weighted).__name__ == "EstimatorEvaluator"
    assert type(scored).__name__ == "ScorerEvaluator"


def test_the_span_of_losses_is_known():
    assert both("bits", "zero_one", cv="loo")[0].loss_span == 1.0
    fast, _ = both("bits", "absolute", cv="loo")
    assert fast.loss_span == pytest.approx(np.ptp(fast.problem.target.values))
