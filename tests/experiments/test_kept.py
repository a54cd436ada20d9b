"""An experiment that was stopped goes on from its journal, and comes to the same result."""

import json
from collections import Counter
from dataclasses import dataclass

import numpy as np
import polars as pl
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


@dataclass(frozen=True)
class Elsewhere:
    size: int


Elsewhere.__name__ = "Found"  # a record of that name is here, but it is another one

UNWRITABLE = {
    "counter": Counter("letter"),
    "record from elsewhere": Elsewhere(3),
    "short numbers": np.arange(3, dtype=np.float32),
    "long": "word" * 300_000,
}


def _unwritable(name):
    return UNWRITABLE[name]


CALLED = []


def _counted(name):
    CALLED.append(name)
    return OUTCOMES[name]


def _twice(tmp_path, function, task):
    found = []
    for _ in range(2):
        with opened(tmp_path / "run.db") as scope:
            kept = Kept(scope.part("here"))
            found.append(kept.call(function, task, {}, "tasks"))
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


@pytest.mark.parametrize("name", UNWRITABLE)
def test_what_cannot_be_written_down_is_found_out_anew(name, tmp_path):
    (first, again), kept = _twice(tmp_path, _unwritable, (name,))
    assert first is again is UNWRITABLE[name]
    assert kept.n_recalled == 0


def _scaled(number, *, n_jobs):
    return number * n_jobs


def test_what_is_free_does_not_count(tmp_path):
    found = []
    for n_jobs in (2, 3):
        with opened(tmp_path / "run.db") as scope:
            conditions = Conditions(1, None, False, 1, lambda _: None, kept=Kept(scope))
            found += conditions.map(_scaled, [(5,)], "tasks", n_jobs=n_jobs)
    assert found == [10, 10]


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
            kept.call(_outcome, ("number",), {}, "tasks")


def _found(conditions: Conditions) -> Result:
    (found,) = conditions.map(_outcome, [("number",)], "tasks")
    return Result("Numbers", ("number",), ((found,),))


def test_outcomes_of_a_quick_run_do_not_count(tmp_path):
    experiment = Experiment("numbers", "A test", _found, 1)
    n_recalled = []
    for quick in (True, False, True):
        with opened(tmp_path / "run.db") as scope:
            kept = experiment.kept_in(scope, quick=quick)
            experiment.run(kept=kept)
        n_recalled.append(kept.n_recalled)
    assert n_recalled == [0, 0, 1]


def test_outcomes_on_other_data_do_not_count(tmp_path):
    """Neither does a file that was missing cost what is known of others."""
    experiment = EXPERIMENTS["rve-tables6-9"]
    n_recalled = []
    for name, seed in (("monks-2", 0), ("monks-2", 1), ("soybean", 0), ("soybean", 0)):
        rng = np.random.default_rng(seed)
        cells = {f"a{k}": rng.integers(1, 4, 60) for k in range(6)}
        split = np.repeat(["train", "test"], 30)
        table = pl.DataFrame({**cells, "split": split, "target": rng.integers(0, 2, 60)})
        table.write_parquet(tmp_path / f"{name}.parquet")
        with opened(tmp_path / "run.db") as scope:
            kept = experiment.kept_in(scope, quick=True)
            experiment.run(runs=1, quick=True, data=tmp_path, n_jobs=1, kept=kept)
        n_recalled.append(kept.n_recalled)
    assert n_recalled[:2] == [0, 0]
    assert 0 < n_recalled[2] < n_recalled[3] == 2 * n_recalled[2]


def test_other_sources_are_refused(tmp_path, monkeypatch):
    with opened(tmp_path / "run.db") as scope:
        admit(scope)
        admit(scope)
        monkeypatch.setattr(home, "_PACKAGE", tmp_path)
        with pytest.raises(
            JournalError, match="belongs to another run: sources of thresher have changed"
        ):
            admit(scope)


def test_an_experiment_that_was_stopped_comes_to_the_same_result(tmp_path):
    experiment = EXPERIMENTS["rve-figure1"]

    def stop(stand):
        if "2 of 3" in stand:
            raise KeyboardInterrupt

    with opened(tmp_path / "run.db") as scope:
        kept = experiment.kept_in(scope, quick=True)
        with pytest.raises(KeyboardInterrupt):
            experiment.run(runs=3, quick=True, n_jobs=1, progress=stop, kept=kept)
        kept = experiment.kept_in(scope, quick=True)
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
    assert "Outcomes kept from earlier runs, by the same sources: 1;" in page


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
