import json

import pytest
from typer.testing import CliRunner

from thresher.cli._app import app
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
        (["ace-null", "--n-jobs", "0", "--runs", "1", "--quick"], "n_jobs must not be 0"),
    ],
)
def test_misuse_ends_with_code_2_and_says_why(options, message):
    result = RUN.invoke(app, ["reproduce", *options])
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
