"""``select`` and the command line on folders of files, and on files too large for memory."""

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from thresher import ACE, select
from thresher.cli._app import app
from thresher.coded import _large, code_dataset
from thresher.columns import CodedColumns
from thresher.files import TableError
from thresher.workflow import read_file


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(0)
    n = 800
    x = rng.normal(size=(4, n))
    hue = rng.choice(["red", "blue"], n)
    bought = x[0] + x[1] + 1.5 * (hue == "red") + rng.logistic(size=n) > 0.7
    frame = pl.DataFrame(
        {**{f"x{j}": column for j, column in enumerate(x)}, "hue": hue, "bought": bought}
    )
    folder = tmp_path / "files"
    folder.mkdir()
    frame[:300].write_parquet(folder / "a.parquet")
    frame[300:].write_parquet(folder / "b.parquet")
    frame.write_parquet(tmp_path / "one.parquet")
    frame.write_csv(tmp_path / "one.csv")
    return tmp_path


def test_a_folder_is_coded_and_selected_from(files):
    selection = select(files / "files", "bought", random_state=0)
    assert set(selection.selected) == {"x0", "x1", "hue"}
    assert selection.explanation.startswith("ACE")
    table = code_dataset(files / "files", "bought")
    again = select(table.X, table.y, random_state=0)
    assert again.selected == selection.selected


def test_a_file_is_read_whole_unless_memory_is_too_small(files, monkeypatch):
    whole, y = read_file(files / "one.parquet", "bought", memory="1GB")
    assert not isinstance(whole, CodedColumns)
    monkeypatch.setattr(_large, "_BYTES_PER_CELL", 10**5)
    coded, labels = read_file(files / "one.parquet", "bought", memory="32MB", drop=["x3"])
    assert isinstance(coded, CodedColumns)
    assert coded.names == ("x0", "x1", "x2", "hue")
    assert coded.memory == 32_000_000
    assert labels.labels().tolist() == y.tolist()
    selection = select(files / "one.parquet", "bought", memory="32MB", random_state=0)
    assert selection.settings["call"] == "select(X, y, memory='32MB', random_state=0)"


def test_text_too_large_for_memory_is_to_be_converted(files, monkeypatch):
    monkeypatch.setattr(_large, "_TIMES_TEXT", 10**6)
    with pytest.raises(TableError, match=r"one\.csv: only Parquet and Arrow .*sink_parquet"):
        select(files / "one.csv", "bought", memory="32MB")
    with pytest.raises(ValueError, match="memory must be a number of bytes"):
        select(files / "one.csv", "bought", memory="plenty")


def test_many_coded_cells_are_still_left_to_ace(files, monkeypatch):
    monkeypatch.setattr("thresher.workflow._plan._MANY_CELLS", 1000)
    table = code_dataset(files / "files", "bought")
    assert select(table.X, table.y, random_state=0).method == "ACE"
    assert select(table.X.plain(), table.y, random_state=0).method == "FCBF"


def test_validation_and_refinement_go_on_from_codes_where_tables_are_small(files):
    how = {"random_state": 0, "method": ACE(n_trees=20)}
    checked = select(files / "files", "bought", validate=2, stability=2, **how)
    assert checked.validation is not None
    assert checked.stability is not None
    refined = select(files / "files", "bought", estimator="discrete-nb", random_state=0)
    assert {"x0", "x1", "hue"} >= set(refined.selected) > set()


def test_the_command_takes_a_folder(files):
    options = ["--target", "bought", "--quiet", "--seed", "0"]
    done = CliRunner().invoke(
        app, ["select", str(files / "files"), "--memory", "64MB", "--drop", "x3", *options]
    )
    assert done.exit_code == 0, done.output
    assert "x3" not in done.stdout
    named = CliRunner().invoke(app, ["select", str(files / "files"), "--method", "fcbf", *options])
    assert named.exit_code == 0, named.output
