"""Filters on the command line."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from thresher import Selection
from thresher.cli._app import app

RUN = CliRunner()
METHODS = {
    "cfs": "CFS",
    "fcbf": "FCBF",
    "relieff": "ReliefF",
    "gain-ratio": "GainRatio",
    "gram-schmidt": "GramSchmidt",
}
all_methods = pytest.mark.parametrize("method", METHODS)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A CSV file with gaps, categories, identifiers, a constant and a name that is markup."""
    rng = np.random.default_rng(0)
    n = 200
    signal = rng.normal(size=n)
    frame = pd.DataFrame(
        {
            "id": [f"user {i}" for i in range(n)],
            "signal": np.where(rng.random(n) < 0.1, np.nan, signal),
            "<b>x</b>": signal + 0.5 * rng.normal(size=n),
            "noise": rng.normal(size=n),
            "colour": rng.choice(["red", "blue", ""], n),
            "fixed": 3,
            "amount": 2.0 * signal + 0.2 * rng.normal(size=n),
            "outcome": np.where(signal > 0, "good", "bad"),
        }
    )
    path = tmp_path_factory.mktemp("filters") / "messy.csv"
    frame.to_csv(path, index=False)
    return path


def select(path, method, *options, target="outcome"):
    other = "amount" if target == "outcome" else "outcome"
    command = ["select", str(path), "--target", target, "--drop", other, "--method", method]
    return RUN.invoke(app, [*command, "--random-state", "0", *options])


def selected(result):
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@all_methods
@pytest.mark.parametrize("target", ["outcome", "amount"])
def test_a_messy_file_gives_a_table_of_verdicts(path, method, target):
    result = select(path, method, target=target)
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["column", "verdict", "score", "why"]
    assert lines[1].split()[:2] == ["signal", "relevant"]
    assert any(line.startswith("<b>x</b> ") for line in lines)
    assert any(line.split() == ["fixed", "irrelevant", "constant"] for line in lines)
    assert f"of 6 columns selected by {METHODS[method]}" in lines[-1]
    assert "\nid " in result.stdout
    assert not any(line.startswith("id ") and " relevant " in line for line in lines)


@all_methods
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_json_of_either_task(path, method, task, tmp_path):
    out = tmp_path / "found.json"
    target = "outcome" if task == "classification" else "amount"
    result = select(path, method, "--task", task, "--json", "--output", str(out), target=target)
    printed = selected(result)
    assert printed["method"] == METHODS[method]
    assert printed["selected"][0] == "signal"
    assert printed["settings"]["task"] == repr(task)
    assert [verdict["name"] for verdict in printed["verdicts"]][:3] == ["id", "signal", "<b>x</b>"]
    assert Selection.load(out).selected == tuple(printed["selected"])


@pytest.mark.parametrize("method", [name for name in METHODS if name not in ("cfs", "fcbf")])
def test_a_number_of_columns(path, method):
    assert len(selected(select(path, method, "--n-features", "3", "--json"))["selected"]) == 3


def test_fcbf_takes_a_number_as_the_most(path):
    assert len(selected(select(path, "fcbf", "--n-features", "1", "--json"))["selected"]) == 1


@pytest.mark.parametrize(
    ("method", "options", "setting"),
    [
        ("fcbf", ["--param", "threshold=0.1"], ("threshold", "0.1")),
        ("gain-ratio", ["--param", "criterion=information-gain"], ("criterion", "'info")),
        ("gain-ratio", ["--n-features", "2:3", "--estimator", "linear"], ("n_features", "(2, 3)")),
        ("gain-ratio", ["--estimator", "knn"], ("estimator", "KNeighborsClassifier")),
        ("cfs", ["--search", "greedy"], ("search", "'greedy'")),
        ("cfs", ["--param", "locally_predictive=True"], ("locally_predictive", "True")),
        ("relieff", ["--param", "n_samples=0.5", "--param", "sigma=2"], ("n_samples", "0.5")),
        ("relieff", ["--keep", "noise", "--feature-groups", "g=id,colour"], ("keep", "('noise',)")),
        ("cfs", ["--max-evaluations", "8", "--n-jobs", "2"], ("max_evaluations", "8")),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)  # fmt: skip
def test_options_reach_the_filter(path, method, options, setting):
    printed = selected(select(path, method, *options, "--json"))
    assert printed["settings"][setting[0]].startswith(setting[1])
    assert "signal" in printed["selected"]


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("cfs", ["--n-features", "3"], "--n-features does not apply to --method cfs"),
        ("fcbf", ["--cv", "3"], "--cv does not apply to --method fcbf"),
        ("fcbf", ["--search", "greedy"], "--search does not apply to --method fcbf"),
        ("fcbf", ["--param", "threshold=high"], "threshold must be a number"),
        ("fcbf", ["--n-features", "99"], "--n-features must be 'auto' or lie in 1 .. 5"),
        ("fcbf", ["--param", "nonsense=1"], "--nonsense does not apply to --method fcbf"),
        ("cfs", ["--param", "correlation=spearman"], "correlation must be"),
        ("cfs", ["--search", "sideways"], "search must be one of"),
        ("relieff", ["--param", "alpha=2"], "alpha must be a number between 0 and 1; got 2"),
        ("gain-ratio", ["--param", "criterion=gini"], "criterion must be"),
        ("gain-ratio", ["--n-features", "three"], "--n-features must be a number"),
        ("gram-schmidt", ["--keep", "zebra"], "keep names 'zebra'"),
        ("mdl-discretizer", [], "--method must be one of"),
        ("cfs", ["--task", "ranking"], "--task must be"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_wrong_options_end_with_code_2(path, method, options, message):
    result = select(path, method, *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_the_last_line_tells_the_merit(path):
    last = select(path, "cfs").stdout.splitlines()[-1]
    assert ", merit 0." in last
    assert "loss" not in last


def test_filters_are_listed():
    listed = RUN.invoke(app, ["methods"]).stdout
    for method in METHODS:
        assert f" {method} " in listed


@pytest.mark.parametrize("method", ["cfs", "fcbf", "relieff", "gram-schmidt"])
def test_an_estimator_is_refused_where_none_is_needed(path, method):
    result = select(path, method, "--estimator", "knn")
    assert result.exit_code == 2
    assert f"--estimator does not apply to --method {method}" in result.stderr


def test_gain_ratio_asks_a_learner_only_if_one_is_named(path):
    alone = select(path, "gain-ratio")
    assert "rewriting" not in alone.stderr
    assert "the loss is lowest" not in alone.stdout
    assert "the loss is lowest" in select(path, "gain-ratio", "--estimator", "naive-bayes").stdout
