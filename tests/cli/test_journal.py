"""``--journal``, ``thresher resume`` and a page about a run that is still going."""

import json
import sqlite3
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from tests.journal.killed import without_clock
from thresher.cli._app import app
from thresher.journal import Journal, peek

RUN = CliRunner()
#: The program, which is killed as soon as it has written so many results down.
KILLED = """
import os, signal, sys
from thresher.cli import main
from thresher.journal import Journal
genuine, written, most = Journal.add, [], int(sys.argv.pop(1))
def add(self, key, what, entry):
    genuine(self, key, what, entry)
    written.append(key)
    if len(written) == most:
        os.kill(os.getpid(), signal.SIGKILL)
Journal.add = add
main()
"""


@pytest.fixture
def file(tmp_path):
    return write(tmp_path)


def write(folder):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 6))
    frame = pd.DataFrame(X, columns=[f"x{k}" for k in range(6)])
    frame["outcome"] = np.where(X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=150) > 0, "yes", "no")
    path = folder / "table.csv"
    frame.to_csv(path, index=False)
    return path


def selected(file, journal, *more):
    options = ["select", str(file), "--target", "outcome", "--journal", str(journal), "--json"]
    done = RUN.invoke(app, [*options, *more])
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_resume_gives_the_result_again_without_a_seed_having_been_given(file, tmp_path):
    journal = tmp_path / "run.db"
    first = selected(file, journal, "--estimator", "linear")
    n_results = peek(journal).n_results
    assert n_results > 20
    done = RUN.invoke(app, ["resume", str(journal), "--json"])
    assert done.exit_code == 0, done.stderr
    assert without_clock(json.loads(done.stdout)) == without_clock(first)
    assert peek(journal).n_results == n_results


@pytest.mark.parametrize(
    "method",
    [
        ["--method", "stepwise", "--estimator", "tree"],
        pytest.param(["--method", "ace"], marks=pytest.mark.slow),
    ],
    ids=["stepwise", "ace"],
)
def test_a_run_killed_half_way_is_resumed(method, file, tmp_path):
    more = ["--seed", "3", "--validate", "2", *method]
    reference = selected(file, tmp_path / "whole.db", *more)
    journal = tmp_path / "run.db"
    options = ["--target", "outcome", "--journal", str(journal), *more]
    n_all = peek(tmp_path / "whole.db").n_results
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(n_all // 2), "select", str(file), *options],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    assert done.returncode == -9
    assert n_all // 3 < peek(journal).n_results < n_all
    page = RUN.invoke(app, ["report", str(journal), "--output", str(tmp_path / "page.html")])
    assert page.exit_code in (0, 2), page.stderr  # the first round may not have been over
    done = RUN.invoke(app, ["resume", str(journal), "--json"])
    assert done.exit_code == 0, done.stderr
    assert without_clock(json.loads(done.stdout)) == without_clock(reference)
    assert peek(journal).n_results == n_all


def test_another_table_is_refused_and_the_column_named(file, tmp_path):
    journal = tmp_path / "run.db"
    selected(file, journal)
    frame = pd.read_csv(file)
    frame.loc[3, "x4"] += 1
    frame.to_csv(file, index=False)
    done = RUN.invoke(app, ["resume", str(journal)])
    assert done.exit_code == 2
    assert "column 'x4' has other values" in done.stderr


def test_other_options_are_refused_and_named(file, tmp_path):
    journal = tmp_path / "run.db"
    selected(file, journal, "--alpha", "0.05")
    options = ["--target", "outcome", "--journal", str(journal), "--alpha", "0.1"]
    done = RUN.invoke(app, ["select", str(file), *options])
    assert done.exit_code == 2
    assert "alpha was 0.05 and is 0.1" in done.stderr


def test_a_page_of_a_journal(file, tmp_path):
    journal = tmp_path / "run.db"
    selected(file, journal, "--method", "stepwise", "--estimator", "tree")
    done = RUN.invoke(app, ["report", str(journal)])
    assert done.exit_code == 0, done.stderr
    assert "result(s) written down" in done.stderr
    assert "Stepwise" in (tmp_path / "run.html").read_text()


def test_a_journal_without_a_selection_yet_says_so(tmp_path):
    with Journal(tmp_path / "run.db") as journal:
        journal.show("progress", {"stage": "round 1: importances", "done": 3, "total": 20})
    done = RUN.invoke(app, ["report", str(tmp_path / "run.db")])
    assert done.exit_code == 2
    assert "round 1: importances 3 of 20" in done.stderr
    assert "no selection yet" in done.stderr


@pytest.mark.parametrize("what", ["nothing", "text", "folder"])
@pytest.mark.parametrize("command", ["resume", "report"])
def test_what_is_no_journal_is_refused(command, what, tmp_path):
    path = tmp_path / "run.db"
    if what == "text":
        path.write_text("hello")
    elif what == "folder":
        path.mkdir()
    done = RUN.invoke(app, [command, str(path)])
    assert done.exit_code == 2
    assert "run.db" in done.stderr
    assert "Traceback" not in done.stderr


def command_of(journal):
    return peek(journal).header["command"]


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """A command that select has written."""
    folder = tmp_path_factory.mktemp("good")
    selected(write(folder), folder / "run.db")
    return command_of(folder / "run.db")


def journal_with(path, command):
    with Journal(path) as journal:
        journal.settle("command", command)
    return path


def test_a_journal_cannot_make_resume_import_code(good, tmp_path, monkeypatch):
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # it could be imported
    for number, change in enumerate(
        ({"estimator": "evil.Model"}, {"search": "evil.Search"}, {"judge": "evil.Judge"},
         {"method": "rvers", "param": ["judge=evil.Judge"]})
    ):  # fmt: skip
        own = journal_with(tmp_path / f"{number}.db", {**good, **change})
        done = RUN.invoke(app, ["resume", str(own)])
        assert done.exit_code == 2, done.stderr
        assert "does not import" in done.stderr
        assert "--journal" in done.stderr
    assert "evil" not in sys.modules
    assert not (tmp_path / "executed").exists()


@pytest.mark.parametrize(
    "change",
    [
        {"file": None},
        {"drop": "x0"},
        {"alpha": "0.1"},
        {"param": [1]},
        {"more": 1},
        {"floating": 1},
    ],
)
def test_a_command_that_select_cannot_have_written_is_refused(change, good, tmp_path):
    own = journal_with(tmp_path / "other.db", {**good, **change})
    done = RUN.invoke(app, ["resume", str(own)])
    assert done.exit_code == 2
    assert "does not hold a command of thresher" in done.stderr


def test_a_journal_of_a_program_is_not_resumed_by_the_command(tmp_path):
    Journal(tmp_path / "run.db").close()
    done = RUN.invoke(app, ["resume", str(tmp_path / "run.db")])
    assert done.exit_code == 2
    assert "was not written by 'thresher select'" in done.stderr


def test_standard_input_cannot_be_read_again(file, tmp_path):
    journal = tmp_path / "run.db"
    options = ["select", "-", "--format", "csv", "--target", "outcome", "--journal", str(journal)]
    done = RUN.invoke(app, options, input=file.read_text())
    assert done.exit_code == 0, done.stderr
    done = RUN.invoke(app, ["resume", str(journal)])
    assert done.exit_code == 2
    assert "standard input" in done.stderr
    again = RUN.invoke(app, options, input=file.read_text())
    assert again.exit_code == 0, again.stderr


def test_nothing_is_written_over_a_journal_or_a_table(file, tmp_path):
    journal = tmp_path / "run.db"
    selected(file, journal)
    before = journal.read_bytes()
    options = ["select", str(file), "--target", "outcome", "--journal", str(journal)]
    for more in (["--output", str(journal)], ["--report", str(journal)]):
        done = RUN.invoke(app, [*options, *more])
        assert done.exit_code == 2
        assert "name the same file" in done.stderr
    done = RUN.invoke(app, ["report", str(journal), "--output", str(journal)])
    assert done.exit_code == 2
    assert "would be written over" in done.stderr
    assert journal.read_bytes()[:16] == before[:16]
    table = file.read_bytes()
    for option in ("--output", "--report", "--journal"):
        done = RUN.invoke(app, ["select", str(file), "--target", "outcome", option, str(file)])
        assert done.exit_code == 2
    assert file.read_bytes() == table


def test_a_command_that_never_began_is_not_resumed(file, tmp_path):
    journal = tmp_path / "run.db"
    wrong = ["select", str(file), "--target", "nothing", "--journal", str(journal)]
    assert RUN.invoke(app, wrong).exit_code == 2
    selected(file, journal)
    assert command_of(journal)["target"] == "outcome"
    assert RUN.invoke(app, ["resume", str(journal), "--json"]).exit_code == 0


@pytest.mark.parametrize("progress", [{"stage": "\x1b]0;owned\x07", "total": 3}, [1, 2], "x", {}])
def test_a_journal_cannot_write_to_the_terminal(progress, tmp_path):
    path = tmp_path / "run.db"
    Journal(path).close()
    database = sqlite3.connect(path)
    database.execute("INSERT INTO snapshot VALUES ('progress', ?)", (json.dumps(progress),))
    database.execute("INSERT INTO snapshot VALUES ('selection', '[1]')")
    database.commit()
    database.close()
    done = RUN.invoke(app, ["report", str(path)])
    assert done.exit_code == 2
    assert "\x1b" not in done.stderr
    assert "run.db" in done.stderr
