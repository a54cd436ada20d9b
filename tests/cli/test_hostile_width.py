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


def write(path, n_columns, suffix=""):
    """A CSV file in which one column tells the target."""
    rng = np.random.default_rng(0)
    X = rng.integers(-9, 10, size=(ROWS, n_columns))
    target = np.where(X[:, 17] > 0, "yes", "no")
    with path.open("w") as file:
        file.write(",".join(f"c{j}{suffix}" for j in range(n_columns)) + ",target\n")
        for row, own in zip(X.tolist(), target, strict=True):
            file.write(",".join(map(str, row)) + f",{own}\n")
    return path


@pytest.mark.parametrize(
    # either has far more names than a page can hold
    ("n_columns", "suffix"),
    [(12_000, "w" * 250), pytest.param(100_000, "", marks=pytest.mark.slow)],
    ids=["long names", "a hundred thousand"],
)
def test_more_columns_than_a_page_can_hold_through_the_command_line(tmp_path, n_columns, suffix):
    path = write(tmp_path / "wide.csv", n_columns, suffix)
    out, page = tmp_path / "out.json", tmp_path / "page.html"
    command = ["select", str(path), "--target", "target", "--method", "gain-ratio"]
    result = RUN.invoke(app, [*command, "--quiet", "--output", str(out), "--report", str(page)])
    assert result.exit_code == 0
    assert f"of {n_columns} columns selected by GainRatio" in result.stdout
    assert len(result.stdout.splitlines()) < 1000
    found = Selection.load(out)
    assert len(found.verdicts) == n_columns
    assert found.selected[0] == f"c17{suffix}"
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
    few, many = [], []
    for _ in range(6):  # other work on the machine can make any of them look long
        few.append(seconds(act, 3_000))
        many.append(seconds(act, 12_000))
        if min(many) < 6 * min(few):  # sixteen if each column looked at all others
            return
    pytest.fail(f"{min(few)} seconds become {min(many)}")
