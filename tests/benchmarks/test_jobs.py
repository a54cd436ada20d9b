import os
import shlex
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from select import select

import numpy as np
import pandas as pd
import pytest
from benchmarks.peers import jobs
from benchmarks.peers.environments import Environment
from benchmarks.peers.given import Given
from benchmarks.peers.jobs import Job, _with_named_levels, run, run_all
from benchmarks.peers.results import Results

PYTHON = Path(sys.executable)
SELECT = "def select(X, y, task, seed, n_features):\n    "


@dataclass(frozen=True)
class Fake:
    """A peer whose adapter is a few lines of text, run by our own Python."""

    path: Path
    adapter: str = "fake"
    told: bool = False
    frame: bool = False
    problem: str | None = None

    def environment(self):
        return Environment(PYTHON, "fake 1.0", self.problem)


@pytest.fixture
def fake(tmp_path):
    def make(code, **settings):
        path = tmp_path / "fake.py"
        path.write_text(code)
        return Fake(path, **settings)

    return make


def table(X=None, **settings):
    X = np.arange(12.0).reshape(4, 3) if X is None else X
    about = {"task": "small", "part": "seed 0", "kind": "regression", "seed": 7, "frame": None}
    return Given(**{**about, "X": X, "y": np.arange(4.0), "n_features": 2, **settings})


def ask(job, limit):
    (found,) = run([job], PYTHON, limit)
    return found


def test_an_answer_comes_with_its_seconds(fake):
    found = ask(Job(fake(f"{SELECT}return [2, n_features - 2]"), table()), 30)
    assert found["columns"] == [0, 2]
    assert 0 <= found["seconds"] < 30


def test_numbers_of_numpy_are_columns_too(fake):
    peer = fake(f"import numpy as np\n{SELECT}return np.flatnonzero(X[0] > 0)")
    assert ask(Job(peer, table()), 30)["columns"] == [1, 2]


def test_a_frame_arrives_as_it_is(fake):
    import pandas as pd

    frame = pd.DataFrame({"a": pd.Categorical(["p", None, "q", "p"]), "b": [1.0, 2.0, None, 4.0]})
    peer = fake(f"{SELECT}return [0] if X['a'].dtype == 'category' else []", frame=True)
    given = table(np.zeros((4, 2)), frame=frame)
    assert ask(Job(peer, given), 30)["columns"] == [0]


def test_an_exception_is_told_with_its_type(fake):
    found = ask(Job(fake(f"{SELECT}raise KeyError('lost')"), table()), 30)
    assert found == {"error": "KeyError: 'lost'"}


def test_an_adapter_that_cannot_be_imported_is_told(fake):
    found = ask(Job(fake("import no_such_package_at_all"), table()), 30)
    assert found["error"].startswith("ModuleNotFoundError")


def test_a_crash_is_told(fake):
    peer = fake(f"import os, sys\n{SELECT}sys.stderr.write('Fatal error: x'); os._exit(3)")
    found = ask(Job(peer, table()), 30)
    assert found["error"].startswith("crashed with code 3")


def test_one_that_hangs_is_given_up(fake):
    found = ask(Job(fake(f"import time\n{SELECT}time.sleep(60)"), table()), 0.2)
    assert found == {"error": "did not end within 0.8 s by the clock"}


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of the processor's time")
def test_one_that_never_ends_its_work_is_given_up_by_the_processors_time(fake, monkeypatch):
    monkeypatch.setattr(jobs, "PATIENCE", 1000)
    found = ask(Job(fake(f"{SELECT}while True: pass"), table()), 0.5)
    assert found == {"error": "gave up after 0.5 s"}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
def test_what_it_started_is_ended_with_it(fake, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    listening = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    child = f"exec >{shlex.quote(str(pipe))}; echo begun; exec sleep 600"
    peer = fake(f"import subprocess\n{SELECT}subprocess.run(['sh', '-c', {child!r}])")
    found = ask(Job(peer, table()), 0.75)
    assert found["error"].startswith("did not end within")
    heard = b""
    while select([listening], [], [], 60)[0] and (part := os.read(listening, 100)):
        heard += part
    assert heard == b"begun\n"
    assert select([listening], [], [], 0)[0], "nobody holds the other end any more"
    os.close(listening)


def seeds(peer, *which):
    return [Job(peer, table(seed=seed, part=f"seed {seed}")) for seed in which]


def test_several_tables_are_answered_by_one_import(fake, tmp_path):
    imports = tmp_path / "imports"
    peer = fake(f"open({str(imports)!r}, 'a').write('x')\n{SELECT}return [seed]")
    found = list(run(seeds(peer, 2, 0, 1), PYTHON, 30))
    assert [each["columns"] for each in found] == [[2], [0], [1]]
    if hasattr(os, "fork"):
        assert imports.read_text() == "x"


def test_no_table_leaves_anything_behind_for_the_next(fake):
    peer = fake(f"seen = []\n{SELECT}seen.append(seed); return [len(seen)]")
    assert [each["columns"] for each in run(seeds(peer, 0, 1, 2), PYTHON, 30)] == [[1]] * 3


@pytest.mark.parametrize(
    ("failure", "told", "limit"),
    [
        ("os._exit(3)", "crashed with code 3", 30),
        ("os.killpg(0, 9)", "crashed with code -9", 30),
        ("time.sleep(600)", "did not end within", 1),  # the others have four seconds
    ],
)
def test_the_failure_of_one_table_costs_no_other(fake, failure, told, limit):
    peer = fake(f"import os, time\n{SELECT}{failure} if seed == 1 else None; return [seed]")
    first, second, third = run(seeds(peer, 0, 1, 2), PYTHON, limit)
    assert (first["columns"], third["columns"]) == ([0], [2])
    assert second["error"].startswith(told)


def test_columns_that_there_are_not_are_nonsense(fake):
    peer = fake(f"{SELECT}return [[0, 0], [3], [-1]][seed]")
    for found in run(seeds(peer, 0, 1, 2), PYTHON, 30):
        assert found["error"].startswith("answered nonsense")


def test_what_is_no_column_is_an_error(fake):
    peer = fake(f"{SELECT}return [[0.5], ['first'], None][seed]")
    for found in run(seeds(peer, 0, 1, 2), PYTHON, 30):
        assert "Error" in found["error"]


def counting(tmp_path):
    """Return an adapter that leaves a line for each call, and the file of these lines."""
    calls = tmp_path / "calls"
    return f"{SELECT}open({str(calls)!r}, 'a').write('x'); return [0]", calls


def test_a_run_goes_on_where_it_was(fake, tmp_path):
    code, calls = counting(tmp_path)
    jobs = [Job(fake(code), table(part=f"seed {seed}")) for seed in range(2)]
    path = tmp_path / "results.jsonl"
    run_all(jobs[:1], Results(path), limit=30, workers=1)
    told = []
    found = run_all(jobs, Results(path), limit=30, workers=2, tell=told.append)
    assert [record["part"] for record in found] == ["seed 0", "seed 1"]
    assert calls.read_text() == "xx"
    assert len(told) == 2


def test_an_answer_holds_for_every_limit_but_not_for_another_adapter(fake, tmp_path):
    code, calls = counting(tmp_path)
    results = Results(tmp_path / "results.jsonl")
    for limit in (30, 31, 29):
        (found,) = run_all([Job(fake(code), table())], results, limit=limit, workers=1)
        assert found["columns"] == [0]
    assert calls.read_text() == "x"
    run_all([Job(fake(code + "  # changed"), table())], results, limit=30, workers=1)
    assert calls.read_text() == "xx"


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of the processor's time")
def test_what_was_given_up_is_tried_again_with_more_time_only(fake, tmp_path, monkeypatch):
    monkeypatch.setattr(jobs, "PATIENCE", 1000)
    calls = tmp_path / "calls"
    # as the system ends it when its time is up
    code = (
        f"import os, signal\n{SELECT}open({str(calls)!r}, 'a').write('x')\n"
        "    os.kill(os.getpid(), signal.SIGXCPU)"
    )
    results = Results(tmp_path / "results.jsonl")
    for limit in (0.1, 0.1, 0.05, 0.2):
        (found,) = run_all([Job(fake(code), table())], results, limit=limit, workers=1)
        assert found["error"].startswith("gave up after")
    assert calls.read_text() == "xx"


def test_what_need_not_happen_again_is_tried_again(fake, tmp_path):
    calls = tmp_path / "calls"
    code = f"import os\n{SELECT}open({str(calls)!r}, 'a').write('x'); os._exit(3)"
    results = Results(tmp_path / "results.jsonl")
    for _ in range(2):
        (found,) = run_all([Job(fake(code), table())], results, limit=5, workers=1)
        assert found["error"].startswith("crashed with code 3")
    assert calls.read_text() == "xxxx"  # each run tries again itself


def test_a_failure_of_the_machine_is_mended_within_the_run(fake, tmp_path):
    mark = tmp_path / "mark"
    path = f"pathlib.Path({str(mark)!r})"
    code = (
        f"import os, pathlib\n{SELECT}{path}.exists() or ({path}.touch(), os._exit(3)); return [0]"
    )
    (found,) = run_all([Job(fake(code), table())], Results(tmp_path / "r"), limit=5, workers=1)
    assert found["columns"] == [0]


def test_a_method_that_exits_has_said_so(fake):
    found = ask(Job(fake(f"import sys\n{SELECT}sys.exit('no licence')"), table()), 30)
    assert found == {"error": "SystemExit: no licence"}


def test_what_cannot_be_kept_ends_the_run_and_what_it_started(fake, tmp_path, monkeypatch):
    calls = tmp_path / "calls"
    code = f"import time\n{SELECT}open({str(calls)!r}, 'a').write('x'); time.sleep(0.3); return []"
    results = Results(tmp_path / "results.jsonl")
    monkeypatch.setattr(results, "add", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run_all(seeds(fake(code), 0, 1, 2, 3), results, limit=30, workers=1)
    seen = calls.read_text()
    threading.Event().wait(1.0)
    assert calls.read_text() == seen


def test_an_answer_that_took_longer_than_the_limit_is_none(fake, tmp_path, monkeypatch):
    monkeypatch.setattr(jobs, "PATIENCE", 1000)
    peer = fake(f"import time\n{SELECT}began = time.process_time()\n"
                "    while time.process_time() < began + 0.3: pass\n    return [0]")  # fmt: skip
    results = Results(tmp_path / "results.jsonl")
    for limit, error in ((0.1, "gave up after 0.1 s"), (30, None), (0.2, "gave up after 0.2 s")):
        (found,) = run_all([Job(peer, table())], results, limit=limit, workers=1)
        assert found.get("error") == error
        assert jobs.seconds_of(found, limit) == pytest.approx(limit if error else 0.3, abs=0.25)


def test_an_environment_that_is_missing_is_a_record_that_is_not_kept(fake, tmp_path):
    job = Job(fake(f"{SELECT}return []", problem="java is not installed"), table())
    path = tmp_path / "results.jsonl"
    (record,) = run_all([job], Results(path), limit=30, workers=1)
    assert record["error"] == "java is not installed"
    assert not path.exists()


def test_levels_that_are_numbers_arrive_as_levels(tmp_path):
    frame = pd.DataFrame({"level": pd.Categorical([3, 1, 3]), "number": [0.5, 1.5, 2.5]})
    _with_named_levels(frame).to_parquet(tmp_path / "table.parquet")
    found = pd.read_parquet(tmp_path / "table.parquet")
    assert found["level"].dtype.name == "category"
    assert found["level"].tolist() == ["3", "1", "3"]
    pd.testing.assert_series_equal(found["number"], frame["number"])
