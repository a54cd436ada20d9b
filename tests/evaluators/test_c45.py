"""Held-out losses of C4.5 trees are those of refitting, bit for bit."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit
from sklearn.pipeline import Pipeline

from thresher.evaluators import Flips, Removals, evaluator_for
from thresher.evaluators._c45 import C45Evaluator
from thresher.evaluators._estimator import EstimatorEvaluator
from thresher.learners import C45Classifier
from thresher.testing import check_evaluator

LOSSES = ("zero_one", "log", "brier")


def mixed_table(n_rows, seed, *, missing=0.1):
    """Few values, many values, rare levels, booleans, holes; three classes, one of them rare."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "smooth": rng.normal(size=n_rows),
            "few": rng.integers(0, 4, n_rows) * 1.0,
            "hue": pd.Categorical(rng.choice(list("abcdef"), n_rows, p=[0.5, 0.4, *[0.025] * 4])),
            "word": rng.choice(["yes", "no", "perhaps"], n_rows),
            "flag": pd.array(rng.random(n_rows) < 0.5, dtype="boolean"),
            "wide": rng.integers(0, 60, n_rows),
        }
    )
    score = table["smooth"] + table["few"] + (table["hue"] == "a") + rng.normal(size=n_rows)
    y = np.digitize(score, [1.5, np.quantile(score, 0.97)])
    holes = rng.random(table.shape) < missing
    return table.mask(holes), np.array(["low", "high", "top"])[y]


def both(X, y, *, learner=None, cv=None, **options):
    options["cv"] = KFold(4) if cv is None else cv
    learner = C45Classifier() if learner is None else learner
    fast = evaluator_for(learner, X, y, **options)
    slow = evaluator_for(learner, X, y, fast=False, **options)
    assert type(fast) is C45Evaluator
    assert type(slow) is EstimatorEvaluator
    return fast, slow


@settings(max_examples=15, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.integers(12, 90),
    missing=st.sampled_from([0.0, 0.1, 0.5]),
    loss=st.sampled_from(LOSSES),
    least=st.sampled_from([1, 2]),
    collapse=st.booleans(),
)
def test_losses_are_those_of_refitting(seed, n_rows, missing, loss, least, collapse):
    X, y = mixed_table(n_rows, seed, missing=missing)
    learner = C45Classifier(min_samples_leaf=least, collapse=collapse)
    cv = KFold(3, shuffle=True, random_state=seed % 1000)
    fast, slow = both(X, y, learner=learner, loss=loss, cv=cv)
    subsets = [{0}, {2}, {1, 3}, {0, 4, 5}, {1, 2, 3, 4}, set(), set(range(6))]
    assert_array_equal(fast.losses(subsets), slow.losses(subsets))


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("n_codes", [2, 7, 300])
def test_losses_of_arrays_are_those_of_refitting(loss, n_codes):
    rng = np.random.default_rng(n_codes)
    X = rng.integers(0, n_codes, (250, 12))
    y = rng.permutation((X[:, 0] + X[:, 1]) * 6 // n_codes)
    y[:200] = ((X[:, 0] + X[:, 1]) * 6 // n_codes)[:200]
    fast, slow = both(X, y, loss=loss)
    subsets = [{0, 1}, set(range(12)), {3, 7, 11}]
    assert_array_equal(fast.losses(subsets), slow.losses(subsets))


def test_boolean_arrays_are_levels_here_too():
    rng = np.random.default_rng(0)
    X = rng.random((80, 6)) < 0.4
    fast, slow = both(X, X[:, 0] ^ X[:, 3] | X[:, 1], loss="log")
    assert_array_equal(fast.losses([{0, 1, 3}, {2}]), slow.losses([{0, 1, 3}, {2}]))


@pytest.mark.parametrize(
    "cv", [RepeatedKFold(n_splits=3, n_repeats=2, random_state=0), ShuffleSplit(2, random_state=1)]
)
def test_rows_held_out_twice_or_never(cv):
    X, y = mixed_table(60, 1)
    fast, slow = both(X, y, cv=cv)
    assert_array_equal(fast.losses([{0, 1}]), slow.losses([{0, 1}]))


def test_groups_of_columns():
    X, y = mixed_table(80, 2)
    groups = {"a": ["smooth", "hue"], "b": ["few", "flag"]}
    fast, slow = both(X, y, feature_groups=groups)
    assert fast.n_variables == 4
    assert_array_equal(fast.losses([{0}, {1, 2}]), slow.losses([{0}, {1, 2}]))


def test_the_evaluator_conforms_for_any_number_of_threads():
    X, y = mixed_table(90, 3)
    alone, _ = both(X, y, loss="brier", n_jobs=1)
    check_evaluator(alone)
    many, _ = both(X, y, loss="brier", n_jobs=3)
    for family in (Flips(frozenset({0, 1}), range(6)), Removals(frozenset({0, 2}), [{0}, {2}])):
        assert_array_equal(alone.losses(family), many.losses(family))


def test_a_pipeline_that_does_nothing_is_the_tree():
    X, y = mixed_table(60, 4)
    pipeline = Pipeline([("nothing", "passthrough"), ("tree", C45Classifier())])
    assert type(evaluator_for(pipeline, X, y, cv=KFold(4))) is C45Evaluator


# --- parts ----------------------------------------------------------------------------------------


def test_parts_and_draws_are_those_of_refitting():
    X, y = mixed_table(70, 5)
    fast, slow = both(X, y, loss="log")
    for part, rows in enumerate(fast.parts):
        assert_array_equal(rows, slow.parts[part])
        family = [{0, 1}, set(), {2}]
        assert_array_equal(fast.part_losses(family, part), slow.part_losses(family, part))
    masks = np.random.default_rng(0).random((9, 6)) < 0.4
    masks[4] = False
    units = np.arange(9) % 4
    assert_array_equal(fast.draw_losses(masks, units), slow.draw_losses(masks, units))
    assert (fast.n_losses, fast.n_fits) == (slow.n_losses, slow.n_fits)


# --- what is left to refitting --------------------------------------------------------------------


class Subclass(C45Classifier):
    pass


@pytest.mark.parametrize(
    ("learner", "options"),
    [
        (Subclass(), {}),
        (C45Classifier(prune=True), {}),
        (C45Classifier(), {"cv": "loo"}),
        (C45Classifier(), {"sample_weight": np.ones(30)}),
        (C45Classifier(), {"scoring": "roc_auc_ovr"}),
        (C45Classifier(min_samples_leaf=0), {}),
    ],
)
def test_what_is_left_to_refitting(learner, options):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (30, 4))
    judge = evaluator_for(learner, X, np.arange(30) % 3, **options)
    assert not isinstance(judge, C45Evaluator)


def test_sparse_tables_are_refused_by_the_tree_itself():
    X = scipy.sparse.csr_matrix(np.eye(8))
    judge = evaluator_for(C45Classifier(), X, np.arange(8) % 2, cv=2)
    with pytest.raises(TypeError, match="(?i)sparse"):
        judge.losses([{0, 1}])
