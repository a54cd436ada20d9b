"""Run the methods on the tables, each table in a process of its own with a limit."""

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .environments import Environment, last_line
from .given import Given
from .registry import Peer
from .results import Results, key_of

WORKER = Path(__file__).with_name("worker.py")
THREADS = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA", "VECLIB_MAXIMUM")
#: Seconds for imports and compilation, which the limit does not cover.
TO_START = 180.0
LOOK_EVERY = 0.02
#: Tables that one process is started for: each gets a copy of it, which spares the imports.
BATCH = 5 if hasattr(os, "fork") else 1
#: The limit is on seconds of work; on a busy machine, or asleep, it may last so many times longer.
PATIENCE = 4
#: How a process ends whose seconds of work are up, where the system counts them.
OUT_OF_TIME = -signal.SIGXCPU if hasattr(signal, "SIGXCPU") else None
#: How errors begin that need not come again: they are not kept.
PASSING = ("did not start", "did not end", "crashed")


@dataclass(frozen=True, eq=False)
class Job:
    """One method on one table."""

    peer: Peer
    table: Given

    def key(self, versions: str) -> str:
        """Return a name for all that the answer depends on, if there is time for one."""
        return key_of(
            peer=self.peer.adapter,
            adapter=_digest(self.peer.path),
            versions=versions,
            task=self.table.task,
            part=self.table.part,
            data=self.table.digest(),
            told=self.table.n_features if self.peer.told else None,
            frame=self.peer.frame,
            worker=_digest(WORKER),
        )


def run_all(
    jobs: Sequence[Job],
    results: Results,
    *,
    limit: float,
    workers: int,
    batch: int = BATCH,
    tell: Callable[[str], Any] = lambda _: None,
) -> list[dict[str, Any]]:
    """Return the records of the jobs, in their order; those already known are not run again.

    A process is started for at most ``batch`` tables.
    """
    stop, lock = threading.Event(), threading.Lock()
    places = {peer: peer.environment() for peer in dict.fromkeys(job.peer for job in jobs)}
    records: dict[int, dict[str, Any]] = {}

    def note(number: int, record: dict[str, Any]) -> None:
        with lock:
            records[number] = record
            tell(f"{len(records)} of {len(jobs)}: {_in_words(record)}")

    def ask(numbers: Sequence[int]) -> None:
        place = places[jobs[numbers[0]].peer]
        asked = [jobs[number] for number in numbers]
        with contextlib.closing(run(asked, place.python, limit, stop)) as found:
            for number, job, answer in zip(numbers, asked, found, strict=True):
                record = {**_about(job, place, limit), **answer}
                if not _is_passing(record):
                    results.add(job.key(place.versions), record)
                note(number, _in_time(record, limit))

    to_ask = []
    for number, job in enumerate(jobs):
        record = _known(job, places[job.peer], results, limit)
        if record is None:
            to_ask.append(number)
        else:
            note(number, record)
    pool = ThreadPoolExecutor(workers)
    try:
        futures = [pool.submit(ask, each) for each in _batches(jobs, to_ask, min(batch, BATCH))]
        for future in as_completed(futures):
            future.result()
        for number in filter(lambda number: _is_passing(records[number]), to_ask):
            ask([number])  # once more, with the machine to itself
    finally:
        stop.set()  # after an interrupt, children must not live on
        pool.shutdown(cancel_futures=True)
    return [records[number] for number in range(len(jobs))]


def _batches(jobs: Sequence[Job], numbers: Sequence[int], size: int) -> list[list[int]]:
    """Put tables of one kind together that the same method is asked about, but not too many.

    A method is warmed up by the first of them.
    """
    alike: dict[tuple[str, str, bool], list[int]] = {}
    for number in numbers:
        peer, table = jobs[number].peer, jobs[number].table
        like = (peer.adapter, table.kind, peer.frame and table.frame is not None)
        alike.setdefault(like, []).append(number)
    return [
        each[first : first + size] for each in alike.values() for first in range(0, len(each), size)
    ]


def _about(job: Job, place: Environment, limit: float) -> dict[str, Any]:
    return {
        "peer": job.peer.adapter,
        "versions": place.versions,
        "task": job.table.task,
        "part": job.table.part,
        "limit": limit,
    }


def _known(job: Job, place: Environment, results: Results, limit: float) -> dict[str, Any] | None:
    """Return what is known without asking; None if that is nothing."""
    if place.python is None or place.problem:
        return {
            **_about(job, place, limit),
            "error": place.problem,
        }  # not written: it may be there next time
    known = results.get(job.key(place.versions))
    return None if known is None or _too_short(known, limit) else _in_time(known, limit)


def run(
    jobs: Sequence[Job], python: Path, limit: float, stop: threading.Event | None = None
) -> Iterator[dict[str, Any]]:
    """Ask a method about tables, one after the other: its columns and seconds, or an error."""
    with tempfile.TemporaryDirectory(prefix="peers-") as name:
        tables = []
        for number, job in enumerate(jobs):
            folder = Path(name, str(number))
            folder.mkdir()
            _write(folder, job, limit)
            tables.append((folder, job))
        while tables:  # after a crash or a hang another process goes on
            process, goes_on = _start(python, [folder for folder, _ in tables]), True
            try:
                while tables and goes_on:
                    folder, job = tables.pop(0)
                    problem = _wait(process, folder, limit, stop)
                    yield _answer(folder, process, problem, job)
                    goes_on = process.poll() is None or (tables and _ended(tables[0][0]).exists())
            finally:
                _end(process)


def _start(python: Path, folders: Sequence[Path]) -> subprocess.Popen:
    with (folders[0] / "printed").open("w") as printed:
        return subprocess.Popen(
            [str(python), "-P", str(WORKER), *map(str, folders)],
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            env={**os.environ, **{f"{name}_NUM_THREADS": "1" for name in THREADS}},
            cwd=folders[0],
            start_new_session=True,  # so that its own children end with it
        )


def _digest(path: Path) -> str:
    return hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()


def _write(folder: Path, job: Job, limit: float) -> None:
    table = job.table
    frame = table.frame if job.peer.frame else None
    np.savez(folder / "table.npz", X=table.X, y=table.y)
    if frame is not None:
        _with_named_levels(frame).to_parquet(folder / "table.parquet")
    asked = {
        "adapter": str(job.peer.path),
        "task": table.kind,
        "seed": table.seed,
        "n_features": table.n_features,
        "frame": frame is not None,
        "limit": limit,
    }
    (folder / "job.json").write_text(json.dumps(asked))


def _with_named_levels(frame: Any) -> Any:
    """Return a frame whose levels are texts: Parquet turns levels that are numbers into numbers."""
    levels = {
        name: column.cat.rename_categories(str)
        for name, column in frame.items()
        if column.dtype.name == "category"
    }
    return frame.assign(**levels)


def _wait(
    process: subprocess.Popen, folder: Path, limit: float, stop: threading.Event | None
) -> str | None:
    """Wait until nothing more will come; return what kept the answer from coming, if anything.

    A process that hangs is ended.
    """
    began, started = time.monotonic(), None
    while not _ended(folder).exists() and process.poll() is None:
        now = time.monotonic()
        if started is None and (folder / "started").exists():
            started = now
        if started is not None and now - started > PATIENCE * limit:
            _end(process)
            return f"did not end within {PATIENCE * limit:g} s by the clock"
        if started is None and now - began > TO_START:
            _end(process)
            return f"did not start within {TO_START:g} s"
        if stop is not None and stop.is_set():
            raise InterruptedError("the run was stopped")
        time.sleep(LOOK_EVERY)
    return gave_up(limit) if _code(process, folder) == OUT_OF_TIME else None


def _ended(folder: Path) -> Path:
    """Return the file that is there when nothing more will come about a table."""
    return folder / "ended"


def _code(process: subprocess.Popen, folder: Path) -> int:
    """Return how the process of one table ended; it need not be the end of all."""
    return int(_ended(folder).read_text()) if _ended(folder).exists() else process.wait()


def _too_short(known: dict[str, Any], limit: float) -> bool:
    """Whether a method was given up that has more time now."""
    return _was_given_up(known) and known["limit"] < limit


def _in_time(record: dict[str, Any], limit: float) -> dict[str, Any]:
    """Return a record as it counts under a limit: an answer that came late did not come."""
    late = record.get("cpu_seconds", 0.0) > limit or _was_given_up(record)
    return {**record, "limit": limit, "error": gave_up(limit)} if late else record


def _was_given_up(record: dict[str, Any]) -> bool:
    return record.get("error") == gave_up(record["limit"])


def _is_passing(record: dict[str, Any]) -> bool:
    """Whether there is no answer for a reason that need not come again."""
    return record.get("error", "").startswith(PASSING)


def gave_up(limit: float) -> str:
    return f"gave up after {limit:g} s"


def seconds_of(record: dict[str, Any], limit: float) -> float | None:
    """Seconds of the processor behind a record; None of a crash, which took none worth telling."""
    if record.get("error") == gave_up(limit):
        return limit
    return record.get("cpu_seconds")


def _end(process: subprocess.Popen) -> None:
    """End the process and what it has started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _answer(
    folder: Path, process: subprocess.Popen, problem: str | None, job: Job
) -> dict[str, Any]:
    if problem:
        return {"error": problem}
    try:
        answer = json.loads((folder / "answer.json").read_text())
    except (OSError, ValueError):
        printed = folder / "printed"
        said = last_line(printed.read_text(errors="replace")) if printed.exists() else ""
        return {"error": f"crashed with code {_code(process, folder)}: {said}"}
    columns = answer.get("columns")
    if columns is not None:
        n_columns = job.table.X.shape[1]
        if len(set(columns)) < len(columns) or not all(0 <= at < n_columns for at in columns):
            return {"error": f"answered nonsense for {n_columns} columns: {columns[:10]}"}
        answer["columns"] = sorted(columns)
    return answer


def _in_words(record: dict[str, Any]) -> str:
    what = record.get("error") or f"{len(record['columns'])} columns, {record['seconds']:.1f} s"
    return f"{record['peer']} on {record['task']}, {record['part']}: {what}"
