"""Raced searches from the command line."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from thresher.cli._app import app

RUN = CliRunner()


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    frame = pd.DataFrame(X, columns=list("abcde"))
    frame["y"] = np.where(X[:, 1] + X[:, 3] > 0, "yes", "no")
    frame["z"] = X[:, 1] + X[:, 3]
    path = tmp_path_factory.mktemp("race") / "t.csv"
    frame.to_csv(path, index=False)
    return str(path)


@pytest.mark.parametrize(
    "options",
    [
        ["--search", "schemata+", "--param", "race=brace"],
        ["--search", "schemata", "--param", "race=race", "--param", "delta=0.01"],
        ["--search", "forward-gs", "--param", "race=hoeffding"],
        ["--search", "thresher.searches.HillClimbing", "--estimator", "knn", "--cv", "loo"],
        [],
    ],
    ids=" ".join,
)
def test_select_races(file, options):
    command = ["select", file, "--target", "y", "--drop", "z", "--method", "race", "--json"]
    result = RUN.invoke(app, [*command, "--random-state", "0", *options])
    assert result.exit_code == 0, result.stderr
    selection = json.loads(result.stdout)
    assert {"b", "d"} <= set(selection["selected"])
    assert selection["method"] == "RaceSelector"
    assert all(verdict["reason"] for verdict in selection["verdicts"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--search", "magic"], "search must be one of 'schemata', 'schemata+'"),
        (["--param", "race=magic"], "race must be one of"),
        (["--param", "race=friedman"], "Friedman cannot judge schemata"),
        (["--param", "delta=2"], "delta must be a number between 0 and 1; got 2"),
        (["--param", "gamma=-1"], "gamma must be a number that is not negative; got -1"),
        (["--param", "min_rows=1"], "min_rows must be a whole number of at least 2"),
        (["--param", "min_rows=999"], "min_rows=999 is more than there are to race over"),
        (["--judge", "brace"], "--judge does not apply to --method race"),
        (["--n-features", "2"], "--n-features does not apply to --method race"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_wrong_values_end_with_code_2_and_one_line(file, options, message):
    command = ["select", file, "--target", "y", "--drop", "z", "--method", "race", "--quiet"]
    result = RUN.invoke(app, [*command, *options])
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


def test_unbounded_losses_are_no_matter_for_hoeffding(file):
    command = ["select", file, "--target", "z", "--drop", "y", "--method", "race", "--quiet"]
    result = RUN.invoke(app, [*command, "--param", "race=hoeffding"])
    assert result.exit_code == 2
    assert "needs losses that are bounded" in result.stderr


def test_methods_lists_races_and_searches():
    listed = json.loads(RUN.invoke(app, ["methods", "--json"]).stdout)
    assert "race" in listed["method"]
    assert {"schemata", "schemata-plus", "hill-climbing", "gauss-seidel"} <= set(listed["search"])
    assert {"brace", "race", "hoeffding", "friedman", "exhaustive"} <= set(listed["judge"])
    assert all(summary for names in listed.values() for summary in names.values())
