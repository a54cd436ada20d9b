"""A stranger's file may be wrong, but it controls neither the terminal nor the program."""

import csv
import json
import os
import pickle
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.report import contents
from thresher.cli._app import app

RUN = CliRunner()
NAMES = (
    "\x1b[2J\x1b[31mred",
    "\x1b]0;title\x07",
    "\x9b2J",
    "two\nlines",
    "\u202eright to left",
    "[bold]x[/bold]",
    "=cmd()",
    "<script>",
    'say "so"',
    "a,b",
    "",
    "w" * 10_000,
    "go\x08ne",
    ":smile:",
    "{x}",
)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A CSV file whose first and fourth column matter."""
    rows = np.random.default_rng(0).normal(size=(80, len(NAMES)))
    path = tmp_path_factory.mktemp("hostile") / "x.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*NAMES, "target"])
        for row in rows:
            writer.writerow([*row, "yes" if row[0] + row[3] > 0 else "no\x1b[31m"])
    return path


def is_harmless(text):
    return all(c == "\n" or c.isprintable() for c in text)


@pytest.mark.parametrize("options", [(), ("--all",)])
@pytest.mark.parametrize("method", ["fcbf", "stepwise"])
def test_names_in_the_table_are_escaped(table, method, options):
    command = ["select", str(table), "--target", "target", "--method", method, *options]
    result = RUN.invoke(app, [*command, "--random-state", "0"])
    assert result.exit_code == 0
    assert is_harmless(result.stdout)
    assert is_harmless(result.stderr)
    assert "\\x1b[2J\\x1b[31mred" in result.stdout
    assert "two\\nlines" in result.stdout


def test_json_escapes_control_characters_and_keeps_names(table):
    command = ["select", str(table), "--target", "target", "--method", "gain-ratio", "--json"]
    result = RUN.invoke(app, command)
    assert result.exit_code == 0
    assert result.stdout.isascii()
    assert is_harmless(result.stdout)
    names = [verdict["name"] for verdict in json.loads(result.stdout)["verdicts"]]
    assert names == ["unnamed_10" if name == "" else name for name in NAMES]


def test_results_and_pages_of_such_tables(table, tmp_path):
    out, page = tmp_path / "out.json", tmp_path / "page.html"
    command = ["select", str(table), "--target", "target", "--method", "fcbf", "--quiet"]
    result = RUN.invoke(app, [*command, "--output", str(out), "--report", str(page)])
    assert result.exit_code == 0
    assert not set(page.read_text()) & set("\x1b\x07\x08\x9b\u202e")
    again = RUN.invoke(app, ["report", str(out), "--output", str(tmp_path / "again.html")])
    assert again.exit_code == 0
    assert (tmp_path / "again.html").read_text() == page.read_text()


@pytest.mark.parametrize(
    "options",
    [
        ["--target", "\x1b[2Jnone"],
        ["--target", "\x1b[2J\x1b[31mred", "--task", "classification"],
        ["--target", "target", "--keep", "\x1b[2J", "--method", "fcbf"],
        ["--target", "target", "--drop", "\x1b[2J"],
        ["--target", "target", "--method", "\x1b[2J"],
    ],
)
def test_messages_escape_what_they_quote(table, options):
    result = RUN.invoke(app, ["select", str(table), "--quiet", *options])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr
    assert is_harmless(result.stderr)


def test_names_of_files_are_escaped(tmp_path):
    path = tmp_path / "\x1b[2J\x07.csv"
    path.write_text("a,a\n1,2\n")
    result = RUN.invoke(app, ["select", str(path), "--target", "a"])
    assert result.exit_code == 2
    assert is_harmless(result.stderr)
    assert "\\x1b[2J\\x07.csv" in result.stderr


class Bomb:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def results(folder):
    """Files that are no results, by what is wrong with them."""
    sound = contents.ace()
    broken = {**sound, "trace": [{**sound["trace"][0], "scores": "none"}, *sound["trace"][1:]]}
    return {
        "empty": b"",
        "rubbish": b"\x00\xff\x1b[2J" * 100,
        "truncated": json.dumps(sound).encode()[:1000],
        "deep": b"[" * 100_000,
        "pickle": pickle.dumps(Bomb(folder / "exploded")),
        "of another program": b'{"schema": "\\u001b[2J"}',
        "from the future": json.dumps({**sound, "schema_version": "\x1b[2J"}).encode(),
        "wrong type": json.dumps({**sound, "verdicts": {"\x1b": 1}}).encode(),
        "unknown field": json.dumps({**sound, "cost": {"\x1b[2J": 1}}).encode(),
        "broken trace": json.dumps(broken).encode(),
    }


@pytest.mark.parametrize("what", results(Path()))
def test_files_that_are_no_results(what, tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(results(tmp_path)[what])
    result = RUN.invoke(app, ["report", str(path)])
    assert result.exit_code == 2
    assert result.stderr.startswith("thresher: ")
    assert is_harmless(result.stderr)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["x.json"]


def test_folders_pipes_and_devices_are_no_results(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "folder.json").mkdir()
    for path in (tmp_path / "pipe.json", tmp_path / "folder.json", "/dev/zero"):
        result = RUN.invoke(app, ["report", str(path), "--output", str(tmp_path / "page.html")])
        assert result.exit_code == 2
        assert "a folder, a pipe or a device" in result.stderr
    result = RUN.invoke(app, ["select", "/dev/zero", "--target", "a", "--format", "csv"])
    assert result.exit_code == 2
    assert "a device" in result.stderr
