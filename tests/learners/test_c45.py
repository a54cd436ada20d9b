"""The C4.5 tree as an estimator."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tests.naive import c45 as naive
from tests.properties import examples
from tests.sklearn_checks import sklearn_checks
from thresher.learners import C45Classifier
from thresher.learners import _c45_coding as coding
from thresher.testing import check_learner


@sklearn_checks(C45Classifier(), C45Classifier(min_samples_leaf=2, collapse=True, prune=True))
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_the_learner_conforms():
    check_learner(C45Classifier())


# --- against the naive twin -----------------------------------------------------------------------


def random_table(rng, n_rows, n_columns, *, missing):
    """Columns of all sorts, as (is_level, values) with None for missing cells."""
    columns = []
    for _ in range(n_columns):
        kind = rng.integers(7)
        if kind == 0 and columns:
            columns.append(columns[rng.integers(len(columns))])
            continue
        if kind <= 1:
            values = np.full(n_rows, 3.0)
        elif kind == 2:
            values = rng.normal(size=n_rows).round(2)
        elif kind == 3:
            values = rng.integers(-2, 3, n_rows) * 1.0
        elif kind == 4:
            values = (rng.random(n_rows) < 0.4) * 1.0
        else:
            values = rng.choice(list("abcdefgh"[: rng.integers(2, 8)]), n_rows)
        holes = rng.random(n_rows) < missing * rng.random()
        cells = [None if hole else v for v, hole in zip(values.tolist(), holes, strict=True)]
        columns.append((isinstance(values[0], str), cells))
    return columns


def as_frame(columns):
    return pd.DataFrame(
        {
            f"c{j}": pd.Categorical(values) if is_level else pd.array(values, dtype="Float64")
            for j, (is_level, values) in enumerate(columns)
        }
    )


def shape_of(model, node=0):
    tree, table = model._tree, model._coding
    if tree.column[node] < 0:
        return None
    j = int(tree.column[node])
    cut = None if table.levels[j] else float(table.values_of(j)[tree.cut[node]])
    first, n = int(tree.child[node]), int(tree.n_children[node])
    return (j, cut, [shape_of(model, child) for child in range(first, first + n)])


@examples(120)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.integers(1, 50),
    n_columns=st.integers(1, 6),
    n_classes=st.integers(1, 4),
    missing=st.sampled_from([0.0, 0.0, 0.3, 1.0]),
    weighted=st.sampled_from(["no", "whole", "any"]),
    least=st.sampled_from([1, 2, 0.5, 4]),
    collapse=st.booleans(),
)
def test_trees_are_those_of_the_naive_twin(
    seed, n_rows, n_columns, n_classes, missing, weighted, least, collapse
):
    rng = np.random.default_rng(seed)
    columns = random_table(rng, n_rows, n_columns, missing=missing)
    y = rng.integers(0, n_classes, n_rows)
    weights = np.ones(n_rows)
    if weighted == "whole":
        weights = rng.integers(0, 4, n_rows) * 1.0
    elif weighted == "any":
        weights = rng.random(n_rows) * 3
    weights[0] = 1.0
    X = as_frame(columns)
    model = C45Classifier(min_samples_leaf=least, collapse=collapse)
    model.fit(X, y, sample_weight=None if weighted == "no" else weights)
    classes = np.unique(y[weights > 0])
    codes = np.searchsorted(classes, y).clip(max=len(classes) - 1)  # rows of weight 0 may be any
    expected = naive.grow(
        columns,
        codes.tolist(),
        weights.tolist(),
        n_classes=len(classes),
        least=least,
        collapse=collapse,
    )
    assert shape_of(model) == naive.shape(expected)
    new = random_table(rng, n_rows, n_columns, missing=missing)
    new = [a if a[0] == b[0] else b for a, b in zip(new, columns, strict=True)]
    for some in (columns, new):
        rows = list(zip(*(values for _, values in some), strict=True))
        probability = [naive.probabilities(expected, row) for row in rows]
        assert_allclose(model.predict_proba(as_frame(some)), probability, atol=1e-12)


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_indicators_change_nothing(monkeypatch, missing):
    rng = np.random.default_rng(5)
    X = rng.integers(0, [2, 3, 7, 20], (300, 4)) * 1.0
    y = (X.sum(axis=1) + rng.normal(size=300) * 4).astype(int) // 8
    X[rng.random(X.shape) < missing] = np.nan
    frame = pd.DataFrame(X).astype("string").rename(columns=str)
    for table in (X, frame):
        fast = C45Classifier().fit(table, y)
        with monkeypatch.context() as patch:
            patch.setattr(coding, "_FEW", 0)
            slow = C45Classifier().fit(table, y)
        assert fast.to_text() == slow.to_text()
        assert_array_equal(fast.predict_proba(table), slow.predict_proba(table))


def test_many_rows_of_a_class_do_not_overflow_their_bytes():
    X = np.repeat([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0]], [700, 600, 513], axis=0)
    model = C45Classifier().fit(X, np.repeat([0, 1, 2], [700, 600, 513]))
    assert model.to_text().splitlines() == [
        "x0 <= 0.0: 0 (700.0)",
        "x0 > 0.0",
        "|   x1 <= 0.0: 2 (513.0)",
        "|   x1 > 0.0: 1 (600.0)",
    ]


# --- behaviour ------------------------------------------------------------------------------------


def test_a_threshold_is_a_training_value_and_new_values_may_lie_between():
    model = C45Classifier().fit([[1.0], [2.0], [4.0], [8.0]], ["a", "a", "b", "b"])
    assert model.to_text() == "x0 <= 2.0: a (2.0)\nx0 > 2.0: b (2.0)"
    assert model.predict([[-9.0], [2.0], [2.1], [3.9], [99.0]]).tolist() == list("aabbb")


def test_missing_values_go_down_all_branches():
    X = [[0.0], [0.0], [0.0], [1.0], [np.nan]]
    model = C45Classifier().fit(X, [0, 0, 0, 1, 1])
    assert_allclose(model.predict_proba([[np.nan]]), [[0.6, 0.4]])
    assert_allclose(model.predict_proba([[0.0], [1.0]]), [[0.8, 0.2], [0.0, 1.0]])


@pytest.mark.parametrize("library", [pd, pl])
def test_frames_may_hold_levels_booleans_and_missing_values(library):
    data = {"hue": ["r", "g", "b", None] * 6, "on": [True, False, None] * 8}
    y = [str(h) + str(o) for h, o in zip(data["hue"], data["on"], strict=True)]
    table = library.DataFrame(data)
    if library is pd:
        table["on"] = table["on"].astype("boolean")
    model = C45Classifier().fit(table, y)
    assert "hue = r" in model.to_text()
    assert "on = True" in model.to_text()
    known = [h is not None and o is not None for h, o in zip(*data.values(), strict=True)]
    assert_array_equal(model.predict(table)[known], np.array(y)[known])
    new = library.DataFrame({"hue": ["violet", None], "on": [True, True]})
    unseen, missing = model.predict_proba(new)
    assert_array_equal(unseen, missing)


def test_boolean_arrays_hold_levels_too():
    X = np.array([[True], [False], [True]])
    model = C45Classifier().fit(X, [1, 0, 1])
    assert model.to_text() == "x0 = False: 0 (1.0)\nx0 = True: 1 (2.0)"
    assert model.predict([[0.0], [1.0]]).tolist() == [0, 1]


def test_levels_that_do_not_occur_get_no_branch():
    hue = pd.Categorical(["r", "g", "r", "g"], categories=["r", "g", "b"])
    model = C45Classifier().fit(pd.DataFrame({"hue": hue}), [0, 1, 0, 1])
    assert model.n_leaves_ == 2


def test_the_tree_is_described():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 3)
    model = C45Classifier().fit(X, X[:, 0] * 2 + X[:, 1] * X[:, 0])
    assert (model.n_nodes_, model.n_leaves_, model.depth_) == (5, 3, 2)
    assert model.n_gain_ratios_ == 4
    alone = C45Classifier().fit(X, np.zeros(12))
    assert (alone.n_nodes_, alone.n_leaves_, alone.depth_, alone.n_gain_ratios_) == (1, 1, 0, 0)
    assert alone.to_text() == "0.0 (12.0)"


def test_pruning_makes_trees_smaller_and_collapsing_keeps_the_errors():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (200, 5)) * 1.0
    y = (X[:, 0] + rng.normal(size=200) > 1.5).astype(int)
    full, collapsed, pruned = (
        C45Classifier(**options).fit(X, y)
        for options in ({}, {"collapse": True}, {"prune": True, "subtree_raising": False})
    )
    assert pruned.n_nodes_ < collapsed.n_nodes_ <= full.n_nodes_
    assert collapsed.score(X, y) == full.score(X, y)
    harder = C45Classifier(prune=True, confidence=0.01).fit(X, y)
    assert harder.n_nodes_ <= pruned.n_nodes_


def test_fitted_trees_can_be_stored():
    X, y = [[0.0], [1.0]], [0, 1]
    model = pickle.loads(pickle.dumps(C45Classifier().fit(X, y)))
    assert model.predict(X).tolist() == y


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        *(("min_samples_leaf", value) for value in (0, -1, np.nan, np.inf, "few", None, True)),
        *(("confidence", value) for value in (0, 0.6, np.nan, "high", None, True)),
        *((name, "yes") for name in ("collapse", "prune", "subtree_raising")),
    ],
)
def test_bad_parameters_are_named(parameter, value):
    with pytest.raises(ValueError, match=f"{parameter} must be"):
        C45Classifier(**{parameter: value}).fit([[0.0], [1.0]], [0, 1])


def test_bad_tables_and_weights_are_named():
    X, y = [[0.0], [1.0]], [0, 1]
    with pytest.raises(ValueError, match="(?i)sample.weight"):
        C45Classifier().fit(X, y, sample_weight=[0, 0])
    with pytest.raises(ValueError, match="(?i)negative"):
        C45Classifier().fit(X, y, sample_weight=[1, -1])
    model = C45Classifier().fit(pd.DataFrame({"hue": ["r", "g"]}), y)
    with pytest.raises(ValueError, match="column 'hue' held levels .* now it holds numbers"):
        model.predict(pd.DataFrame({"hue": [1.0, 2.0]}))
    model = C45Classifier().fit(pd.DataFrame({"size": [1.0, 2.0]}), y)
    with pytest.raises(ValueError, match="column 'size' held numbers .* now it holds levels"):
        model.predict(pd.DataFrame({"size": ["r", "g"]}))
