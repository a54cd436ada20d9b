"""The same table written in every format comes back the same, as far as the format can tell."""

import gzip
import json
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest
from polars.testing import assert_frame_equal

from thresher.files import Table, read_table


def as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """What a format without categories makes of the frame."""
    return frame.with_columns(pl.col("kind").cast(pl.String))


def arff_text(frame: pl.DataFrame) -> str:
    types = {
        pl.String: "string",
        pl.Enum: "{low, mid, high}",
        pl.Date: "DATE 'yyyy-MM-dd'",
        pl.Datetime: "date \"yyyy-MM-dd'T'HH:mm:ss.SSSSSS\"",
        pl.Boolean: "{true,false}",
    }
    lines = ["@RELATION mixed", ""]
    lines += [
        f"@Attribute '{name}' {types.get(dtype.base_type(), 'numeric')}"
        for name, dtype in frame.schema.items()
    ]
    lines.append("@DATA")
    for row in frame.cast({"day": pl.String, "moment": pl.String}).rows():
        cells = [cell.replace(" ", "T") if i == 7 and cell else cell for i, cell in enumerate(row)]
        lines.append(",".join("?" if cell is None else json.dumps(cell) for cell in cells))
    return "\n".join(lines)


def check(table: Table, expected: pl.DataFrame) -> None:
    assert_frame_equal(table.X, expected.drop("class"))
    assert table.y.dtype == object
    assert table.y.tolist() == ["a", "b", "a", "b"]
    assert table.feature_names == tuple(expected.columns[:-1])
    assert table.target_name == "class"
    assert table.n_rows == 4


@pytest.mark.parametrize(("suffix", "separator"), [("csv", ","), ("csv", ";"), ("csv", "|")])
def test_csv(suffix: str, separator: str, mixed: pl.DataFrame, tmp_path: Path) -> None:
    mixed.write_csv(tmp_path / f"t.{suffix}", separator=separator)
    check(read_table(tmp_path / f"t.{suffix}", "class"), as_text(mixed))


@pytest.mark.parametrize("name", ["t.tsv", "t.csv", "T.TAB"])
def test_tab_separated(name: str, mixed: pl.DataFrame, tmp_path: Path) -> None:
    mixed.write_csv(tmp_path / name, separator="\t", null_value="NA")
    check(read_table(str(tmp_path / name), "class"), as_text(mixed))


@pytest.mark.parametrize("name", ["t.parquet", "t.pq"])
def test_parquet(name: str, mixed: pl.DataFrame, tmp_path: Path) -> None:
    mixed.write_parquet(tmp_path / name)
    check(read_table(tmp_path / name, "class"), mixed)


@pytest.mark.parametrize("writer", ["write_ipc", "write_ipc_stream"])
@pytest.mark.parametrize("name", ["t.arrow", "t.feather"])
def test_arrow_file_and_stream(writer: str, name: str, mixed: pl.DataFrame, tmp_path: Path) -> None:
    getattr(mixed, writer)(tmp_path / name)
    check(read_table(tmp_path / name, "class"), mixed)


def test_feather_with_unordered_dictionary(mixed: pl.DataFrame, tmp_path: Path) -> None:
    mixed = mixed.with_columns(pl.col("kind").cast(pl.String).cast(pl.Categorical))
    pa.feather.write_feather(mixed.to_arrow(), tmp_path / "t.feather", compression="zstd")
    check(read_table(tmp_path / "t.feather", "class"), mixed)


@pytest.mark.parametrize("name", ["t.ndjson", "t.jsonl"])
def test_ndjson(name: str, mixed: pl.DataFrame, tmp_path: Path) -> None:
    mixed.write_ndjson(tmp_path / name)
    check(read_table(tmp_path / name, "class"), as_text(mixed))


def test_arff(mixed: pl.DataFrame, tmp_path: Path) -> None:
    (tmp_path / "t.arff").write_text(arff_text(mixed), encoding="utf-8")
    numbers = ("count", "gappy count")
    expected = mixed.with_columns(
        pl.col(numbers).cast(pl.Float64),
        pl.col("day").cast(pl.Datetime("us")),
        pl.col("flag").cast(pl.String).cast(pl.Enum(["true", "false"])),
    )
    check(read_table(tmp_path / "t.arff", "class"), expected)


@pytest.mark.parametrize("suffix", ["csv", "tsv", "ndjson", "jsonl", "arff"])
def test_compressed_text(suffix: str, mixed: pl.DataFrame, tmp_path: Path) -> None:
    plain, packed = tmp_path / f"t.{suffix}", tmp_path / f"packed.{suffix}.gz"
    if suffix == "arff":
        plain.write_text(arff_text(mixed), encoding="utf-8")
    elif suffix in ("csv", "tsv"):
        mixed.write_csv(plain, separator="," if suffix == "csv" else "\t")
    else:
        mixed.write_ndjson(plain)
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    expected = read_table(plain, "class")
    table = read_table(packed, "class")
    assert_frame_equal(table.X, expected.X)
    np.testing.assert_array_equal(table.y, expected.y)


@pytest.mark.parametrize(
    ("target", "dtype"), [("count", "int64"), ("class", "object"), ("whole", "float64")]
)
def test_the_type_of_the_target(
    target: str, dtype: str, mixed: pl.DataFrame, tmp_path: Path
) -> None:
    mixed = mixed.with_columns(whole=pl.Series([1.0, 2.0, 3.5, 4.0], dtype=pl.Float32))
    mixed.write_parquet(tmp_path / "t.parquet")
    table = read_table(tmp_path / "t.parquet", target)
    assert table.y.dtype == dtype
    assert table.y.tolist() == mixed[target].to_list()
    assert target not in table.feature_names


def test_bool_and_category_targets(mixed: pl.DataFrame, tmp_path: Path) -> None:
    mixed.head(2).write_parquet(tmp_path / "t.parquet")
    flag = read_table(tmp_path / "t.parquet", "flag").y
    assert flag.dtype == bool
    assert flag.tolist() == [True, False]
    kind = read_table(tmp_path / "t.parquet", "kind").y
    assert kind.dtype == object
    assert kind.tolist() == ["low", "high"]
