"""``thresher select`` without a method: the one call, from a file to a page."""

import json
import os
import pty
import re
import sys
import threading
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from thresher import Selection
from thresher.cli import main
from thresher.cli._app import app

RUN = CliRunner()
EVIL = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    rng = np.random.default_rng(0)
    n = 120
    signal = rng.normal(size=n)
    frame = pd.DataFrame(
        {
            EVIL: np.where(rng.random(n) < 0.1, np.nan, signal),
            "copy of the signal": signal + 0.05 * rng.normal(size=n),
            "colour": rng.choice(["red", "green", "blue"], n),
            "noise": rng.normal(size=n),
            "outcome": np.where(signal + 0.2 * rng.normal(size=n) > 0, "good", "bad"),
        }
    )
    path = tmp_path_factory.mktemp("one") / "table.csv"
    frame.to_csv(path, index=False)
    return path


def test_verdicts_result_and_report_from_one_command(file, tmp_path):
    page, result = tmp_path / "report.html", tmp_path / "result.json"
    done = RUN.invoke(
        app,
        ["select", str(file), "--target", "outcome", "--seed", "0", "--validate", "2",
         "--estimator", "naive-bayes", "--report", str(page), "--output", str(result)],
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert "selected by ACE" in done.stdout
    assert "On rows not used for the selection" in done.stdout
    assert "worse than with all" not in done.stdout
    assert "Stability over 2 repetitions" in done.stdout
    assert f"the report is in {page}" in done.stderr
    assert "&lt;script&gt;alert(1)" in page.read_text()
    assert Selection.load(result).validation.n_folds == 2
    again = tmp_path / "again.html"
    assert RUN.invoke(app, ["report", str(result), "--output", str(again)]).exit_code == 0
    assert again.read_text() == page.read_text()


def test_too_few_columns_are_told(tmp_path):
    X = np.random.default_rng(0).normal(size=(300, 3))
    frame = pd.DataFrame(X, columns=list("abc")).assign(y=np.where(X.sum(axis=1) > 0, "up", "down"))
    frame.to_csv(tmp_path / "sums.csv", index=False)
    words = "--target y --method gain-ratio --n-features 1 --estimator naive-bayes --validate 3"
    done = RUN.invoke(app, ["select", str(tmp_path / "sums.csv"), *words.split(), "--seed", "0"])
    assert done.exit_code == 0, done.stderr
    assert re.search(r"That is worse than with all, by 0\.\d+ \(0\.\d+ to 0\.\d+\): ", done.stdout)


def test_a_report_goes_beside_its_result(file, tmp_path):
    result = tmp_path / "result.json"
    RUN.invoke(app, ["select", str(file), "--target", "outcome", "--output", str(result)])
    done = RUN.invoke(app, ["report", str(result)])
    assert done.stdout.strip() == str(tmp_path / "result.html")
    assert (tmp_path / "result.html").exists()


def test_json_is_all_that_goes_to_stdout(file):
    done = RUN.invoke(app, ["select", str(file), "--target", "outcome", "--json", "--seed", "3"])
    printed = json.loads(done.stdout)
    assert printed["settings"]["random_state"] == 3
    assert printed["explanation"].startswith("ACE, which tests each column")
    assert printed["goal"] == "predict"
    assert printed["path"]["chosen"] == len(printed["selected"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--direction", "forward"], "--direction does not apply to --method auto; name a method"),
        (["--budget", "soon"], "--budget must be seconds"),
        (["--validate", "many"], "--validate must be a number of folds"),
        (["--validate", "1"], "validate must be 2 to"),
        (["--stability", "1"], "stability must be at least 2"),
        (["--max-features", "0"], "--max-features must be"),
        (["--estimator", "lazy"], "estimator lazy is a regressor"),
        (["--report", "/no/such/folder/x.html"], "--report: the folder"),
        (["--method", "fcbf", "--budget", "5s"], "budget: FCBF has no max_time"),
        (["--seed", "-1"], "--seed must be"),
        (
            ["--goal", "win"],
            "--goal must be one of 'predict', 'explain', 'all-relevant'; got 'win'",
        ),
        (["--tolerance", "1.5"], "--tolerance must be a number from 0 to 1; got 1.5"),
        (["--tolerance", "nan"], "--tolerance must be a number from 0 to 1; got nan"),
        (["--tolerance", "some"], "--tolerance"),
        (
            ["--goal", "explain", "--method", "stepwise"],
            "--goal does not apply to --method stepwise",
        ),
        (["--tolerance", "0.1", "--method", "cfs"], "--tolerance does not apply to --method cfs"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_misuse(file, options, message):
    done = RUN.invoke(app, ["select", str(file), "--target", "outcome", *options])
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("goal", ["predict", "explain", "all-relevant"])
def test_a_goal_is_told_and_kept(file, tmp_path, goal):
    result, page = tmp_path / "result.json", tmp_path / "page.html"
    words = ["select", str(file), "--target", "outcome", "--seed", "0", "--goal", goal]
    done = RUN.invoke(app, [*words, "--output", str(result), "--report", str(page)])
    assert done.exit_code == 0, done.stderr
    selection = Selection.load(result)
    assert selection.goal == goal
    assert {"colour", "noise"}.isdisjoint(selection.selected)
    # the original has gaps, so that its copy may be of use beside it
    n_expected = {"predict": (1, 2), "explain": (1,), "all-relevant": (2,)}
    assert len(selection.selected) in n_expected[goal]
    assert selection.claim in done.stdout
    assert selection.claim in page.read_text("utf-8")


def test_a_tolerance_is_that_of_the_path(file):
    words = ["select", str(file), "--target", "outcome", "--seed", "0", "--json"]
    printed = json.loads(RUN.invoke(app, [*words, "--tolerance", "0.5"]).stdout)
    assert printed["path"]["tolerance"] == 0.5
    assert json.loads(RUN.invoke(app, words).stdout)["path"]["tolerance"] == 0.06


def test_a_report_of_something_else_is_refused(tmp_path):
    other = tmp_path / "other.json"
    other.write_text("{}")
    done = RUN.invoke(app, ["report", str(other)])
    assert done.exit_code == 2
    assert "not a selection" in done.stderr


def test_a_spent_budget_is_told_and_is_no_failure(file):
    done = RUN.invoke(
        app, ["select", str(file), "--target", "outcome", "--budget", "5 evaluations"]
    )
    assert done.exit_code == 0, done.stderr
    assert "budget" in done.stderr
    assert "signal" in done.stdout


def test_ctrl_c_says_how_to_take_it_up_again(file, monkeypatch):
    from thresher.workflow import _progress

    def interrupt(self, name, done, total):
        if name == "round 1: importances" and done >= 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(_progress.Watcher, "stage", interrupt)
    done = RUN.invoke(
        app, ["select", str(file), "--target", "outcome", "--seed", "5", "--n-jobs", "1"]
    )
    assert done.exit_code == 130
    assert "next time, --journal FILE lets you go on from here" in done.stderr
    assert "copy of the signal" in done.stdout


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["select", "--method", "rv"], ["rve", "rvers"]),
        (["select", "--estimator", "gr"], ["gradient-boosting"]),
        (["select", "--goal", "e"], ["explain"]),
        (["select", "{file}", "--target", "o"], ["outcome"]),
        (["se"], ["select"]),
    ],
    ids=" ".join,
)
def test_the_shell_completes_names_and_columns(file, words, expected):
    words = ["thresher", *(word.format(file=file) for word in words)]
    environment = {
        "_THRESHER_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1),
    }  # fmt: skip
    done = RUN.invoke(app, [], prog_name="thresher", env=environment)
    assert done.stdout.split() == expected


@pytest.mark.parametrize("width", [50, 160])
def test_the_table_fits_the_terminal(file, width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("LINES", "30")
    printed = at_a_terminal(["select", str(file), "--target", "outcome", "--seed", "0"])
    text = printed.rsplit("\x1b[2K", 1)[-1]  # what remains when the bars are gone
    assert text != printed, "there were bars"
    lines = [_plain(line) for line in text.splitlines()]
    rows = [line for line in lines if "relevant" in line or "redundant" in line]
    assert len(rows) >= 4
    assert max(map(len, lines)) <= width
    assert any(line.startswith(EVIL[:10]) for line in rows)


def at_a_terminal(words):
    """What the program writes if its output is a terminal."""
    screen, terminal = pty.openpty()
    printed = []

    def read():
        with suppress(OSError):  # the other end is closed
            while part := os.read(screen, 65536):
                printed.append(part)

    reader = threading.Thread(target=read)
    reader.start()
    with os.fdopen(terminal, "w") as file, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", "xterm")
        patch.setattr(sys, "argv", ["thresher", *words])
        patch.setattr(sys, "stdout", file)
        patch.setattr(sys, "stderr", file)
        with pytest.raises(SystemExit) as end:
            main()
    reader.join()
    os.close(screen)
    assert not end.value.code
    return b"".join(printed).decode()


def _plain(line):
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", line).strip("\r")
