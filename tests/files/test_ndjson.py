"""Rows of JSON objects."""

import polars as pl
import pytest

from thresher.files import TableError, read_table

from .conftest import Write


def test_keys_may_be_missing_and_in_any_order(write: Write) -> None:
    text = '{"a": 1, "y": "u"}\n\n{"y": "v", "b": true}\n{"b": null, "y": "w", "c": "x"}\n'
    X = read_table(write("t.ndjson", text), "y").X
    assert X.columns == ["a", "b", "c"]
    assert X.rows() == [(1, None, None), (None, True, None), (None, None, "x")]
    assert X.dtypes == [pl.Int64, pl.Boolean, pl.String]


@pytest.mark.parametrize(
    ("cells", "dtype", "values"),
    [
        (["1", "null"], pl.Int64, [1, None]),
        (["1", "2.5", "NaN"], pl.Float64, [1.0, 2.5, None]),
        (["1", "9" * 5000], pl.Float64, [1.0, float("inf")]),
        (["1", '"2"', "true"], pl.String, ["1", "2", "true"]),
        (['"1"', '"NA"', '""'], pl.String, ["1", "NA", ""]),
        (["null", "null"], pl.Float64, [None, None]),
        (["true", "1"], pl.String, ["true", "1"]),
    ],
)
def test_types(write: Write, cells: list[str], dtype: pl.DataType, values: list[object]) -> None:
    path = write("t.jsonl", "".join(f'{{"x": {cell}, "y": 1}}\n' for cell in cells))
    x = read_table(path, "y").X["x"]
    assert x.dtype == dtype
    assert x.to_list() == values


@pytest.mark.parametrize("nested", ["[1]", "{}", '{"z": 1}', "[]"])
def test_nested_values_are_refused_unless_dropped(write: Write, nested: str) -> None:
    path = write("t.ndjson", f'{{"a": 1, "deep": 1, "y": 1}}\n{{"deep": {nested}, "y": 2}}\n')
    with pytest.raises(TableError, match="column 'deep' holds nested values"):
        read_table(path, "y")
    with pytest.raises(TableError, match="column 'deep' holds nested values"):
        read_table(path, "deep")
    assert read_table(path, "y", drop=["deep"]).feature_names == ("a",)


def test_hostile_keys(write: Write) -> None:
    text = r'{"two\nlines": 1, "": 2, "quo\"te": 3, "\u00e9\ud83c\udf3e": 4, "y": 1}'
    names = read_table(write("t.ndjson", text), "y").feature_names
    assert names == ("two\nlines", "unnamed_1", 'quo"te', "é🌾")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"y": 1,}', "not valid JSON at column"),
        ("[1, 2]", "expected a JSON object"),
        ("[", "not valid JSON"),
        ("5", "expected a JSON object"),
        ('{"y": 1, "y": 2}', "duplicate key 'y'"),
        (r'{"y": "\ud83c"}', "half of a surrogate pair"),
        (r'{"\udf3e": 1}', "half of a surrogate pair"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_broken_rows_are_named_by_line(write: Write, line: str, message: str) -> None:
    path = write("t.ndjson", f'{{"y": 1, "a": 2}}\n{line}\n')
    with pytest.raises(TableError, match=message) as caught:
        read_table(path, "y")
    assert str(caught.value).startswith(f"{path}, line 2: ")


def test_rows_without_keys(write: Write) -> None:
    with pytest.raises(TableError, match="no row has any key"):
        read_table(write("t.ndjson", "{}\n{}\n"), "y")
