"""Values of a table found once, and their counts in all training parts, one by one."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.model_selection import KFold, ShuffleSplit, TimeSeriesSplit

from thresher.columns import read_columns
from thresher.evaluators import Loss, Problem, evaluator_for, make_folds, make_target
from thresher.evaluators._discrete_cells import look_at
from thresher.evaluators._discrete_groups import RowGroups
from thresher.learners import DiscreteNB

N_ROWS = 40


def bootstrap(n_rows, seed=0):
    """Folds that train on some rows twice and on others never."""
    rng = np.random.default_rng(seed)
    for test in np.array_split(rng.permutation(n_rows), 3):
        others = np.setdiff1d(np.arange(n_rows), test)
        yield rng.choice(others, len(others)), test[: len(test) // 2]


def rare_values(seed=0):
    """Columns of one, two and more values with gaps; some values occur in one row only."""
    rng = np.random.default_rng(seed)
    table = np.column_stack(
        [
            np.full(N_ROWS, 2.0),
            rng.integers(0, 2, N_ROWS) - 0.5,
            np.arange(N_ROWS) == 3,
            np.where(rng.random(N_ROWS) < 0.2, np.nan, rng.integers(0, 2, N_ROWS)),
            np.where(np.arange(N_ROWS) < 9, np.arange(N_ROWS), 4.0),
            np.full(N_ROWS, np.nan),
            rng.normal(size=N_ROWS),
        ]
    )
    return table, rng.integers(0, 3, N_ROWS)


@pytest.mark.parametrize("order", ["C", "F"])
def test_codes_number_the_values(order):
    X = np.asarray(rare_values()[0], order=order)
    cells = look_at(read_columns(X), n_bins=10)
    assert cells.binned.tolist() == [6]
    for j in range(6):
        known = ~np.isnan(X[:, j])
        values, numbers = np.unique(X[known, j], return_inverse=True)
        assert cells.n_values[j] == len(values)
        assert_array_equal(cells.found[j, : len(values)], values)
        assert_array_equal(cells.codes[j, known], numbers)
        assert (cells.codes[j, ~known] == len(values)).all()
        first = cells.offset[j]
        assert_array_equal(cells.values[first : first + len(values)], values)


def test_levels_stand_for_no_number():
    cells = look_at(read_columns(pd.DataFrame({"a": ["x", None, "y"], "b": [1.0, 2.0, 1.0]})), 2)
    assert cells.codes.tolist() == [[0, 2, 1], [0, 1, 0]]
    assert_array_equal(cells.values, [np.nan, np.nan, np.nan, 1.0, 2.0])


@pytest.mark.parametrize(
    "cv",
    [KFold(4), TimeSeriesSplit(3), ShuffleSplit(1, random_state=0), list(bootstrap(N_ROWS)), "loo"],
    ids=["folds", "in time", "a split", "bootstrap", "loo"],
)
def test_counts_of_all_training_parts(cv):
    X, y = rare_values()
    target = make_target(y, classifier=True)
    columns, folds = read_columns(X[:, :6]), make_folds(cv, y, classifier=True)
    cells = look_at(columns, 10)
    problem = Problem(DiscreteNB(), columns, target, folds, Loss.ZERO_ONE)
    found = RowGroups(problem).counts(cells.codes, cells.offset, cells.n_values)
    for fold in folds:
        expected = np.zeros((cells.offset[-1], 3))
        for r in range(N_ROWS) if fold.train is None else fold.train:
            for j in np.flatnonzero(~np.isnan(X[r, :6])):
                expected[cells.offset[j] + cells.codes[j, r], y[r]] += 1
        assert_array_equal(found[fold.index], expected)


@pytest.mark.parametrize("m", [1.0, 0, "levels"])
@pytest.mark.parametrize("cv", [KFold(4), TimeSeriesSplit(3), list(bootstrap(N_ROWS))])
def test_values_that_training_parts_lack(cv, m):
    X, y = rare_values(1)
    options = {"cv": cv, "loss": "log"}
    fast, slow = (evaluator_for(DiscreteNB(m=m), X, y, fast=f, **options) for f in (True, False))
    subsets = [{4}, {2, 4}, {1, 3, 5}, set(range(7))]
    assert type(fast) is not type(slow)
    np.testing.assert_allclose(fast.losses(subsets), slow.losses(subsets), atol=1e-9)
