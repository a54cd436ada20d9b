"""Held-out losses of C4.5 trees are those of refitting, bit for bit."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit
from sklearn.pipeline import Pipeline

from tests.properties import examples
from thresher.evaluators import Flips, Removals, _c45, _c45_records, evaluator_for
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


@examples(15)
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
    flips = Flips(frozenset(range(4)), range(4))
    assert_array_equal(fast.losses(flips), slow.losses(list(flips)))


# --- removals from one base -----------------------------------------------------------------------


@examples(6)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.integers(12, 60),
    missing=st.sampled_from([0.0, 0.1, 0.5]),
    loss=st.sampled_from(LOSSES),
    least=st.sampled_from([1, 2]),
    collapse=st.booleans(),
)
def test_losses_of_flips_are_those_of_refitting(seed, n_rows, missing, loss, least, collapse):
    X, y = mixed_table(n_rows, seed, missing=missing)
    learner = C45Classifier(min_samples_leaf=least, collapse=collapse)
    fast, slow = both(X, y, learner=learner, loss=loss, cv=KFold(3))
    for base in (frozenset(range(6)), frozenset({0, 2, 3, 4, 5})):
        flips = Flips(base, range(6))
        assert_array_equal(fast.losses(flips), slow.losses(list(flips)))


@pytest.mark.parametrize("n_levels", [2, 5])
def test_backward_steps_on_nominal_tables_are_those_of_refitting(n_levels):
    rng = np.random.default_rng(n_levels)
    cells = rng.integers(0, n_levels, (80, 6))
    y = (cells[:, 0] + cells[:, 3] * cells[:, 5] + (rng.random(80) < 0.2)) % 4
    fast, slow = both(pd.DataFrame(cells.astype(str)), y)
    current = frozenset(range(6))
    while len(current) > 1:
        flips = Flips(current, sorted(current))
        losses = fast.losses(flips)
        assert_array_equal(losses, slow.losses(list(flips)))
        current = flips[int(losses.mean(axis=1).argmin())]


def test_removals_that_come_one_by_one_are_those_of_refitting():
    X, y = mixed_table(90, 6)
    wide = pd.concat([X, X.sample(frac=1, random_state=0, ignore_index=True)], axis=1)
    wide.columns = [f"x{k}" for k in range(wide.shape[1])]
    fast, slow = both(wide, y, loss="log")
    base = frozenset(range(12))
    for removed in ({1}, {0, 7}, {0, 7}, {2, 3, 8}, set(range(1, 11)), {5}):
        removals = Removals(base, [frozenset(removed)])
        assert_array_equal(fast.losses(removals), slow.losses(list(removals)))
    part = Removals(base - {4}, [frozenset({0}), frozenset({6, 9})])
    assert_array_equal(fast.part_losses(part, 2), slow.part_losses(list(part), 2))


@pytest.mark.parametrize("limit", ["_ROOM", "_BLOCK_CELLS"])
def test_little_memory_changes_nothing(limit, monkeypatch):
    owner = _c45_records if limit == "_ROOM" else _c45
    monkeypatch.setattr(owner, limit, 1)
    X, y = mixed_table(70, 7)
    fast, slow = both(X, y, loss="brier")
    flips = Flips(frozenset(range(6)), range(6))
    assert_array_equal(fast.losses(flips), slow.losses(list(flips)))


def test_a_record_that_is_too_large_is_not_made_again(monkeypatch):
    made = []

    def counted(*arguments):
        made.append(1)
        return record_of(*arguments)

    record_of = _c45_records.record_of
    monkeypatch.setattr(_c45_records, "record_of", counted)
    monkeypatch.setattr(_c45_records, "_ROOM", 1)
    X, y = mixed_table(70, 7)
    fast, _ = both(X, y, n_jobs=1)
    base = frozenset(range(6))
    for _ in range(5):
        fast.losses(Flips(base, range(6)))
    assert len(made) == len(fast.problem.folds)


def test_the_evaluator_conforms_for_any_number_of_threads():
    X, y = mixed_table(90, 3)
    alone, _ = both(X, y, loss="brier", n_jobs=1)
    check_evaluator(alone)
    many, _ = both(X, y, loss="brier", n_jobs=3)
    for family in (Flips(frozenset({0, 1}), range(6)), Removals(frozenset({0, 2}), [{0}, {2}])):
        assert_array_equal(alone.losses(family), many.losses(family))
    backward = Flips(frozenset(range(6)), range(6))
    assert_array_equal(alone.losses(backward), many.losses(backward))


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
