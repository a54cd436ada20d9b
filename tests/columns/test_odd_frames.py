"""Frames whose labels, dates and cells are not what one expects."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from thresher.columns import read_columns

DISTANT = [dt.date(1, 1, 1), None, dt.date(9999, 12, 31)]
SECONDS = [-62135596800.0, np.nan, 253402214400.0]


@pytest.mark.parametrize("label", [0, 7, 1.5, ("a", 0), None])
@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([1, "b", None], "string"),
        (pd.to_datetime(["2024-01-01", None, "2024-01-02"]), "datetime"),
        (pd.to_timedelta([1, 2, None], unit="D"), "datetime"),
        ([dt.date(2024, 1, 1), None, dt.date(2024, 1, 2)], "datetime"),
    ],
    ids=["objects", "moments", "durations", "dates"],
)
def test_labels_that_are_not_text(label, cells, kind):
    frame = pd.DataFrame({"x": pd.Series(cells, dtype=getattr(cells, "dtype", object))})
    frame.columns = pd.Index([label], tupleize_cols=False)
    assert read_columns(frame).kinds == (kind,)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, False, "b"], "count as the same: '0', 'False'"),
        ([1, "1", "b"], "more than once: '1'"),
        ([None, "None", "b"], "more than once: 'None'"),
        ([1, 1.0, "b"], "count as the same: '1', '1.0'"),
    ],
)
def test_labels_that_cannot_be_told_apart(labels, message):
    frame = pd.DataFrame(np.eye(3))
    frame.columns = pd.Index(labels, dtype=object)
    with pytest.raises(ValueError, match=message):
        read_columns(frame)


def test_arrow_columns_with_the_same_cells_are_two_columns():
    assert read_columns(pa.table({"a": [1, 2], "b": [1, 2]})).names == ("a", "b")
    with pytest.raises(ValueError, match="more than once: 'a'"):
        read_columns(pa.table([[1, 2], [3, 4]], names=["a", "a"]))


@pytest.mark.parametrize("make", [pa.table, pl.DataFrame, pd.DataFrame])
def test_distant_dates(make):
    columns = read_columns(make({"day": DISTANT}))
    assert columns.kinds == ("datetime",)
    np.testing.assert_array_equal(columns.matrix[:, 0], SECONDS)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([10**400, 1], "'a' holds a number too large for float64"),
        ([np.timedelta64(1, "D"), 1], "'a' cannot be read as numbers"),
        ([np.complex128(1j), 1], "'a'"),
    ],
)
def test_cells_that_are_hardly_numbers(cells, message):
    with pytest.raises(ValueError, match=message):
        read_columns(pd.DataFrame({"a": pd.Series(cells, dtype=object)}))


@pytest.mark.parametrize(
    ("cell", "kind"), [("text", ValueError), (10**400, ValueError), ({}, TypeError)]
)
def test_arrays_of_objects_name_the_column(cell, kind):
    X = np.array([[1, 2], [3, cell]], dtype=object)
    with pytest.raises(kind, match="column x1 of the array is not numeric"):
        read_columns(X)
