"""Run the methods on the tables, each in a process of its own with a limit."""

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
from collections.abc import Callable, Sequence
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
#: The limit is on seconds of work; on a busy machine, or asleep, it may last so many times longer.
PATIENCE = 4
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
    tell: Callable[[str], Any] = lambda _: None,
) -> list[dict[str, Any]]:
    """Return the records of the jobs, in their order; those already known are not run again."""
    stop = threading.Event()
    places = {peer: peer.environment() for peer in dict.fromkeys(job.peer for job in jobs)}
    answers: dict[int, dict[str, Any]] = {}
    pool = ThreadPoolExecutor(workers)
    try:
        futures = {
            pool.submit(_known_or_run, job, places[job.peer], results, limit, stop): number
            for number, job in enumerate(jobs)
        }
        for n_done, future in enumerate(as_completed(futures), 1):
            number = futures[future]
            answers[number] = future.result()
            tell(f"{n_done} of {len(jobs)}: {_in_words(answers[number])}")
    finally:
        stop.set()  # after an interrupt, children must not live on
        pool.shutdown(cancel_futures=True)
    return [answers[number] for number in range(len(jobs))]


def _known_or_run(
    job: Job, place: Environment, results: Results, limit: float, stop: threading.Event
) -> dict[str, Any]:
    about = {
        "peer": job.peer.adapter,
        "versions": place.versions,
        "task": job.table.task,
        "part": job.table.part,
        "limit": limit,
    }
    if place.python is None or place.problem:
        return {**about, "error": place.problem}  # not written: it may be there next time
    key = job.key(place.versions)
    known = results.get(key)
    if known is not None and not _too_short(known, limit):
        late = known.get("cpu_seconds", 0.0) > limit
        return {**about, "error": gave_up(limit)} if late else known
    record = {**about, **run(job, place.python, limit, stop)}
    return record if record.get("error", "").startswith(PASSING) else results.add(key, record)


def run(
    job: Job, python: Path, limit: float, stop: threading.Event | None = None
) -> dict[str, Any]:
    """Ask a method once: its columns and seconds, or an error in words."""
    with tempfile.TemporaryDirectory(prefix="peers-") as name:
        folder = Path(name)
        _write(folder, job, limit)
        with (folder / "printed").open("w") as printed:
            process = subprocess.Popen(
                [str(python), "-P", str(WORKER), str(folder)],
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
                env={**os.environ, **{f"{name}_NUM_THREADS": "1" for name in THREADS}},
                cwd=folder,
                start_new_session=True,  # so that its own children end with it
            )
            try:
                problem = _wait(process, folder, limit, stop)
            finally:
                _end(process)
        return _answer(folder, process, problem, job)


def _digest(path: Path) -> str:
    return hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()


def _write(folder: Path, job: Job, limit: float) -> None:
    table = job.table
    frame = table.frame if job.peer.frame else None
    np.savez(folder / "table.npz", X=table.X, y=table.y)
    if frame is not None:
        frame.to_parquet(folder / "table.parquet")
    asked = {
        "adapter": str(job.peer.path),
        "task": table.kind,
        "seed": table.seed,
        "n_features": table.n_features,
        "frame": frame is not None,
        "limit": limit,
    }
    (folder / "job.json").write_text(json.dumps(asked))


def _wait(
    process: subprocess.Popen, folder: Path, limit: float, stop: threading.Event | None
) -> str | None:
    """Wait for the end; return what kept it from coming, if anything did."""
    began, started = time.monotonic(), None
    while process.poll() is None:
        now = time.monotonic()
        if started is None and (folder / "started").exists():
            started = now
        if started is not None and now - started > PATIENCE * limit:
            return f"did not end within {PATIENCE * limit:g} s by the clock"
        if started is None and now - began > TO_START:
            return f"did not start within {TO_START:g} s"
        if stop is not None and stop.is_set():
            raise InterruptedError("the run was stopped")
        time.sleep(LOOK_EVERY)
    return gave_up(limit) if process.returncode == -signal.SIGXCPU else None


def _too_short(known: dict[str, Any], limit: float) -> bool:
    """Whether a method was given up that has more time now."""
    return known.get("error") == gave_up(known["limit"]) and known["limit"] < limit


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
        said = last_line((folder / "printed").read_text(errors="replace"))
        return {"error": f"crashed with code {process.returncode}: {said}"}
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
