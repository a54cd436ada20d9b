"""Names of columns that mean mischief come through every format as they are."""

import csv
import io
import json
import os

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

from thresher import Selection, select
from thresher.columns import read_columns
from thresher.files import read_table

NAMES = (
    "two\nlines",
    "tab\there",
    "it's",
    'say "so"',
    "a,b;c|d",
    "back\\slash",
    "=cmd()",
    "+1",
    "@SUM(1)",
    "<script>alert(1)</script>",
    "\x1b[31mred\x1b[0m",
    "\x07bell",
    "\x9b2J",
    "\u202eright to left",
    "עברית",
    "e\u0301",
    "é",
    "👩‍👩‍👧‍👦",
    "身長",
    "\u200b",
    "$x_1^2$",
    "%s{0}",
    "nan",
    "0",
    "?",
    "w" * 10_000,
)
ROWS = 6


def cells():
    return np.random.default_rng(0).normal(size=(ROWS, len(NAMES))).round(3)


def frame():
    columns = dict(zip(NAMES, cells().T, strict=True))
    return pl.DataFrame({**columns, "target": ["u", "v"] * (ROWS // 2)})


def as_csv():
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*NAMES, "target"])
    writer.writerows(frame().rows())
    return stream.getvalue().encode()


def as_ndjson():
    return "\n".join(json.dumps(row) for row in frame().to_dicts()).encode()


def as_arff():
    def quoted(name):
        return "'" + name.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"

    lines = ["@relation hostile"]
    lines += [f"@attribute {quoted(name)} numeric" for name in NAMES]
    lines += ["@attribute target {u,v}", "@data"]
    lines += [",".join(map(str, row)) for row in frame().rows()]
    return "\n".join(lines).encode()


def as_parquet():
    stream = io.BytesIO()
    pq.write_table(frame().to_arrow(), stream)
    return stream.getvalue()


def as_arrow():
    stream = io.BytesIO()
    feather.write_feather(frame().to_arrow(), stream)
    return stream.getvalue()


FORMATS = {
    "csv": as_csv, "ndjson": as_ndjson, "arff": as_arff, "parquet": as_parquet, "arrow": as_arrow,
}  # fmt: skip


@pytest.mark.parametrize("form", FORMATS)
def test_names_are_read_as_they_are(form, write):
    table = read_table(write(f"x.{form}", FORMATS[form]()), "target")
    assert table.feature_names == NAMES
    np.testing.assert_array_equal(table.X.to_numpy(), cells())


@pytest.mark.parametrize("name", ["nul\x00inside"])
@pytest.mark.parametrize("form", ["ndjson", "parquet", "arrow"])
def test_zero_characters_in_names(form, name, write, tmp_path):
    table = pl.DataFrame({name: [1.0, 2.0], "target": ["u", "v"]})
    path = tmp_path / f"x.{form}"
    {"ndjson": table.write_ndjson, "parquet": table.write_parquet, "arrow": table.write_ipc}[form](
        path
    )
    assert read_table(path, "target").feature_names == (name,)


def test_zero_characters_in_text_are_told(write):
    with pytest.raises(ValueError, match="a zero byte"):
        read_table(write("x.csv", "nul\x00inside,target\n1,u\n"), "target")


@pytest.mark.parametrize("form", ["csv", "ndjson", "parquet"])
def test_columns_without_a_name_get_one(form, write, tmp_path):
    table = pl.DataFrame({"": [1.0, 2.0], " ": [3.0, 4.0], "target": ["u", "v"]})
    path = tmp_path / f"x.{form}"
    {"csv": table.write_csv, "ndjson": table.write_ndjson, "parquet": table.write_parquet}[form](
        path
    )
    found = read_table(path, "target").feature_names
    assert found[0] == "unnamed_0"
    assert found[1] == ("unnamed_1" if form == "csv" else " ")


@pytest.mark.parametrize("name", ["a", "\x1b[31m", "two\nlines"])
def test_duplicates_are_told_in_one_printable_line(name, write):
    quoted = f'"{name}"'
    with pytest.raises(ValueError, match="duplicate column name") as caught:
        read_table(write("x.csv", f"{quoted},{quoted},target\n1,2,u\n"), "target")
    assert str(caught.value).isprintable()
    assert repr(name) in str(caught.value)


def test_tables_of_arrow_with_duplicates_and_with_equal_columns():
    with pytest.raises(ValueError, match="more than once: 'a'"):
        read_columns(pa.table([[1, 2], [3, 4]], names=["a", "a"]))
    assert read_columns(pa.table({"a": [1, 2], "b": [1, 2]})).names == ("a", "b")


def test_devices_are_refused_before_they_fill_the_memory():
    for path in ("/dev/zero", "/dev/null"):
        with pytest.raises(ValueError, match="a device"):
            read_table(path, "target", format="csv")


def test_pipes_are_read(tmp_path):
    # what a shell's process substitution gives
    read, write = os.pipe()
    os.write(write, b"a,target\n1,u\n2,v\n")
    os.close(write)
    try:
        assert read_table(f"/dev/fd/{read}", "target", format="csv").feature_names == ("a",)
    finally:
        os.close(read)


def test_the_whole_way_from_a_file_to_a_page(write, tmp_path):
    wide = cells()
    rows = np.random.default_rng(1).normal(size=(60, len(NAMES)))
    table = pl.DataFrame(dict(zip(NAMES, rows.T, strict=True)))
    assert wide.shape[1] == table.shape[1]
    table = table.with_columns(target=pl.Series(np.where(rows[:, 10] + rows[:, 2] > 0, "u", "v")))
    path = tmp_path / "x.parquet"
    table.write_parquet(path)
    found = select(path, "target", method="fcbf", random_state=0)
    assert "\x1b[31mred\x1b[0m" in found.selected
    found.save(tmp_path / "result.json")
    loaded = Selection.load(tmp_path / "result.json")
    assert [verdict.name for verdict in loaded.verdicts] == list(NAMES)
    loaded.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert not set(page) & set("\x1b\x07\x9b\u202e\u200b")
    for shown in (repr(loaded), loaded._repr_html_()):
        assert all(c == "\n" or c.isprintable() for c in shown)
    assert loaded.to_frame("polars")["name"].to_list() == list(NAMES)
