"""Parquet and Arrow: types of the file, and files that are broken."""

from decimal import Decimal
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from thresher.files import TableError, read_table


def write_arrow(table: pa.Table, path: Path) -> Path:
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    else:
        opened = pa.ipc.new_file if path.suffix == ".arrow" else pa.ipc.new_stream
        with opened(path, table.schema) as sink:
            sink.write_table(table)
    return path


@pytest.fixture(params=["t.parquet", "t.arrow", "stream.ipc"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / str(request.param)


def test_types_that_become_plain(path: Path) -> None:
    table = pa.table(
        {
            "money": pa.array([Decimal("1.50"), None]),
            "void": pa.nulls(2),
            "small": pa.array([1.5, float("nan")], pa.float32()),
            "byte": pa.array([1, None], pa.uint8()),
            "y": [1, 2],
        }
    )
    X = read_table(write_arrow(table, path), "y").X
    assert X.dtypes == [pl.Float64, pl.Float64, pl.Float32, pl.UInt8]
    assert X.rows() == [(1.5, None, 1.5, 1), (None, None, None, None)]


@pytest.mark.parametrize(
    ("values", "what"),
    [([[1], [2]], "nested"), ([{"a": 1}, None], "nested"), ([b"a", b"b"], "unsupported")],
)
def test_nested_and_binary_columns_are_refused_unless_dropped(
    path: Path, values: list[object], what: str
) -> None:
    write_arrow(pa.table({"a": [1, 2], "odd": pa.array(values), "y": [1, 2]}), path)
    with pytest.raises(TableError, match=f"column 'odd' holds {what} values"):
        read_table(path, "y")
    assert read_table(path, "y", drop=["odd"]).feature_names == ("a",)


def test_hostile_names(path: Path) -> None:
    names = ["two\nlines", 'quo"te', "Größe 🌾", "", " a ", "y"]
    write_arrow(pa.table([pa.array([1.0])] * 6, names=names), path)
    found = read_table(path, "y").feature_names
    assert found == ("two\nlines", 'quo"te', "Größe 🌾", "unnamed_3", " a ")


def test_duplicate_names(path: Path) -> None:
    write_arrow(pa.table([pa.array([1])] * 4, names=["a", "b", "a", "y"]), path)
    with pytest.raises(TableError, match=r"duplicate column name 'a' \(columns 1, 3\)"):
        read_table(path, "y")


def test_no_rows(path: Path) -> None:
    write_arrow(pa.table({"a": pa.array([], pa.int64()), "y": pa.array([], pa.int64())}), path)
    with pytest.raises(TableError, match="columns but no rows"):
        read_table(path, "y")


@pytest.mark.parametrize("damage", ["cut", "garbage", "swapped"])
def test_corrupt_files(path: Path, damage: str) -> None:
    write_arrow(pa.table({"a": range(1000), "y": range(1000)}), path)
    data = path.read_bytes()
    damaged = {
        "cut": data[: len(data) // 2],
        "garbage": b"\x93\x00\xff" * 50,
        "swapped": data[::-1],
    }
    path.write_bytes(damaged[damage])
    with pytest.raises(TableError, match="corrupt, or not a") as caught:
        read_table(path, "y")
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_the_index_of_pandas_is_a_column(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1, 2], "y": pd.Categorical(["u", "v"])}, index=[5, 6])
    frame.to_parquet(tmp_path / "t.parquet")
    table = read_table(tmp_path / "t.parquet", "y")
    assert table.feature_names == ("a", "__index_level_0__")
    assert table.y.tolist() == ["u", "v"]
