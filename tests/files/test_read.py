"""What `read_table` does for every format: choice of the reader, targets, drops, and its errors."""

import dataclasses
import gzip
import io
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from thresher.files import FORMATS, Table, TableError, read_table

from .conftest import Write

CSV = "a,b,class\n1,x,u\n2,z,v\n"


def error(path: object, target: str | None = "class", **options: object) -> str:
    with pytest.raises(TableError) as caught:
        read_table(path, target, **options)  # type: ignore[arg-type]
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_table_is_a_frozen_record(write: Write) -> None:
    table = read_table(write("t.csv", CSV), "class")
    assert isinstance(table, Table)
    with pytest.raises(dataclasses.FrozenInstanceError):
        table.y = np.zeros(2)  # type: ignore[misc]


def test_suffixes_do_not_clash() -> None:
    endings = [ending for known in FORMATS.values() for ending in known.endings]
    assert len(endings) == len(set(endings))
    assert all(ending == ending.lower() and ending.startswith(".") for ending in endings)


@pytest.mark.parametrize("format", ["csv", "CSV", ".csv", "csv.gz"])
def test_format_overrides_the_suffix(write: Write, format: str) -> None:
    assert read_table(write("t.data", CSV), "class", format=format).n_rows == 2


def test_gzip_is_recognised_by_its_content(write: Write) -> None:
    packed = gzip.compress(CSV.encode())
    assert read_table(write("t.csv", packed), "class").n_rows == 2
    assert read_table(write("t.gz", packed), "class", format="csv").n_rows == 2


@pytest.mark.parametrize(
    ("format", "content"),
    [
        (None, CSV.encode()),
        ("tsv", CSV.replace(",", "\t").encode()),
        ("ndjson", b'{"a": 1, "class": "u"}\n{"a": 2, "class": "v"}\n'),
        (None, gzip.compress(CSV.encode(), mtime=0)),
    ],
)
def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, format: str | None, content: bytes
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    table = read_table("-", "class", format=format)
    assert table.y.tolist() == ["u", "v"]


def test_errors_in_standard_input_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"a,y\n1\n")))
    assert error("-", "y").startswith("standard input, line 2: 1 field,")
    assert error("-", "y") == "standard input: empty: there is nothing to read"


def test_drop(write: Write) -> None:
    path = write("t.csv", CSV)
    assert read_table(path, "class", drop=["a"]).feature_names == ("b",)
    assert read_table(path, "class", drop="a").feature_names == ("b",)
    assert "no dropped column 'A'; did you mean 'a'?" in error(path, drop=["A"])
    assert "the target 'class' cannot be dropped" in error(path, drop=["class"])
    assert "no column is left besides the target 'class'" in error(path, drop=["a", "b"])


def test_unknown_target(write: Write) -> None:
    path = write("t.csv", CSV)
    message = error(path, "clas")
    assert message.startswith(f"{path}: no target column 'clas'; did you mean 'class'?")
    assert message.endswith("The columns are 'a', 'b', 'class'")
    assert "did you mean 'class'?" in error(path, " CLASS ")
    assert "no target column 'q'. The columns are" in error(path, "q")
    wide = write("wide.csv", ",".join(f"c{i}" for i in range(50)) + "\n" + ",".join("1" * 50))
    assert error(wide, "target").endswith("'c6', 'c7', ... (50 in all)")


def test_no_target(write: Write) -> None:
    assert "say which column is the target, 'class' for" in error(write("t.csv", CSV), None)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", "a,y\n1,u\n2,\n3,?\n"),
        ("t.csv", 'a,y\n1,"5"\n2,NaN\n3,NA\n'),
        ("t.ndjson", '{"a": 1, "y": 1.5}\n{"a": 2, "y": NaN}\n{"a": 3}\n'),
        ("t.arff", "@attribute a real\n@attribute y {u}\n@data\n1,u\n2,?\n3,?\n"),
    ],
)
def test_missing_targets_are_counted(write: Write, name: str, content: str) -> None:
    path = write(name, content)
    expected = f"{path}: the target 'y' has 2 missing values, the first in data row 2"
    assert error(path, "y").startswith(expected)


def test_one_missing_target(write: Write) -> None:
    assert "has 1 missing value, the first" in error(write("t.csv", "a,y\n1,\n2,u\n"), "y")


def test_dates_are_no_target(write: Write) -> None:
    path = write("t.csv", "a,y\n1,2024-01-01\n")
    assert "the target 'y' holds dates or times (Date)" in error(path, "y")


@pytest.mark.parametrize("header", ["a,b,a,y", "a,b, a ,y", '"a","b","a","y"'])
def test_duplicate_names(write: Write, header: str) -> None:
    path = write("t.csv", f"{header}\n1,2,3,u\n")
    assert error(path, "y") == f"{path}: duplicate column name 'a' (columns 1, 3)"


def test_several_duplicate_names(write: Write) -> None:
    path = write("t.csv", "a,b,a,b,y,y\n1,2,3,4,u,v\n")
    assert error(path, "y").endswith("'a' (columns 1, 3); also repeated: 'b', 'y'")
    arff = "@attribute a real\n@attribute a real\n@attribute y {u}\n@data\n1,2,u\n"
    assert "duplicate column name 'a' (columns 1, 2)" in error(write("t.arff", arff), "y")


def test_file_missing_or_directory(tmp_path: Path) -> None:
    assert error(tmp_path / "no.csv") == f"{tmp_path}/no.csv: no such file"
    (tmp_path / "folder.csv").mkdir()
    assert "folder.csv: this is a directory, not a file" in error(tmp_path / "folder.csv")
    assert "cannot be read" in error("zero\0byte.csv")


@pytest.mark.parametrize("ending", sorted(e for known in FORMATS.values() for e in known.endings))
def test_empty_files(write: Write, ending: str) -> None:
    target = None if "svm" in ending else "y"
    path = write(f"t{ending}", "")
    assert error(path, target) == f"{path}: empty: there is nothing to read"


@pytest.mark.parametrize("content", ["\n \n", "\ufeff", '""\n', "\ufeff \n"])
def test_files_of_white_space(write: Write, content: str) -> None:
    assert "empty: there is nothing to read" in error(write("t.csv", content))


@pytest.mark.parametrize("content", ["a,class\n", "a,class", "a,class\n\n \n", '"a","class"\n'])
def test_header_only(write: Write, content: str) -> None:
    assert "there are columns but no rows" in error(write("t.csv", content))
    assert "there are attributes but no rows" in error(
        write("t.arff", "@attribute a real\n@data\n% nothing\n")
    )


def test_unknown_suffix_and_format(write: Write) -> None:
    message = error(write("t.xlsx", "x"))
    assert "t.xlsx: unknown suffix" in message
    assert ".csv, .csv.gz, .tsv" in message
    assert ".parquet" in message
    assert ".parquet.gz" not in message
    assert "unknown suffix" in error(write("csv", CSV))
    known = "csv, tsv, parquet, arrow, arff, ndjson, libsvm"
    assert error(write("t.csv", CSV), format="xml").endswith(f"the known ones are {known}")


@pytest.mark.parametrize("ending", [".csv.gz", ".arff.gz", ".ndjson.gz"])
def test_corrupt_gzip(write: Write, ending: str) -> None:
    packed = gzip.compress(CSV.encode() * 100)
    assert "corrupt gzip data" in error(write(f"t{ending}", packed[:-20]))
    flipped = packed[:20] + bytes([packed[20] ^ 0xFF]) + packed[21:]
    assert "corrupt gzip data" in error(write(f"t{ending}", flipped))
    assert "the name says gzip" in error(write(f"t{ending}", CSV))


@pytest.mark.parametrize("ending", [".csv", ".arff", ".ndjson", ".tsv"])
def test_not_utf8(write: Write, ending: str) -> None:
    path = write(f"t{ending}", "a,class\n1,Köln\n".encode("latin-1"))
    assert error(path) == (
        f"{path}, line 2: not UTF-8: byte 0xf6 at position 4 of the line; "
        "convert the file to UTF-8 first"
    )
    assert "looks like UTF-16" in error(write(f"t{ending}", CSV.encode("utf-16")))


def test_binary_garbage(write: Write) -> None:
    assert "line 1: a zero byte: this is not text but binary" in error(write("t.csv", b"a\0,b\n"))
    assert "not text but a Parquet file" in error(write("t.csv", b"PAR1\x15\0\x15"))
    garbage = np.random.default_rng(0).bytes(1000)
    assert "t.csv" in error(write("t.csv", garbage))


def test_long_and_hostile_names_are_shown_on_one_line(write: Write) -> None:
    name = "x" * 500 + "\n"
    message = error(write("t.csv", f'"{name}z","a\nb",y\n1,2,3\n'), "a b")
    assert "'a\\nb'" in message
    assert len(message) < 400


@pytest.mark.parametrize(
    ("name", "packages"),
    [("t.csv", "polars"), ("t.arff", "polars"), ("t.parquet", "polars and pyarrow")],
)
def test_absent_packages(monkeypatch: pytest.MonkeyPatch, name: str, packages: str) -> None:
    monkeypatch.setattr("thresher.files._read.find_spec", lambda package: None)
    with pytest.raises(ImportError, match=rf"needs {packages}: pip install thresher\[cli\]"):
        read_table(name, "y")
