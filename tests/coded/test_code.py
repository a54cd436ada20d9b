"""Codes are those of the table in memory, whatever the files, batches and types."""

import os
import pickle
import sys

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from thresher.coded import code_dataset, read_memory
from thresher.coded._memory import make_plan
from thresher.columns import Labels, bin_columns, read_columns
from thresher.files import TableError


def test_codes_are_those_of_the_table_in_memory(frame, folder):
    with code_dataset(folder, "bought", drop=["score"]) as table:
        expected = read_columns(frame.drop("bought", "score"))
        assert table.X.names == expected.names
        assert table.X.kinds == expected.kinds
        np.testing.assert_array_equal(table.X.n_missing, expected.n_missing)
        np.testing.assert_array_equal(table.X.constant, expected.constant)
        for most in (255, 65):
            ours = bin_columns(table.X, max_bins=most)
            theirs = bin_columns(expected, max_bins=most)
            np.testing.assert_array_equal(ours.n_bins, theirs.n_bins)
            for p, name in enumerate(expected.names):
                if most == 255 or table.X.coding[p].n_bins < most:
                    np.testing.assert_array_equal(ours.codes[p], theirs.codes[p], err_msg=name)
        assert isinstance(table.y, Labels)
        assert table.y.labels().tolist() == frame["bought"].to_list()
        assert table.n_rows == len(frame)
        place = table.folder
        assert place.exists()
    assert not place.exists()


def test_memory_and_threads_change_nothing(folder):
    one = code_dataset(folder, "score", drop=["bought"], memory="32MB")
    other = code_dataset(folder, "score", drop=["bought"], memory="1GB", n_jobs=2)
    for p in range(one.X.n_columns):
        np.testing.assert_array_equal(one.X.codes.column(p), other.X.codes.column(p))
        np.testing.assert_array_equal(one.X.coding[p].edges, other.X.coding[p].edges)
    np.testing.assert_array_equal(one.y, other.y)
    assert one.y.dtype == np.float64


def test_numbers_made_from_codes_are_near_those_of_the_file(frame, folder):
    table = code_dataset(folder, "score", drop=["bought"])
    rows = np.array([3, 500, 1199])
    made = table.X.take([0, 5, 7], rows)
    assert made.columns == ["x0", "whole", "hue"]
    np.testing.assert_allclose(made["x0"], frame["x0"].gather(rows), atol=0.05)
    assert made["whole"].to_list() == frame["whole"].gather(rows).to_list()
    assert made["hue"].cast(pl.String).to_list() == frame["hue"].gather(rows).to_list()
    plain = table.X.plain()
    np.testing.assert_array_equal(plain.n_missing, table.X.n_missing)
    assert plain.names == table.X.names


def test_constant_columns_do_not_stand_between_others(folder):
    table = code_dataset(folder, "score", drop=["bought"])
    assert table.X.constant.any()
    kept = table.X.informative()
    assert "same" not in kept.names
    view = kept.codes.neighbours()
    assert view is not None
    assert not view.flags.owndata
    assert not view.flags.writeable
    np.testing.assert_array_equal(bin_columns(kept).codes, view)


def test_codes_travel_by_name(folder):
    table = code_dataset(folder, "score", drop=["bought"])
    sent = pickle.dumps(table.X.codes)
    assert len(sent) < 1000
    back = pickle.loads(sent)
    np.testing.assert_array_equal(back.column(3), table.X.codes.column(3))


@pytest.mark.parametrize(
    ("task", "values", "names"),
    [
        ("auto", [1, 0, 3, 1], (0, 1, 3)),
        ("auto", [True, False, True, True], (False, True)),
        ("classification", [2.0, 5.0, 2.0, 5.0], (2, 5)),
        ("regression", [1, 0, 3, 1], None),
        ("auto", [0.5, 1.0, 2.0, 3.0], None),
    ],
)
def test_the_task_decides_what_the_target_becomes(task, values, names, tmp_path):
    pl.DataFrame({"a": [1, 2, 3, 4], "y": values}).write_parquet(tmp_path / "t.parquet")
    y = code_dataset(tmp_path / "t.parquet", "y", task=task).y
    if names is None:
        np.testing.assert_array_equal(y, np.array(values, dtype=float))
    else:
        assert y.names == names
        assert y.labels().tolist() == values


def test_odd_names_and_empty_ones(tmp_path):
    names = ["a", "a.b", "", 'say "no"', "two\nlines", "größe", "x" * 300]
    table = pa.table([pa.array([k, k + 1, 99]) for k in range(len(names))], names=names)
    table = table.append_column("y\n", pa.array([0.5, 1.5, 2.5]))
    pq.write_table(table, tmp_path / "odd.parquet")
    coded = code_dataset(tmp_path, "y\n", folder=tmp_path / "_codes")
    names[2] = "unnamed_2"
    assert coded.X.names == tuple(names)
    again = code_dataset(tmp_path, "y\n", folder=tmp_path / "_codes")
    assert again.X.names == tuple(names)
    for p in range(len(names)):
        assert again.X.codes.column(p).tolist() == [0, 1, 2]


WRONG = [
    (lambda f: f.rename({"x0": "z"}), "there is no column 'x0'"),
    (lambda f: f.with_columns(pl.lit(1).alias("more")), "there is a column 'more'"),
    (lambda f: f.with_columns(pl.col("x0").cast(pl.String)), "column 'x0' has type"),
    (lambda f: f.with_columns(x0=pl.lit(float("inf"))), "infinity.*'x0'"),
    (lambda f: f.with_columns(score=pl.lit(None, pl.Float64)), "target 'score' has .* missing"),
]


@pytest.mark.parametrize(("change", "message"), WRONG)
def test_a_file_that_does_not_fit_is_named(change, message, frame, folder):
    change(frame[:50]).write_parquet(folder / "d.parquet")
    with pytest.raises(TableError, match=rf"(?s)d\.parquet.*{message}"):
        code_dataset(folder, "score", drop=["bought"])


def test_what_cannot_be_read_is_said(folder, tmp_path, monkeypatch):
    with pytest.raises(TableError, match=r"no target column 'scor'; did you mean 'score'"):
        code_dataset(folder, "scor")
    with pytest.raises(TableError, match="no such file or folder"):
        code_dataset(tmp_path / "nowhere", "y")
    (tmp_path / "empty").mkdir()
    with pytest.raises(TableError, match="no Parquet or Arrow files"):
        code_dataset(tmp_path / "empty", "y")
    with pytest.raises(ValueError, match="memory must be a number of bytes"):
        code_dataset(folder, "score", memory="much")
    with pytest.raises(ValueError, match="max_bins must lie in 3 .. 255"):
        code_dataset(folder, "score", max_bins=256)
    (folder / "z.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(TableError, match=r"z\.parquet: cannot be read"):
        code_dataset(folder, "score")
    (folder / "z.parquet").unlink()
    (folder / "more.csv").write_text("a,b\n1,2\n")
    with pytest.raises(TableError, match=r"more\.csv.*convert it.*polars"):
        code_dataset(folder, "score")
    (folder / "more.csv").unlink()
    (folder / "year=2020").mkdir()
    with pytest.raises(TableError, match="name=value"):
        code_dataset(folder, "score")
    monkeypatch.setattr("thresher.coded._sources.find_spec", lambda _: None)
    with pytest.raises(ImportError, match=r"needs pyarrow: pip install thresher\[cli\]"):
        code_dataset(folder, "score")


def test_nested_columns_can_be_dropped(tmp_path):
    frame = pl.DataFrame({"a": [1, 2], "deep": [[1], [2]], "y": [0.5, 1.5]})
    frame.write_parquet(tmp_path / "t.parquet")
    with pytest.raises(TableError, match="column 'deep' has type .* drop it"):
        code_dataset(tmp_path, "y")
    assert code_dataset(tmp_path, "y", drop="deep").X.names == ("a",)


def test_memory_is_read_and_shared_out():
    assert read_memory("64 MiB") == 64 * 2**20
    assert read_memory(2e9) == 2 * 10**9
    with pytest.raises(ValueError, match="at least 32 MB"):
        read_memory("1MB")
    with pytest.raises(ValueError, match="not enough for 10000000 rows"):
        make_plan(10**8, 10**7, [False])
    wide = make_plan(10**8, 1000, [False] * 100_000)
    assert wide.n_columns * 4 * 2**20 + wide.n_rows * wide.n_columns * 40 <= 10**8


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full and limits of file sizes")
def test_a_full_disk_is_told_by_the_name_of_the_folder(folder, tmp_path):
    import resource
    import signal

    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, old[1]))
        with pytest.raises(OSError, match="coded table cannot be written") as caught:
            code_dataset(folder, "score", folder=tmp_path / "codes")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)
    assert str(tmp_path / "codes") in str(caught.value)
    assert not os.listdir(tmp_path / "codes")
