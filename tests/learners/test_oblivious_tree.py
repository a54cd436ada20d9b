"""Oblivious trees as estimators."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tests.naive import oblivious as naive
from tests.properties import examples
from tests.sklearn_checks import sklearn_checks
from thresher.learners import ObliviousTree, ObliviousTreeRegressor

CELLS = {
    "bits": st.sampled_from([0.0, 1.0]),
    "numbers": st.sampled_from([-1.5, 0.0, 0.25, 1.0, 7.0]),
    "gaps": st.sampled_from([0.0, 1.0, 2.0, None]),
    "levels": st.sampled_from(["a", "b", "c", None]),
}
DTYPES = {"levels": object}


@sklearn_checks(ObliviousTree(), ObliviousTreeRegressor())
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def as_frame(rows, kinds):
    return pd.DataFrame(
        {
            f"x{c}": pd.Series(
                [row[c] for row in rows], dtype=object if kind == "levels" else float
            )
            for c, kind in enumerate(kinds)
        }
    )


@st.composite
def tables(draw):
    kinds = draw(st.lists(st.sampled_from(sorted(CELLS)), min_size=1, max_size=4))
    row = st.tuples(*(CELLS[kind] for kind in kinds))
    train = draw(st.lists(row, min_size=1, max_size=12))
    asked = draw(st.lists(row, min_size=1, max_size=5))
    return kinds, train, asked


@examples(60)
@given(table=tables(), data=st.data())
def test_predictions_are_those_of_the_naive_twin(table, data):
    kinds, train, asked = table
    size = {"min_size": len(train), "max_size": len(train)}
    classes = data.draw(st.lists(st.sampled_from(["p", "q", "r"]), **size))
    X, Q = as_frame(train, kinds), as_frame(asked, kinds)
    model = ObliviousTree().fit(X, classes)
    assert model.n_leaves_ == len(set(train))
    assert model.predict(Q).tolist() == [naive.predict_class(train, classes, q) for q in asked]
    expected = [naive.probabilities(train, classes, q, model.classes_.tolist()) for q in asked]
    assert_allclose(model.predict_proba(Q), expected, rtol=1e-12)
    numbers = data.draw(st.lists(st.integers(-5, 5), **size))
    found = ObliviousTreeRegressor().fit(X, numbers).predict(Q)
    assert_allclose(found, [naive.predict_number(train, numbers, q) for q in asked], rtol=1e-12)


# --- distances ------------------------------------------------------------------------------------


def test_numbers_count_as_shares_of_their_range_and_levels_as_a_whole():
    frame = pd.DataFrame({"size": [0.0, 4.0, 10.0], "hue": ["red", "blue", "blue"]})
    model = ObliviousTreeRegressor().fit(frame, [1.0, 2.0, 3.0])
    asked = pd.DataFrame({"size": [0.0, 8.0, 9.0], "hue": ["blue", "red", "red"]})
    # (0.4 beats 1), (0.8 beats 1.2 and 1.4), (0.9 beats 1.5 and 1.1)
    assert_array_equal(model.predict(asked), [2.0, 1.0, 1.0])


def test_equal_steps_of_a_range_that_divides_badly_are_equal():
    X = np.arange(8.0)[:, None]  # sevenths
    model = ObliviousTreeRegressor().fit(X[::2], [0.0, 10.0, 20.0, 30.0])
    assert_array_equal(model.predict([[1.0], [3.0], [5.0]]), [5.0, 15.0, 25.0])


def test_numbers_beyond_the_range_count_as_its_end():
    model = ObliviousTreeRegressor().fit([[0.0], [1.0], [np.nan]], [1.0, 2.0, 3.0])
    assert_array_equal(model.predict([[-1e9], [1e9]]), [1.0, 2.0])


def test_a_missing_value_differs_from_everything_also_from_another():
    X = np.array([[0.0, 0.0], [np.nan, 0.0], [1.0, 1.0]])
    model = ObliviousTreeRegressor().fit(X, [1.0, 2.0, 3.0])
    # 1 from the first two rows, 2 from the last
    assert_array_equal(model.predict([[np.nan, 0.0]]), [1.5])
    assert_array_equal(model.predict([[np.nan, np.nan]]), [2.0])


def test_an_unseen_level_differs_from_all():
    frame = pd.DataFrame({"a": ["u", "v"], "b": ["s", "t"]})
    model = ObliviousTree().fit(frame, [0, 1])
    asked = pd.DataFrame({"a": ["new", "new"], "b": ["t", "new"]})
    assert_array_equal(model.predict_proba(asked), [[0.0, 1.0], [0.5, 0.5]])


def test_the_order_of_columns_and_their_number_changes_no_tie():
    rng = np.random.default_rng(0)
    X, Q = rng.integers(0, 7, (40, 60)) / 7, rng.integers(0, 7, (20, 60)) / 7
    y = rng.integers(0, 3, 40)
    model = ObliviousTree().fit(X, y)
    order = rng.permutation(60)
    other = ObliviousTree().fit(X[:, order], y)
    assert_array_equal(model.predict_proba(Q), other.predict_proba(Q[:, order]))


def test_huge_values_do_not_overflow():
    top = np.finfo(np.float64).max
    X = np.array([[-top], [0.0], [top]])
    model = ObliviousTree().fit(X, ["a", "b", "c"])
    assert model.predict([[-0.9 * top], [0.1 * top], [top]]).tolist() == ["a", "b", "c"]
    tiny = np.array([[0.0], [5e-324], [1e-323]])
    assert ObliviousTree().fit(tiny, [0, 1, 2]).predict(tiny).tolist() == [0, 1, 2]


def test_huge_targets_have_a_mean():
    top = np.finfo(np.float64).max
    model = ObliviousTreeRegressor().fit([[0.0], [0.0], [1.0]], [top, top, 0.0])
    assert_allclose(model.predict([[0.0]]), top, rtol=1e-12)


# --- leaves and votes -----------------------------------------------------------------------------


def test_rows_that_are_all_equal_share_a_leaf():
    model = ObliviousTree().fit(np.ones((4, 2)), [0, 1, 1, 1])
    assert model.n_leaves_ == 1
    assert_array_equal(model.predict_proba([[1.0, 1.0], [5.0, -5.0]]), [[0.25, 0.75]] * 2)


def test_one_row_is_enough():
    assert ObliviousTree().fit([[3.0]], ["only"]).predict([[7.0]]).tolist() == ["only"]
    assert ObliviousTreeRegressor().fit([[3.0]], [2.5]).predict([[np.nan]]).tolist() == [2.5]


def test_a_constant_column_changes_nothing():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(30, 3)), rng.integers(0, 2, 30)
    wide = np.column_stack([X, np.full(30, 4.0)])
    asked = rng.normal(size=(10, 3))
    found = ObliviousTree().fit(wide, y).predict_proba(np.column_stack([asked, np.arange(10.0)]))
    assert_array_equal(found, ObliviousTree().fit(X, y).predict_proba(asked))


def test_of_classes_with_equal_votes_the_more_frequent_is_predicted_then_the_first():
    X, y = [[0.0], [0.0], [1.0]], ["a", "b", "b"]
    assert ObliviousTree().fit(X, y).predict([[0.0]]).tolist() == ["b"]
    assert ObliviousTree().fit(X[:2], y[:2]).predict([[0.0]]).tolist() == ["a"]


def test_weights_are_repetitions_and_zero_is_absence():
    rng = np.random.default_rng(2)
    X, times = rng.integers(0, 3, (20, 3)) * 1.0, rng.integers(0, 4, 20)
    X[0], times[0] = 99.0, 0  # would stretch the range
    for kind, y in ((ObliviousTree, rng.integers(0, 3, 20)), (ObliviousTreeRegressor, X[:, 0])):
        weighted = kind().fit(X, y, sample_weight=times)
        repeated = kind().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
        assert_allclose(weighted.predict(X), repeated.predict(X))
    with pytest.raises(ValueError, match="must not be negative"):
        ObliviousTree().fit(X, X[:, 0], sample_weight=-1.0 * times)


# --- tables ---------------------------------------------------------------------------------------


def test_frames_arrays_and_sparse_matrices_of_the_same_numbers_give_the_same():
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 3, (30, 4)) * 1.0, rng.integers(0, 2, 30)
    expected = ObliviousTree().fit(X, y).predict_proba(X)
    names = list("abcd")
    frames = [pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)]
    for table in (*frames, scipy.sparse.csr_array(X), X.astype(int)):
        assert_array_equal(ObliviousTree().fit(table, y).predict_proba(table), expected)


def test_booleans_categories_and_strings_are_the_same_levels():
    rng = np.random.default_rng(4)
    bits, y = rng.integers(0, 2, (30, 3)), rng.integers(0, 2, 30)
    text = pd.DataFrame(np.where(bits, "yes", "no"), columns=list("abc"))
    expected = ObliviousTree().fit(bits, y).predict_proba(bits)
    for table in (
        text,
        text.astype("category"),
        pd.DataFrame(bits.astype(bool)),
        pl.from_pandas(text),
    ):
        if isinstance(table, pd.DataFrame):
            table.columns = list("abc")
        assert_array_equal(ObliviousTree().fit(table, y).predict_proba(table), expected)


def test_a_column_that_changes_its_kind_is_refused_by_name():
    model = ObliviousTree().fit(pd.DataFrame({"a": [1.0, 2.0]}), [0, 1])
    with pytest.raises(ValueError, match="column 'a' held numbers when .* now it holds levels"):
        model.predict(pd.DataFrame({"a": ["x", "y"]}))
    model = ObliviousTree().fit(pd.DataFrame({"a": ["x", "y"]}), [0, 1])
    with pytest.raises(ValueError, match="column 'a' held levels when .* now it holds numbers"):
        model.predict(pd.DataFrame({"a": [1.0, 2.0]}))
    assert_array_equal(model.predict_proba(pd.DataFrame({"a": [np.nan]})), [[0.5, 0.5]])


@pytest.mark.parametrize("kind", [ObliviousTree, ObliviousTreeRegressor])
def test_infinite_values_and_no_target_are_refused(kind):
    with pytest.raises(ValueError, match="infinity"):
        kind().fit([[np.inf], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="requires y"):
        kind().fit([[0.0], [1.0]], None)
    with pytest.raises(TypeError, match="arguments?"):
        kind(depth=3)
