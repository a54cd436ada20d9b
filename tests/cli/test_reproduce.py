import json

import pytest
from typer.testing import CliRunner

from thresher.cli._app import app
from thresher.cli._reproduce import duration
from thresher.experiments import EXPERIMENTS

RUN = CliRunner()


def test_the_list_names_every_experiment_and_its_data():
    result = RUN.invoke(app, ["reproduce", "--list"])
    assert result.exit_code == 0
    for name, each in EXPERIMENTS.items():
        (line,) = (line for line in result.stdout.splitlines() if line.startswith(f"{name} "))
        assert each.summary in line
        assert all(need in line for need in each.needs)
    as_json = RUN.invoke(app, ["reproduce", "--list", "--json"])
    assert list(json.loads(as_json.stdout)) == list(EXPERIMENTS)


def test_a_table_goes_to_stdout_and_the_time_to_stderr():
    result = RUN.invoke(app, ["reproduce", "ace-figure1", "--quick", "--runs", "1"])
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].startswith("Linear relationships")
    assert lines[1].startswith("method")
    assert any(line.startswith("ACE ") for line in lines)
    assert "took" not in result.stdout
    assert "ace-figure1 took" in result.stderr


def test_json_is_valid_and_absent_data_are_no_error(tmp_path):
    command = ["reproduce", "ace-table2", "--data", str(tmp_path), "--json"]
    result = RUN.invoke(app, command)
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert told["name"] == "ace-table2"
    assert told["rows"][0]["columns"].startswith("data not found: ")
    assert set(told["rows"][0]) == set(told["columns"])


def test_the_data_folder_may_come_from_the_environment(tmp_path):
    result = RUN.invoke(app, ["reproduce", "ace-hepatitis"], env={"THRESHER_DATA": str(tmp_path)})
    assert result.exit_code == 0
    assert str(tmp_path / "hepatitis.parquet") in result.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["ace-magic"], "no experiment is called 'ace-magic'; there are ace-null"),
        ([], "say which experiment; there are ace-null"),
        (["ace-null", "--runs", "0"], "runs must be at least 1"),
        (["ace-null", "--n-jobs", "0", "--runs", "1", "--quick"], "--n-jobs must not be 0"),
    ],
)
def test_misuse_ends_with_code_2_and_says_why(options, message):
    result = RUN.invoke(app, ["reproduce", *options])
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_a_table_of_a_paper_is_found_by_its_own_name():
    result = RUN.invoke(app, ["reproduce", "rve-table3"])
    assert result.exit_code == 0
    assert "RVErS" in result.stdout
    assert "definitions took" in result.stderr


def test_what_is_saved_has_a_page_an_index_and_a_picture(tmp_path):
    folder = tmp_path / "results"
    options = ["--quick", "--runs", "1", "--save", str(folder), "--figure", str(tmp_path / "f.png")]
    result = RUN.invoke(app, ["reproduce", "rve-figure1", *options])
    assert result.exit_code == 0, result.stderr
    record = json.loads((folder / "rve-figure1.json").read_text("utf-8"))
    assert record["command"] == "thresher reproduce rve-figure1 --quick --runs 1"
    assert "[rve-figure1](rve-figure1.md)" in (folder / "index.md").read_text("utf-8")
    assert (folder / "rve-figure1.svg").is_file()
    assert (tmp_path / "f.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["rve-figure1", "--figure", "f.bmp"], "--figure: f.bmp must end with one of .png"),
        (["rve-figure1", "--figure", "no/f.png"], "--figure: the folder no does not exist"),
        (["all", "--figure", "f.png"], "--figure: takes one experiment"),
        (["definitions", "--figure", "f.png"], "--figure: definitions has no figure to draw"),
    ],
)
def test_a_figure_that_cannot_be_drawn_is_refused(options, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = RUN.invoke(app, ["reproduce", *options])
    assert result.exit_code == 2
    assert message in result.stderr
    assert not list(tmp_path.iterdir())


def test_what_was_measured_is_kept_though_there_is_no_figure(tmp_path):
    options = ["--save", str(tmp_path / "here"), "--figure", str(tmp_path / "f.png")]
    result = RUN.invoke(app, ["reproduce", "definitions", *options])
    assert result.exit_code == 2
    assert (tmp_path / "here" / "definitions.md").is_file()


def test_without_matplotlib_nothing_is_begun(tmp_path, monkeypatch):
    monkeypatch.setattr("thresher.cli._reproduce.find_spec", lambda _: None)
    result = RUN.invoke(app, ["reproduce", "rve-table4", "--save", str(tmp_path / "here")])
    assert result.exit_code == 2
    assert "--save: draws by matplotlib: pip install 'thresher[plot]'" in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], " --quick"),
        (["--data", "."], " --quick --data FOLDER"),
        (["--data", ".", "--openml"], " --quick --data FOLDER --openml"),
    ],
)
def test_the_command_in_a_record_is_what_was_asked(options, told, tmp_path, monkeypatch):
    monkeypatch.delenv("THRESHER_DATA", raising=False)
    monkeypatch.setattr("thresher.experiments._data.fetch", lambda _: "no network")
    RUN.invoke(app, ["reproduce", "ace-hepatitis", "--quick", "--save", str(tmp_path), *options])
    record = json.loads((tmp_path / "ace-hepatitis.json").read_text("utf-8"))
    assert record["command"] == f"thresher reproduce ace-hepatitis{told}"


def test_the_list_says_how_long_each_takes():
    lines = RUN.invoke(app, ["reproduce", "--list"]).stdout.splitlines()
    for name, each in EXPERIMENTS.items():
        (line,) = (line for line in lines if line.startswith(f"{name} "))
        assert f" {duration(each.minutes)} " in line
        assert all(item in line for item in each.shows)
