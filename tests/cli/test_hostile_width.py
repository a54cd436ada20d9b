"""Tables with more columns than anybody can read: every step takes time in proportion, not more."""

import json
import time

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from thresher import Selection
from thresher.cli._app import app
from thresher.columns import read_columns, with_groups

RUN = CliRunner()
ROWS = 60


def write(path, n_columns):
    """A CSV file in which one column tells the target."""
    rng = np.random.default_rng(0)
    X = rng.integers(-9, 10, size=(ROWS, n_columns))
    target = np.where(X[:, 17] > 0, "yes", "no")
    with path.open("w") as file:
        file.write(",".join(f"c{j}" for j in range(n_columns)) + ",target\n")
        for row, own in zip(X.tolist(), target, strict=True):
            file.write(",".join(map(str, row)) + f",{own}\n")
    return path


def test_a_hundred_thousand_columns_through_the_command_line(tmp_path):
    path = write(tmp_path / "wide.csv", 100_000)
    out, page = tmp_path / "out.json", tmp_path / "page.html"
    command = ["select", str(path), "--target", "target", "--method", "gain-ratio"]
    result = RUN.invoke(app, [*command, "--quiet", "--output", str(out), "--report", str(page)])
    assert result.exit_code == 0
    assert "of 100000 columns selected by GainRatio" in result.stdout
    assert len(result.stdout.splitlines()) < 1000
    found = Selection.load(out)
    assert len(found.verdicts) == 100_000
    assert found.selected[0] == "c17"
    assert page.stat().st_size < 3_000_000
    assert "that matter least are not listed" in page.read_text()


def test_the_default_method_and_json(tmp_path):
    path = write(tmp_path / "wide.csv", 3_000)
    command = ["select", str(path), "--target", "target", "--quiet", "--random-state", "0"]
    result = RUN.invoke(app, [*command, "--json"])
    assert result.exit_code == 0
    printed = json.loads(result.stdout)
    assert len(printed["verdicts"]) == 3_000
    assert printed["selected"] == ["c17"]


def test_a_misspelt_target_among_so_many(tmp_path):
    path = write(tmp_path / "wide.csv", 10_000)
    result = RUN.invoke(app, ["select", str(path), "--target", "traget"])
    assert result.exit_code == 2
    assert "did you mean 'target'?" in result.stderr
    assert len(result.stderr) < 1000


def seconds(act, n_columns):
    started = time.process_time()
    act(n_columns)
    return time.process_time() - started


def constants_kept(n_columns):
    X = np.random.default_rng(0).integers(2, size=(3, n_columns)).astype(float)
    X[:, ::2] = 0.0
    columns = with_groups(read_columns(X), None, keep=range(0, n_columns, 2))
    assert len(columns.informative().required) == n_columns // 2


def a_frame_in_groups(n_columns):
    frame = pd.DataFrame(np.eye(3, n_columns), columns=[f"c{j}" for j in range(n_columns)])
    groups = [[f"c{j}", f"c{j + 1}"] for j in range(0, n_columns, 2)]
    assert with_groups(read_columns(frame), groups).n_variables == n_columns // 2


@pytest.mark.parametrize("act", [constants_kept, a_frame_in_groups])
def test_four_times_as_many_columns_take_about_four_times_as_long(act):
    act(100)
    assert seconds(act, 20_000) < 8 * seconds(act, 5_000) + 0.5
