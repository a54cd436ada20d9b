"""An experiment that was stopped goes on from its journal, and comes to the same result."""

import json
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest
from typer.testing import CliRunner

from thresher.cli._app import app
from thresher.experiments import EXPERIMENTS, Conditions, Experiment, Kept, Result, admit
from thresher.experiments import _kept as home
from thresher.journal import Entry, JournalError, opened

RUN = CliRunner()


@dataclass(frozen=True)
class Found:
    sizes: tuple[int, ...]
    errors: dict[int, float]
    known: bool | None = None


OUTCOMES = {
    "number": 0.1 + 0.2,
    "no number": float("inf"),
    "list": [[1, 2.5], [True, None, "word"]],
    "tuple": (1, (2, 3)),
    "record": [Found((1, 2), {3: 0.5}, True), Found((), {})],
}


def _outcome(name):
    return OUTCOMES[name]


def _array(seed):
    return np.random.default_rng(seed).random((2, 3)), np.array([1, 2]), np.array([True])


def _counter(word):
    return Counter(word)


CALLED = []


def _counted(name):
    CALLED.append(name)
    return OUTCOMES[name]


def _twice(tmp_path, function, task):
    found = []
    for _ in range(2):
        with opened(tmp_path / "run.db") as scope:
            kept = Kept(scope.part("here"))
            found.append(kept.call(function, task, "tasks"))
    return found, kept


@pytest.mark.parametrize("name", OUTCOMES)
def test_outcomes_come_back_as_they_were(name, tmp_path):
    (first, again), kept = _twice(tmp_path, _outcome, (name,))
    assert again == first
    assert type(again) is type(first)
    assert kept.n_recalled == 1
    assert kept.seconds >= 0


def test_arrays_come_back_bit_by_bit(tmp_path):
    (first, again), _ = _twice(tmp_path, _array, (3,))
    for one, other in zip(first, again, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


def test_what_cannot_be_written_down_is_found_out_anew(tmp_path):
    (first, again), kept = _twice(tmp_path, _counter, ("letter",))
    assert first == again == Counter("letter")
    assert kept.n_recalled == 0


def test_known_tasks_are_not_done_again(tmp_path):
    CALLED.clear()
    for wanted, n_calls in ((["number"], 1), (["number", "list"], 2), (["number", "list"], 2)):
        with opened(tmp_path / "run.db") as scope:
            conditions = Conditions(1, None, False, 2, lambda _: None, kept=Kept(scope))
            found = conditions.map(_counted, [(name,) for name in wanted], "tasks")
        assert found == [OUTCOMES[name] for name in wanted]
        assert len(CALLED) == n_calls


def test_a_damaged_outcome_is_refused(tmp_path):
    with opened(tmp_path / "run.db") as scope:
        kept = Kept(scope)
        key = scope.key(json.dumps(home.describe([_outcome, ("number",)]), sort_keys=True))
        note = {"outcome": {"record": "pytest", "fields": {}}, "seconds": 1.0}
        scope.add(key, Entry((), note), "tasks")
        with pytest.raises(JournalError, match="is damaged: .*pytest is no record"):
            kept.call(_outcome, ("number",), "tasks")


def _stopping(conditions: Conditions) -> Result:
    (found,) = conditions.map(_outcome, [("number",)], "tasks")
    return Result("Numbers", ("number",), ((found,),))


@pytest.mark.parametrize("other", ["quick", "data"])
def test_outcomes_of_other_conditions_do_not_count(other, tmp_path):
    needed = Experiment("stopping", "A test", _stopping, 1, needs=("table",))
    (tmp_path / "table.parquet").write_bytes(b"one")
    n_recalled = []
    for changed in (False, True, True):
        if changed and other == "data":
            (tmp_path / "table.parquet").write_bytes(b"two")
        with opened(tmp_path / "run.db") as scope:
            kept = needed.kept_in(scope, data=tmp_path, quick=changed and other == "quick")
            needed.run(data=tmp_path, kept=kept)
        n_recalled.append(kept.n_recalled)
    assert n_recalled == [0, 0, 1]


def test_other_sources_are_refused(tmp_path, monkeypatch):
    with opened(tmp_path / "run.db") as scope:
        admit(scope)
        admit(scope)
        monkeypatch.setattr(home, "_PACKAGE", tmp_path)
        with pytest.raises(JournalError, match="belongs to another run: sources"):
            admit(scope)


def test_an_experiment_that_was_stopped_comes_to_the_same_result(tmp_path):
    experiment = EXPERIMENTS["rve-figure1"]

    def stop(stand):
        if "2 of 3" in stand:
            raise KeyboardInterrupt

    with opened(tmp_path / "run.db") as scope:
        kept = experiment.kept_in(scope, data=None, quick=True)
        with pytest.raises(KeyboardInterrupt):
            experiment.run(runs=3, quick=True, n_jobs=1, progress=stop, kept=kept)
        kept = experiment.kept_in(scope, data=None, quick=True)
        again = experiment.run(runs=3, quick=True, n_jobs=1, kept=kept)
    assert kept.n_recalled == 2
    assert again == experiment.run(runs=3, quick=True, n_jobs=1)


def test_a_journal_on_the_command_line_extends_a_record(tmp_path):
    records = []
    for runs in (1, 2):
        command = ["reproduce", "rve-figure1", "--quick", "--runs", str(runs)]
        command += ["--journal", str(tmp_path / "run.db"), "--save", str(tmp_path / "here")]
        result = RUN.invoke(app, command)
        assert result.exit_code == 0, result.stderr
        records.append(json.loads((tmp_path / "here" / "rve-figure1.json").read_text("utf-8")))
    assert "n_recalled" not in records[0]
    assert records[1]["n_recalled"] == 1
    assert records[1]["runs"] == 2
    page = (tmp_path / "here" / "rve-figure1.md").read_text("utf-8")
    assert "Outcomes kept from earlier sittings, by the same sources: 1;" in page


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "with --journal FILE"),
        (["--journal", "run.db"], "the same command goes on from run.db"),
    ],
)
def test_an_interruption_says_what_is_kept(options, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Experiment, "run", interrupt)
    result = RUN.invoke(app, ["reproduce", "definitions", *options])
    assert result.exit_code == 130
    assert f"thresher: interrupted before the end; {told}" in result.stderr


def test_a_journal_of_something_else_is_refused(tmp_path):
    path = tmp_path / "run.db"
    path.write_text("no journal at all, but long enough to be taken for one")
    result = RUN.invoke(app, ["reproduce", "definitions", "--journal", str(path)])
    assert result.exit_code == 2
    assert "run.db" in result.stderr


def test_resume_says_that_the_program_must_be_run_again(tmp_path):
    path = tmp_path / "run.db"
    RUN.invoke(app, ["reproduce", "definitions", "--journal", str(path)])
    result = RUN.invoke(app, ["resume", str(path)])
    assert result.exit_code == 2
    assert "run the program that wrote it again, with the same journal" in result.stderr
