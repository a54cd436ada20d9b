import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

from thresher.columns import read_columns

MIXED = {
    "number": [1.5, None, 3.0],
    "count": [1, 2, 3],
    "flag": [True, False, True],
    "colour": ["red", None, "blue"],
    "day": [dt.datetime(2024, 1, 1), None, dt.datetime(2024, 1, 2)],
}
KINDS = ("numeric", "numeric", "boolean", "string", "datetime")


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_mixed_tables_of_any_library_are_typed_alike(make):
    columns = read_columns(make(MIXED))
    assert columns.names == tuple(MIXED)
    assert columns.kinds == KINDS
    assert columns.n_missing.tolist() == [1, 0, 0, 1, 1]
    codes, levels = columns.levels(3)
    assert (codes.tolist(), levels) == ([1, -1, 0], ("blue", "red"))
    ((_, days),) = columns.numeric_blocks([4])
    assert days[2, 0] - days[0, 0] == 86_400
    assert np.isnan(days[1, 0])


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_taking_a_subset_keeps_the_type_of_the_table(make):
    table = make(MIXED)
    cut = read_columns(table).take({1, 3}, np.array([2, 0]))
    assert type(cut) is type(table)
    assert cut.shape == (2, 2)
    assert list(cut["count"].to_pylist() if hasattr(cut, "schema") and isinstance(cut, pa.Table)
                else cut["count"]) == [3, 1]  # fmt: skip


def test_categories_stay_categories_in_what_an_estimator_gets():
    table = pd.DataFrame({"c": pd.Categorical(["x", "y"]), "n": [1, 2]})
    columns = read_columns(table)
    assert columns.kinds == ("categorical", "numeric")
    assert isinstance(columns.take({0})["c"].dtype, pd.CategoricalDtype)


def test_levels_of_categories_follow_their_declared_order():
    series = pd.Categorical(["low", "high", "low"], categories=["low", "mid", "high"])
    codes, levels = read_columns(pd.DataFrame({"c": series})).levels(0)
    assert (codes.tolist(), levels) == ([0, 1, 0], ("low", "high"))


def test_pandas_nullable_and_time_zone_columns():
    table = pd.DataFrame(
        {
            "i": pd.array([1, None, 3], dtype="Int64"),
            "b": pd.array([True, None, False], dtype="boolean"),
            "when": pd.to_datetime(["2024-01-01", None, "2024-01-02"]).tz_localize("Europe/Paris"),
            "for": pd.to_timedelta([1, 2, None], unit="h"),
        }
    )
    columns = read_columns(table)
    assert columns.kinds == ("numeric", "boolean", "datetime", "datetime")
    assert columns.n_missing.tolist() == [1, 1, 1, 1]
    assert columns.matrix[0].tolist()[:2] == [1.0, 1.0]


def test_object_columns_are_numbers_if_they_can_be_and_text_otherwise():
    table = pd.DataFrame({"n": [1, 2.5, None], "t": [1, "a", None]}, dtype=object)
    assert read_columns(table).kinds == ("numeric", "string")


def test_decimals_and_dates_in_object_columns_keep_their_order():
    table = pd.DataFrame(
        {
            "amount": [Decimal(2), Decimal(10), None],
            "day": [dt.date(2024, 1, 9), dt.date(2024, 1, 10), None],
        }
    )
    columns = read_columns(table)
    assert columns.kinds == ("numeric", "datetime")
    assert columns.n_missing.tolist() == [1, 1]
    assert columns.matrix[1, 1] - columns.matrix[0, 1] == 86_400


def test_record_batches_keep_their_names():
    batch = pa.record_batch({"a": [1, 2], "b": ["x", "y"]})
    assert read_columns(batch).names == ("a", "b")


def test_levels_that_cannot_be_told_apart_are_refused_by_name():
    columns = read_columns(pd.DataFrame({"c": pd.Categorical([1, "1"] * 3)}))
    with pytest.raises(ValueError, match="column 'c' cannot be read as levels: .* when written"):
        columns.levels(0)


CELLS = np.random.default_rng(0).choice(["b", "a", "ü", "", None], 60).tolist()
DECLARED = ["ü", "no", "a", "", "b"]


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"c": CELLS}),
        pl.DataFrame({"c": CELLS}),
        pa.table({"c": CELLS}),
        pd.DataFrame({"c": pd.Categorical(CELLS, DECLARED)}),
        pl.DataFrame({"c": CELLS}, schema={"c": pl.Enum(DECLARED)}),
        pa.table({"c": pa.array(CELLS).dictionary_encode()}),
    ],
    ids=["pandas text", "polars text", "arrow text", "pandas", "polars", "arrow"],
)
def test_levels_of_many_cells_are_found_as_those_of_few(table, monkeypatch):
    columns = read_columns(table)
    few, levels = columns.levels(0)
    assert [levels[code] if code >= 0 else None for code in few] == CELLS
    monkeypatch.setattr("thresher.columns._columns._FEW_CELLS", 0)
    many, same = columns.levels(0)
    assert same == levels
    assert many.dtype == few.dtype == np.int32
    assert many.tolist() == few.tolist()


def test_nested_values_are_refused_by_name():
    with pytest.raises(ValueError, match="'bad'"):
        read_columns(pl.DataFrame({"ok": [1, 2], "bad": [[1], [2]]}))
    with pytest.raises(ValueError, match="column 'bad' holds nested values"):
        read_columns(pd.DataFrame({"bad": [[1], {"a": 2}]}))


def test_arrays_and_sparse_matrices():
    X = np.array([[0.0, 1.0], [2.0, np.nan]])
    for table in (X, sp.csr_array(X), sp.csc_matrix(X), X.tolist()):
        columns = read_columns(table)
        assert columns.names == ("x0", "x1")
        assert columns.n_missing.tolist() == [0, 1]
        assert np.array_equal(columns.matrix, X, equal_nan=True)


@pytest.mark.parametrize(
    "make", [np.asarray, sp.csc_array, lambda X: pd.DataFrame(X, columns=["x0", "x1"])]
)
def test_infinite_values_are_refused_by_name(make):
    with pytest.raises(ValueError, match="infinity.*'x1'"):
        read_columns(make(np.array([[1.0, np.inf], [2.0, 3.0]])))


def test_duplicate_names_are_refused_by_name():
    with pytest.raises(ValueError, match="more than once: 'a'"):
        read_columns(pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]))
    with pytest.raises(ValueError, match="more than once: '1'"):
        read_columns(pd.DataFrame([[1, 2]], columns=[1, "1"]))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_tables_without_rows_or_columns_are_refused(shape):
    with pytest.raises(ValueError, match="a minimum of 1 is required"):
        read_columns(np.empty(shape))


def test_other_shapes_and_types_are_refused():
    with pytest.raises(ValueError, match="two-dimensional"):
        read_columns(np.arange(3))
    for X in ([[(1, 2), None]] * 3, [[1.0, 2.0], [1.0]]):
        with pytest.raises(ValueError, match="rows are of the same length, with one value"):
            read_columns(X)
    with pytest.raises(ValueError, match="column x1 of the array is not numeric"):
        read_columns(np.array([[1, "a"], [2, "b"]], dtype=object))
    with pytest.raises(ValueError, match="names has 1 entries for 2 columns"):
        read_columns(np.ones((2, 2)), names=["a"])


def test_many_columns_are_read_in_reasonable_time():
    table = pd.DataFrame(np.zeros((3, 20_000)), columns=[f"c{i}" for i in range(20_000)])
    assert read_columns(table).n_columns == 20_000


def test_constant_columns_are_known():
    X = np.array([[1.0, 0.0, np.nan, np.nan, 0.0], [1.0, 0.0, np.nan, 2.0, 3.0]])
    assert read_columns(X).constant.tolist() == [True, True, True, False, False]
    assert read_columns(sp.csr_array(X[:, [0, 1, 4]])).constant.tolist() == [True, True, False]
    frame = pd.DataFrame({"a": ["k", "k"], "b": ["k", None], "c": [None, None]})
    assert read_columns(frame).constant.tolist() == [True, False, True]


def test_columns_without_names_of_their_own():
    columns = read_columns(pd.DataFrame(np.eye(3)))
    assert columns.names == ("0", "1", "2")
    assert columns.take({2, 0}).columns.tolist() == [0, 2]
