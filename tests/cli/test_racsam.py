"""RACSAM on the command line."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from thresher.cli._app import app

RUN = CliRunner()


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    rng = np.random.default_rng(0)
    signal = rng.normal(size=120)
    frame = pd.DataFrame(
        {
            "signal": signal,
            "noise": rng.normal(size=120),
            "colour": rng.choice(["red", "blue"], 120),
            "amount": 3.0 * signal + 0.1 * rng.normal(size=120),
            "outcome": np.where(signal > 0, "good", "bad"),
        }
    )
    path = tmp_path_factory.mktemp("racsam") / "table.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.mark.parametrize(
    ("target", "other", "options", "learner"),
    [
        ("amount", "outcome", [], "None"),
        ("outcome", "amount", ["--drop", "colour"], "None"),
        ("amount", "outcome", ["--estimator", "knn", "--drop", "colour"], "KNeighborsRegressor"),
    ],
    ids=["regression", "classification", "another learner"],
)
def test_racsam_selects(path, target, other, options, learner):
    command = ["select", str(path), "--method", "racsam", "--target", target, "--drop", other]
    given = ["--param", "n_candidates=50", "--param", "max_tests=30", "--random-state", "1"]
    result = RUN.invoke(app, [*command, *given, *options, "--json"])
    assert result.exit_code == 0, result.stderr
    printed = json.loads(result.stdout)
    assert printed["method"] == "RACSAM"
    assert printed["selected"] == ["signal"]
    assert printed["settings"]["n_candidates"] == "50"
    assert printed["settings"]["learner"].startswith(learner)


def test_reasons_are_printed(path):
    command = ["select", str(path), "--method", "racsam", "--target", "amount"]
    given = ["--drop", "outcome", "--param", "max_tests=30", "--random-state", "1"]
    result = RUN.invoke(app, [*command, *given])
    assert result.exit_code == 0, result.stderr
    assert "best subsets" in result.stdout
    assert "1 of 3 columns selected by RACSAM" in result.stdout


def test_wrong_parameters_end_with_code_2(path):
    command = ["select", str(path), "--method", "racsam", "--target", "amount"]
    result = RUN.invoke(app, [*command, "--param", "n_candidates=1"])
    assert result.exit_code == 2
    assert "n_candidates must be" in result.stderr
