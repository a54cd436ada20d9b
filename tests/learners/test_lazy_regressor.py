"""Lazy learning as an estimator."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from tests.naive import lazy as naive
from tests.sklearn_checks import sklearn_checks
from thresher.learners import LazyRegressor
from thresher.testing import check_learner


def some_table(n_rows=60, n_columns=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns))
    y = np.sin(2 * X[:, 0]) + X[:, -1] ** 2 + X[:, 0] * X[:, -1] + rng.normal(size=n_rows) / 10
    return X, y


def some_frame(n_rows=50, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "size": np.where(rng.random(n_rows) < 0.2, np.nan, rng.normal(5, 3, n_rows)),
            "colour": rng.choice(["red", "green", "blue"], n_rows, p=[0.6, 0.3, 0.1]),
            "kind": pd.Categorical(rng.choice(["b", "a"], n_rows)),
            "weight": rng.random(n_rows),
        }
    )
    frame.loc[rng.random(n_rows) < 0.1, "colour"] = None
    y = frame["weight"] * 3 + (frame["colour"] == "red") + frame["size"].fillna(0) ** 2 / 20
    return frame, y.to_numpy() + rng.normal(size=n_rows) / 10


def assert_like_naive(model, X, y, queries):
    """Compare with the naive twin; rows are lists of cells."""
    details = model.predict_details(queries)
    rows, points = (
        [[None if cell != cell else cell for cell in row] for row in table.to_numpy().tolist()]
        if isinstance(table, pd.DataFrame)
        else table.tolist()
        for table in (X, queries)
    )
    parameters = model.get_params()
    del parameters["n_jobs"]
    expected = [naive.predict(rows, y, point, **parameters) for point in points]
    prediction, size, kind, error = zip(*expected, strict=True)
    assert_array_equal(details.n_neighbors, size)
    assert_array_equal(details.model, kind)
    assert_allclose(details.loo_error, error, rtol=1e-7, atol=1e-12)
    assert_allclose(details.prediction, prediction, rtol=1e-8, atol=1e-8)
    assert_array_equal(model.predict(queries), details.prediction)


@sklearn_checks(LazyRegressor(), LazyRegressor(("linear",), n_combined=3, products=True, n_jobs=2))
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_it_conforms():
    check_learner(LazyRegressor())


# --- against the naive twin -----------------------------------------------------------------------


@pytest.mark.parametrize("ridge", [0.001, 1.0])
@pytest.mark.parametrize("n_combined", [1, 5])
@pytest.mark.parametrize(
    "models",
    [("constant",), ("linear",), ("quadratic",), ("quadratic", "constant", "linear")],
    ids="-".join,
)
def test_predictions_are_those_of_the_naive_twin(models, n_combined, ridge):
    X, y = some_table()
    queries = np.vstack([X[:2], np.random.default_rng(1).normal(size=(4, 3))])
    model = LazyRegressor(models, n_combined=n_combined, ridge=ridge).fit(X, y)
    assert_like_naive(model, X, y, queries)


@pytest.mark.parametrize("parameters", [
    {"products": True},
    {"neighbors_per_coefficient": (1.1, 2.0)},
    {"neighbors_per_coefficient": (3.0, 3.0)},
    {"neighbors_per_coefficient": (0.1, 1000.0)},
    {"max_neighbors": 12},
    {"max_neighbors": 2},
    {"ridge": 1e-5, "n_combined": 1000},
], ids=str)  # fmt: skip
def test_parameters_do_what_the_naive_twin_does(parameters):
    X, y = some_table(n_rows=45)
    model = LazyRegressor(**parameters).fit(X, y)
    assert_like_naive(model, X, y, np.random.default_rng(1).normal(size=(3, 3)))


@pytest.mark.parametrize("n_combined", [1, 4])
@pytest.mark.parametrize("products", [False, True], ids=["squares", "products"])
@pytest.mark.parametrize("columns", [["size", "colour", "kind", "weight"], ["colour", "kind"]])
def test_categories_and_missing_cells_are_those_of_the_naive_twin(columns, products, n_combined):
    frame, y = some_frame()
    model = LazyRegressor(products=products, n_combined=n_combined)
    model.fit(frame[columns][:44], y[:44])
    assert_like_naive(model, frame[columns][:44], y[:44], frame[columns][44:])


@pytest.mark.parametrize("n_rows", range(1, 8))
def test_few_rows_are_as_the_naive_twin_has_them(n_rows):
    X, y = some_table(n_rows=n_rows, n_columns=2)
    for models in (("constant", "linear", "quadratic"), ("linear",)):
        model = LazyRegressor(models).fit(X, y)
        assert_like_naive(model, X, y, np.array([[0.1, 0.2], [9.0, -9.0]]))


# --- which model is taken -------------------------------------------------------------------------


def test_one_row_predicts_its_target_and_cannot_be_judged():
    details = LazyRegressor().fit([[1.0, 2.0]], [7.0]).predict_details([[0.0, np.nan]])
    assert details.prediction.tolist() == [7.0]
    assert (details.n_neighbors[0], details.model[0]) == (1, "constant")
    assert np.isnan(details.loo_error[0])


def test_equal_rows_predict_their_mean():
    X, y = np.full((50, 2), 0.1), np.random.default_rng(0).normal(size=50)
    details = LazyRegressor().fit(X, y).predict_details([[0.1, 0.1], [5.0, 0.1], [3.0, 3.0]])
    assert_allclose(details.prediction, y.mean(), rtol=1e-12)
    assert_array_equal(details.n_neighbors, 50)
    assert_array_equal(details.model, "constant")
    assert_allclose(details.loo_error, np.mean(((y - y.mean()) * 50 / 49) ** 2), rtol=1e-12)


def test_equal_targets_are_predicted_exactly_by_the_smallest_and_simplest_model():
    X, _ = some_table()
    for n_combined in (1, 5):
        details = LazyRegressor(n_combined=n_combined).fit(X, np.full(60, 0.1)).predict_details(X)
        assert_array_equal(details.prediction, 0.1)
        assert_array_equal(details.n_neighbors, 3)
        assert_array_equal(details.model, "constant")
        assert_array_equal(details.loo_error, 0.0)


def test_curves_ask_for_quadratic_models_and_steps_for_means():
    x = np.linspace(-1, 1, 81)[:, None]
    rng = np.random.default_rng(0)
    bowl = LazyRegressor(n_combined=1).fit(x, 50 * x[:, 0] ** 2 + rng.normal(size=81) / 1000)
    assert bowl.predict_details([[0.3]]).model[0] == "quadratic"
    assert_allclose(bowl.predict([[0.0], [0.5]]), [0.0, 12.5], atol=0.05)
    flat = LazyRegressor().fit(x, np.sign(x[:, 0]))
    assert flat.predict_details([[-0.8]]).model[0] == "constant"
    assert_array_equal(flat.predict([[-0.8], [0.8]]), [-1.0, 1.0])


def test_products_are_needed_for_what_is_a_product():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(300, 2))
    y = X[:, 0] * X[:, 1]
    models = [LazyRegressor(("quadratic",), products=p).fit(X, y) for p in (False, True)]
    queries = rng.uniform(-0.7, 0.7, size=(40, 2))
    without, with_products = (
        np.abs(model.predict(queries) - queries.prod(axis=1)).mean() for model in models
    )
    assert with_products < without / 3


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
def test_units_of_columns_and_target_do_not_matter(scale):
    X, y = some_table()
    before = LazyRegressor().fit(X, y).predict(X[:10])
    X[:, 1] = X[:, 1] * scale
    assert_allclose(LazyRegressor().fit(X, y).predict(X[:10]), before, rtol=1e-6)
    assert_allclose(LazyRegressor().fit(X, y * scale).predict(X[:10]), before * scale, rtol=1e-6)


def test_constant_columns_change_no_distance_and_no_plane():
    X, y = some_table()
    # sizes depend on the number of columns, so they are fixed here
    same = {"models": ("linear",), "neighbors_per_coefficient": (0.1, 0.2), "ridge": 0.1}
    wider = np.column_stack([X[:, 0], np.full(60, 0.3), X[:, 1:]])
    expected = LazyRegressor(**same).fit(X, y).predict(X)
    assert_allclose(LazyRegressor(**same).fit(wider, y).predict(wider), expected, rtol=1e-9)
    wider[:, 1] = 7.0  # now the queries have another value
    model = LazyRegressor(**same).fit(np.column_stack([X[:, 0], X[:, 0] * 0, X[:, 1:]]), y)
    assert_allclose(model.predict(wider), expected, rtol=1e-9)


def test_a_large_table_is_not_sorted_but_gives_what_sorting_would():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, size=(3000, 2)) * 1.0  # many rows are equally far
    y = rng.normal(size=3000)
    query = np.array([2.0, 3.0])
    order = np.argsort((((X - query) / X.std(axis=0)) ** 2).sum(axis=1), kind="stable")
    model = LazyRegressor(("constant",), n_combined=1).fit(X, y)
    details = model.predict_details(query[None])
    size = details.n_neighbors[0]
    assert_allclose(details.prediction[0], y[order[:size]].mean(), rtol=1e-12)
    errors = [
        np.square((y[order[:k]] - y[order[:k]].mean()) * k / (k - 1)).mean() for k in range(3, 16)
    ]
    assert size == 3 + np.argmin(errors)
    assert_allclose(details.loo_error[0], min(errors), rtol=1e-12)


# --- messy tables ---------------------------------------------------------------------------------


def test_a_query_of_missing_cells_is_predicted_by_the_mean_of_all_rows():
    X, y = some_table()
    details = LazyRegressor().fit(X, y).predict_details(np.full((1, 3), np.nan))
    assert_allclose(details.prediction, y.mean(), rtol=1e-12)
    assert details.n_neighbors[0] == len(y)


def test_a_category_that_was_never_seen_is_as_good_as_missing():
    frame, y = some_frame()
    model = LazyRegressor().fit(frame, y)
    new, gone = frame[:5].copy(), frame[:5].copy()
    new["colour"] = "violet"
    gone["colour"] = pd.Series([None] * 5, dtype=object)
    assert_array_equal(model.predict(new), model.predict(gone))
    assert not np.array_equal(model.predict(new), model.predict(frame[:5]))


@pytest.mark.parametrize("models", [("constant",), ("linear", "quadratic")], ids="-".join)
def test_columns_without_any_value_are_left_out(models):
    X, y = some_table()
    empty = np.column_stack([X, np.full(60, np.nan)])
    expected = LazyRegressor(models).fit(X, y).predict(X)
    model = LazyRegressor(models).fit(empty, y)
    assert_array_equal(model.predict(empty), expected)
    empty[:, -1] = 3.0
    assert_array_equal(model.predict(empty), expected)
    nothing = LazyRegressor(models).fit(np.full((20, 2), np.nan), y[:20])
    assert_like_naive(nothing, np.full((20, 2), np.nan), y[:20], X[:1, :2])


def test_a_binary_column_counts_the_same_as_numbers_and_as_categories():
    rng = np.random.default_rng(0)
    bit = rng.random(60) < 0.3
    x = rng.normal(size=60)
    y = x + 2 * bit + rng.normal(size=60) / 10
    tables = [
        pd.DataFrame({"x": x, "bit": coded})
        for coded in (bit, bit.astype(float), np.where(bit, "yes", "no"))
    ]
    linear = [LazyRegressor(("constant", "linear")).fit(table, y) for table in tables]
    expected = linear[0].predict(tables[0])
    for model, table in zip(linear[1:], tables[1:], strict=True):
        assert_allclose(model.predict(table), expected, rtol=1e-9)


def test_frames_of_all_makes_give_the_same():
    frame, y = some_frame()
    expected = LazyRegressor().fit(frame, y).predict(frame)
    other = pl.from_pandas(frame)
    assert_array_equal(LazyRegressor().fit(other, y).predict(other), expected)
    text = frame.astype({"kind": str})
    assert_array_equal(LazyRegressor().fit(text, y).predict(text), expected)
    X, y = some_table()
    named = pd.DataFrame(X, columns=["a", "b", "c"])
    model = LazyRegressor().fit(named, y)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    assert_array_equal(model.predict(named), LazyRegressor().fit(X, y).predict(X))


def test_two_threads_give_the_same_bits_as_one():
    frame, y = some_frame()
    one, two = (LazyRegressor(n_jobs=n).fit(frame, y).predict_details(frame) for n in (1, 2))
    for name in ("prediction", "n_neighbors", "model", "loo_error"):
        assert_array_equal(getattr(one, name), getattr(two, name))


def test_queries_far_away_have_finite_predictions():
    X, y = some_table()
    queries = np.array([[1e99, 0, 0], [1e5, -1e5, 1e5], [-1e20, 1e20, 1e90]])
    for ridge in (1e-6, 1e-3):
        details = LazyRegressor(ridge=ridge, products=True, n_combined=5).fit(X, y)
        assert np.isfinite(details.predict(queries)).all()


# --- complaints -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("parameters", "message"), [
    ({"models": ()}, "models must be some of 'constant', 'linear', 'quadratic'; got"),
    ({"models": "linear"}, "models must be some of"),
    ({"models": ("linear", "cubic")}, "models must be some of"),
    ({"neighbors_per_coefficient": (2.0, 1.0)}, "neighbors_per_coefficient must be two"),
    ({"neighbors_per_coefficient": (0, 1.0)}, "neighbors_per_coefficient must be two"),
    ({"neighbors_per_coefficient": 3.0}, "neighbors_per_coefficient must be two"),
    ({"neighbors_per_coefficient": (1.0, np.inf)}, "neighbors_per_coefficient must be two"),
    ({"max_neighbors": 1}, "max_neighbors must be a whole number of at least 2"),
    ({"max_neighbors": 2.5}, "max_neighbors must be a whole number"),
    ({"n_combined": 0}, "n_combined must be a whole number of at least 1"),
    ({"n_combined": True}, "n_combined must be a whole number"),
    ({"ridge": 0.0}, "ridge must be a finite number above 0"),
    ({"ridge": 1e-9}, "ridge must be at least 1e-06"),
    ({"ridge": "much"}, "ridge must be a finite number"),
    ({"products": "yes"}, "products must be True or False"),
    ({"n_jobs": 0}, "n_jobs must not be 0"),
], ids=str)  # fmt: skip
def test_wrong_parameters_are_named(parameters, message):
    X, y = some_table()
    with pytest.raises(ValueError, match=message):
        LazyRegressor(**parameters).fit(X, y)
    changed = clone(LazyRegressor()).fit(X, y).set_params(**parameters)
    with pytest.raises(ValueError, match=message):
        changed.predict(X)


def test_columns_that_change_their_kind_are_named():
    frame, y = some_frame()
    model = LazyRegressor().fit(frame, y)
    with pytest.raises(ValueError, match="column 'colour' held levels .* now it holds numbers"):
        model.predict(frame.assign(colour=1.0))
    with pytest.raises(ValueError, match="column 'weight' held numbers .* now it holds levels"):
        model.predict(frame.assign(weight="much"))
    nothing = frame.assign(colour=np.nan, weight=pd.Series([None] * 50, dtype="str"))
    assert np.isfinite(model.predict(nothing)).all()


def test_values_that_are_too_large_are_refused_by_name():
    X, y = some_table()
    huge = pd.DataFrame(X, columns=["a", "b", "c"])
    model = LazyRegressor().fit(huge, y)
    huge["b"] *= 1e120
    for use in (lambda: LazyRegressor().fit(huge, y), lambda: model.predict(huge)):
        with pytest.raises(ValueError, match="column.s. 'b' hold numbers as large as .*e\\+120"):
            use()
    with pytest.raises(ValueError, match="y holds numbers as large as"):
        LazyRegressor().fit(X, y * 1e120)
    with pytest.raises(ValueError, match="infinity .* column.s. 'c'"):
        LazyRegressor().fit(pd.DataFrame(X, columns=["a", "b", "c"]).assign(c=np.inf), y)
    with pytest.raises(TypeError, match="(?i)sparse"):
        LazyRegressor().fit(scipy.sparse.csr_matrix(X), y)
    with pytest.raises(ValueError, match="requires y to be passed"):
        LazyRegressor().fit(X, None)
