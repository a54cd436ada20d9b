"""Rows held out to find out where a search began to overfit."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GroupShuffleSplit, KFold
from sklearn.neighbors import KNeighborsClassifier

from thresher import RVErS
from thresher.evaluators import evaluator_for, make_folds
from thresher.races import Brace, Exhaustive
from thresher.run import search
from thresher.searches import RandomizedElimination, Space
from thresher.selectors._holdout import best_on_the_way, rows_to_hold_out, without_rows

from .randomized import selector_of, told


def overfitting():
    """A tree that memorises: columns of noise come and go by chance."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 12))
    y = (X[:, 0] + X[:, 1] + 1.5 * rng.normal(size=120) > 0).astype(int)
    return X, y


@pytest.mark.parametrize("judge", [Exhaustive(), Brace(gamma=0.0)], ids=["exhaustive", "raced"])
def test_a_subset_on_the_way_is_returned_where_rows_are_held_out(judge):
    X, y = overfitting()
    way = []
    selector = selector_of(RVErS, KNeighborsClassifier(1), holdout=0.3, judge=judge, tolerance=0.04)
    selector.observe(way.append).fit(X, y)
    passed = {step.winner for step in way}
    assert frozenset(np.flatnonzero(selector.support_).tolist()) in passed
    told(selector)
    chosen = [step for step in selector.selection_.trace if step["chosen"]]
    assert chosen
    assert chosen[-1]["n_variables"] == selector.n_features_


def test_rows_are_held_out_at_random_by_class_and_in_whole_groups():
    y = np.repeat([0, 1], [80, 20])
    held = rows_to_hold_out(y, 0.25, classifier=True, groups=None, seed=0)
    assert len(held) == 25
    assert y[held].sum() == 5
    assert held.tolist() == rows_to_hold_out(y, 0.25, classifier=True, groups=None, seed=0).tolist()
    assert held.tolist() != rows_to_hold_out(y, 0.25, classifier=True, groups=None, seed=1).tolist()
    groups = np.arange(100) // 10
    held = rows_to_hold_out(y, 0.25, classifier=True, groups=groups, seed=0)
    inside = np.isin(np.arange(100), held)
    assert all(inside[groups == g].all() or not inside[groups == g].any() for g in range(10))
    rare = np.r_[np.zeros(99, dtype=int), 1]
    assert len(rows_to_hold_out(rare, 0.25, classifier=True, groups=None, seed=0)) == 25
    assert len(rows_to_hold_out(y * 1.0, 0.25, classifier=False, groups=None, seed=0)) == 25


@pytest.mark.parametrize(
    "cv",
    ["loo", 3, KFold(4, shuffle=True, random_state=0), list(KFold(3).split(np.zeros(30)))],
    ids=["loo", "int", "splitter", "list"],
)
def test_no_fold_knows_of_the_rows_held_out(cv):
    y = np.arange(30) % 2
    held = np.arange(0, 30, 5)
    before = make_folds(cv, y, classifier=True)
    folds = without_rows(cv, before, y, held, classifier=True, groups=None)
    assert folds.n_rows == 30
    tested = []
    for fold in folds:
        assert not np.isin(held, np.concatenate([fold.train, fold.test])).any()
        assert not np.isin(fold.train, fold.test).any()
        tested.extend(fold.test.tolist())
    assert sorted(tested) == np.setdiff1d(np.arange(30), held).tolist()


def test_folds_that_are_listed_must_outlive_the_rows_held_out():
    y = np.zeros(30)
    for split, side in (((np.arange(3), np.arange(3, 30)), "training"),
                        ((np.arange(3, 30), np.arange(3)), "test")):  # fmt: skip
        folds = make_folds([split], y, classifier=False)
        with pytest.raises(ValueError, match=f"holdout leaves fold 0 of cv no {side} rows"):
            without_rows([split], folds, y, np.arange(5), classifier=False, groups=None)


def test_groups_of_rows_stay_whole_in_folds_beside_rows_held_out():
    groups = np.repeat(np.arange(10), 6)
    held = np.flatnonzero(groups < 2)
    splitter = GroupShuffleSplit(3, random_state=0)
    before = make_folds(splitter, np.zeros(60), classifier=False, groups=groups)
    folds = without_rows(splitter, before, np.zeros(60), held, classifier=False, groups=groups)
    assert len(folds) == 3
    for fold in folds:
        assert not set(groups[fold.train]) & set(groups[fold.test])
        assert not {0, 1} & set(groups[np.concatenate([fold.train, fold.test])])


def test_the_smallest_subset_that_does_well_on_the_rows_held_out_is_taken(numbers):
    X, y = numbers
    evaluator = evaluator_for(LinearRegression(), X, y)
    strategy = RandomizedElimination(1, k=1)  # one too few
    run = search(strategy, Space(8), evaluator, Exhaustive(), random_state=0)
    assert len(run.subset) == 1
    back = best_on_the_way(run, evaluator, np.arange(0, 200, 4))
    assert back.subset == {1, 4}
    assert back.evaluations == run.evaluations + 8
    assert back.steps == run.steps
