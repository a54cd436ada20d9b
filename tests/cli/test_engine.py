"""``thresher select --engine``: the same answer from wherever the work is done."""

import json
import sys

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from thresher.cli._app import app

RUN = CliRunner()


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    rng = np.random.default_rng(0)
    signal = rng.normal(size=80)
    frame = pd.DataFrame(
        {"signal": signal, "noise": rng.normal(size=80), "more": rng.normal(size=80)}
    )
    frame["outcome"] = np.where(signal + 0.2 * rng.normal(size=80) > 0, "good", "bad")
    path = tmp_path_factory.mktemp("engine") / "table.csv"
    frame.to_csv(path, index=False)
    return [
        "select", str(path), "--target", "outcome", "--seed", "0", "--n-jobs", "2", "--json",
        "--method", "stepwise", "--estimator", "sklearn.tree.DecisionTreeClassifier", "--cv", "2",
    ]  # fmt: skip


@pytest.fixture(scope="module")
def expected(command):
    return answer(command)


def answer(command):
    done = RUN.invoke(app, command)
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    return found["selected"], found["verdicts"]


# one process of a cluster is as far away as two, and takes half as long to start
@pytest.mark.parametrize(("engine", "n_jobs"), [("threads", 2), ("processes", 2), ("dask", 1)])
def test_the_answer_does_not_depend_on_the_engine(command, expected, engine, n_jobs):
    if engine == "dask":
        pytest.importorskip("distributed")
    assert answer([*command, "--engine", engine, "--n-jobs", str(n_jobs)]) == expected


def test_a_cluster_is_found_by_its_address(command, expected):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0"
    ) as cluster:
        options = ["--engine", "dask", "--scheduler", cluster.scheduler_address]
        assert answer([*command, *options]) == expected
        assert len(cluster.scheduler.workers) == 1, "a cluster of others is left alone"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--engine", "steam"], "--engine must be one of threads, processes, dask, ray"),
        (["--scheduler", "tcp://localhost:1"], "it needs --engine dask or ray"),
        (["--engine", "threads", "--scheduler", "tcp://localhost:1"], "got --engine threads"),
    ],
    ids=str,
)
def test_misuse(command, options, message):
    done = RUN.invoke(app, [*command, *options])
    assert done.exit_code == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("engine", "module"), [("dask", "distributed"), ("ray", "ray")])
def test_what_is_missing_can_be_installed(command, monkeypatch, engine, module):
    monkeypatch.setitem(sys.modules, module, None)
    done = RUN.invoke(app, [*command, "--engine", engine])
    assert done.exit_code == 2
    assert f"pip install 'thresher[{engine}]'" in done.stderr
