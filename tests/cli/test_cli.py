import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from tests.cli import broken
from thresher import Selection
from thresher.cli._app import app
from thresher.workflow import selector_classes

RUN = CliRunner()
STEPWISE = ["select", "--method", "stepwise", "--random-state", "0"]


@pytest.fixture(scope="module")
def messy(tmp_path_factory):
    """A CSV file as people have them."""
    rng = np.random.default_rng(1)
    n = 200
    signal = rng.normal(size=n)
    frame = pd.DataFrame(
        {
            "id": [f"user {i}" for i in range(n)],
            "signal": np.where(rng.random(n) < 0.1, np.nan, signal),
            "noise": rng.normal(size=n),
            "[bold]colour[/bold]": rng.choice(["red", "green", "blue"], n),
            "when": pd.date_range("2024-01-01", periods=n).strftime("%Y-%m-%d"),
            "flag": rng.choice([True, False], n),
            "outcome": np.where(signal > 0, "good", "bad"),
            "amount": 3 * signal + 0.1 * rng.normal(size=n),
        }
    )
    path = tmp_path_factory.mktemp("messy") / "messy.csv"
    frame.to_csv(path, index=False)
    return path


def test_select_prints_a_verdict_for_each_column(messy):
    result = RUN.invoke(app, [*STEPWISE, str(messy), "--target", "outcome", "--drop", "amount"])
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["column", "verdict", "score", "why"]
    assert lines[1].split()[:2] == ["signal", "relevant"]
    assert any(line.startswith("[bold]colour[/bold]") for line in lines)
    assert "1 of 6 columns selected by Stepwise" in lines[-1]
    assert "rewriting categories and missing values as numbers for GaussianNB" in result.stderr


def test_json_and_output_hold_the_same_selection(messy, tmp_path):
    out = tmp_path / "result.json"
    command = [*STEPWISE, str(messy), "--target", "amount", "--json", "--output", str(out)]
    result = RUN.invoke(app, [*command, "--drop", "outcome", "--random-state", "3"])
    assert result.exit_code == 0
    printed = json.loads(result.stdout)
    assert printed["selected"][0] == "signal"
    assert Selection.load(out).selected == tuple(printed["selected"])
    assert printed["settings"]["estimator"] == "Ridge()"


@pytest.mark.parametrize(
    "options",
    [
        ["--direction", "backward", "--n-features", "2"],
        ["--floating", "--n-features", "1:3", "--rule", "one-standard-error"],
        ["--estimator", "knn", "--cv", "loo"],
        ["--estimator", "sklearn.tree.DecisionTreeClassifier", "--n-features", "1"],
        ["--scoring", "roc_auc", "--n-features", "1", "--estimator", "tree"],
        ["--keep", "noise", "--feature-groups", "pair=flag,when", "--tolerance", "0.01"],
        ["--method", "wrapper", "--search", "backward", "--judge", "exhaustive"],
        ["--param", "verbose=0", "--max-evaluations", "5"],
    ],
    ids=" ".join,
)
def test_options_reach_the_selector(messy, options):
    command = [*STEPWISE, str(messy), "--target", "outcome", "--drop", "amount", "--json"]
    result = RUN.invoke(app, [*command, *options])
    assert result.exit_code == 0, result.stderr
    selection = json.loads(result.stdout)
    assert selection["selected"]
    if "--keep" in options:
        assert "noise" in selection["selected"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--target", "outcom"], "outcome"),
        (["--target", "outcome", "--method", "magic"], "--method must be one of"),
        (["--target", "outcome", "--estimator", "magic"], "estimator must be one of"),
        (["--target", "amount", "--estimator", "naive-bayes"], "is a classifier"),
        (["--target", "outcome", "--task", "magic"], "--task must be"),
        (["--target", "outcome", "--n-features", "many"], "--n-features must be"),
        (["--target", "outcome", "--cv", "many"], "--cv must be"),
        (["--target", "outcome", "--search", "forward"], "--search does not apply to --method"),
        (["--target", "outcome", "--param", "verbose"], "--param must read name=value"),
        (["--target", "outcome", "--param", "magic=1"], "--magic does not apply"),
        (["--target", "outcome", "--feature-groups", "ab"], "--feature-groups must read"),
        (["--target", "outcome", "--feature-groups", "g=zebra"], "zebra"),
        (["--target", "outcome", "--keep", "zebra"], "zebra"),
        (["--target", "outcome", "--output", "/no/such/folder/x.json"], "does not exist"),
        (["--target", "outcome", "--output", "."], "is a folder"),
        (["--target", "outcome", "--estimator", "os.path"], "estimator must be an instance"),
        (["--target", "outcome", "--estimator", "."], "is not a path"),
        (["--target", "outcome", "--cv", "²"], "--cv must be"),
        (["--target", "outcome", "--no-encode"], "set encode=True"),
        (["--target", "outcome", "--cv", "500"], "cv=500"),
        (["--magic"], "No such option"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_misuse_ends_with_code_2_and_says_why(messy, options, message):
    result = RUN.invoke(app, [*STEPWISE, str(messy), *options])
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_missing_and_broken_files(tmp_path):
    for name, content in (("gone.csv", None), ("empty.csv", b""), ("bad.parquet", b"PAR1junk")):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        result = RUN.invoke(app, ["select", str(tmp_path / name), "--target", "y"])
        assert result.exit_code == 2
        assert name in result.stderr


def test_stdin(messy):
    command = [*STEPWISE, "-", "--target", "outcome", "--drop", "amount", "--json"]
    result = RUN.invoke(app, command, input=messy.read_bytes())
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["selected"] == ["signal"]


def test_methods_lists_everything_with_a_name():
    table = RUN.invoke(app, ["methods"])
    assert table.exit_code == 0
    listed = json.loads(RUN.invoke(app, ["methods", "--json"]).stdout)
    assert set(listed["method"]) == set(selector_classes())
    for names in listed.values():
        for name in names:
            assert name in table.stdout


def test_demo_writes_its_result(tmp_path):
    out, page = tmp_path / "demo.json", tmp_path / "demo.html"
    result = RUN.invoke(app, ["demo", "--output", str(out), "--report", str(page)])
    assert result.exit_code == 0
    selection = Selection.load(out)
    assert f"{len(selection.selected)} of 60 columns " in page.read_text()
    proved = selection.view("all-relevant").selected
    assert len(proved) > 10
    assert not any(name.startswith("shuffled") for name in (*proved, *selection.selected))
    assert len(selection.verdicts) == 60


@pytest.mark.parametrize(
    ("estimator", "code", "told"),
    [("Broken", 1, "RuntimeError: the motor is off"), ("Refusing", 2, "the motor is off")],
)
def test_an_estimator_that_fails_ends_with_its_own_words(messy, estimator, code, told):
    words = [*STEPWISE, str(messy), "--target", "outcome", "--n-jobs", "2"]
    done = RUN.invoke(app, [*words, "--estimator", f"tests.cli.broken.{estimator}"])
    assert done.exit_code == code
    assert f"thresher: {told}\n" in done.stderr
    assert "Traceback" not in done.stderr
    assert not done.stdout


@pytest.mark.slow
def test_the_program_and_its_workers_end_quietly_when_an_estimator_fails(messy, tmp_path):
    (tmp_path / "garage.py").write_text(Path(broken.__file__).read_text())
    words = [*STEPWISE, str(messy), "--target", "outcome", "--estimator", "garage.Broken"]
    done = subprocess.run(
        [sys.executable, "-c", "from thresher.cli import main; main()", *words],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 1
    assert "thresher: RuntimeError: the motor is off\n" in done.stderr
    assert "Traceback" not in done.stderr
    assert not done.stdout


def test_ctrl_c_gives_the_best_so_far(messy, monkeypatch):
    from thresher.workflow import _progress

    def interrupt(self, step):
        if step.number == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(_progress.Watcher, "__call__", interrupt)
    result = RUN.invoke(app, [*STEPWISE, str(messy), "--target", "outcome", "--drop", "amount"])
    assert result.exit_code == 130
    assert "best subset so far" in result.stderr
    assert "signal" in result.stdout


def test_the_program_runs_and_knows_its_version():
    done = subprocess.run(
        [sys.executable, "-c", "from thresher.cli import main; main()", "--version"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.startswith("thresher 0.")


def test_libsvm_features_keep_their_names_and_reach_trees(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    rows = [
        f"{int(row[2] > 0)} " + " ".join(f"{j + 1}:{value:.4f}" for j, value in enumerate(row))
        for row in X
    ]
    (tmp_path / "t.libsvm").write_text("\n".join(rows))
    command = [*STEPWISE, str(tmp_path / "t.libsvm"), "--estimator", "tree", "--n-features", "1"]
    result = RUN.invoke(app, [*command, "--json"])
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["selected"] == ["f3"]


def test_the_loss_shown_is_that_of_the_chosen_subset(messy):
    command = [*STEPWISE, str(messy), "--target", "outcome", "--drop", "amount", "--direction"]
    options = ["backward", "--n-features", "1", "--feature-groups", "pair=signal,noise"]
    table = RUN.invoke(app, [*command, *options]).stdout
    trace = json.loads(RUN.invoke(app, [*command, *options, "--json"]).stdout)
    chosen = [record for record in trace["trace"] if record["chosen"]]
    assert f"loss {chosen[-1]['loss']:.4g}" in table


def test_help_does_not_wait_for_scikit_learn():
    code = (
        "import sys; from thresher.cli._app import app; "
        "assert not {'sklearn', 'numba', 'scipy', 'polars'} & set(sys.modules), 'heavy import'"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
