"""Processes on this machine, which are replaced if they die."""

import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Future, InvalidStateError
from contextlib import suppress
from pathlib import Path

from joblib.externals.loky import ProcessPoolExecutor
from joblib.externals.loky.process_executor import ShutdownExecutorError

from ._engine import Call, Engine
from ._failure import Failure
from ._limit import Limit
from ._worker import Outcome, perform_elsewhere

__all__ = ["Loky"]

#: Seconds after which processes without work go.
IDLE = 120

_pools: dict[tuple[int, int], ProcessPoolExecutor] = {}
_pools_lock = threading.Lock()


class Loky(Engine):
    """A pool of processes, as joblib's own, that outlives one stream of tasks.

    Parameters
    ----------
    n_workers : int
        Processes.
    timeout : float, optional
        Seconds that a task may take.
    """

    n_retries = 1

    def __init__(self, n_workers: int, timeout: float | None = None):
        super().__init__(n_workers)
        self._timeout = timeout
        self._notes: Path | None = None
        self._alone: ProcessPoolExecutor | None = None

    def submit(self, call: Call) -> "Future[Outcome]":
        """Give it to the pool, to a new one if the old one is broken."""
        try:
            return self._submit_to(_pool(self.n_workers), call)
        except (BrokenExecutor, ShutdownExecutorError):
            _drop(self.n_workers)
            return self._submit_to(_pool(self.n_workers), call)

    def submit_alone(self, call: Call) -> "Future[Outcome]":
        """Give it to a process of its own."""
        self._end_alone()
        self._alone = _new_pool(1)
        return self._submit_to(self._alone, call)

    def look(self, futures: Sequence["Future[Outcome]"]) -> None:
        """Give up a pool whose own thread has died: it warns of leaks, and warnings may be errors.

        Nobody else would notice.
        """
        pool = _pools.get((os.getpid(), self.n_workers))
        if pool is not None and not _is_led(pool):
            _drop(self.n_workers)
            for future in futures:
                with suppress(InvalidStateError):
                    future.set_exception(BrokenExecutor("the pool has no leader"))

    def is_loss(self, error: BaseException) -> bool:
        """Whether the pool is broken."""
        return isinstance(error, (BrokenExecutor, ShutdownExecutorError))

    def explain(self, call: Call) -> Outcome | None:
        """Whether a task was ended by force, because it took too long."""
        note = self._note(call)
        if note is None or self._timeout is None:
            return None
        try:
            trace = note.read_text(errors="replace")
        except OSError:
            return None
        if not trace:
            return None
        error = TimeoutError(Limit(self._timeout).message)
        failure = Failure("timeout", str(error), (), error, trace)
        return Outcome(None, failure, self._timeout)

    def recover(self) -> None:
        """Drop the broken pool, when all that it had to do is lost."""
        pool = _pools.get((os.getpid(), self.n_workers))
        if pool is not None and pool._flags.broken is not None:
            _drop(self.n_workers)

    def abandon(self) -> None:
        """Kill the processes."""
        _drop(self.n_workers)

    def close(self) -> None:
        """Remove what is temporary."""
        self._end_alone()
        if self._notes is not None:
            shutil.rmtree(self._notes, ignore_errors=True)
            self._notes = None

    def _end_alone(self) -> None:
        if self._alone is not None:
            self._alone.shutdown(wait=False, kill_workers=True)
            self._alone = None

    def _submit_to(self, pool: ProcessPoolExecutor, call: Call) -> "Future[Outcome]":
        places = tuple((shared.key, shared.file()) for shared in call.shared)
        limit = None
        if self._timeout is not None:
            self._notes = self._notes or Path(tempfile.mkdtemp(prefix="thresher-"))
            limit = Limit(self._timeout, self._note(call))
        future: Future[Outcome] = pool.submit(
            perform_elsewhere, call.function, places, call.task, limit
        )
        return future

    def _note(self, call: Call) -> Path | None:
        return None if self._notes is None else self._notes / str(call.number)


def _pool(n_workers: int) -> ProcessPoolExecutor:
    key = (os.getpid(), n_workers)  # a forked process has not the pools of its parent
    with _pools_lock:
        if key not in _pools:
            _pools[key] = _new_pool(n_workers)
        return _pools[key]


def _drop(n_workers: int) -> None:
    with _pools_lock:
        pool = _pools.pop((os.getpid(), n_workers), None)
    if pool is None:
        return
    if not _is_led(pool):  # who would end the processes
        for process in list(pool._processes.values()):
            process.terminate()
    pool.shutdown(wait=True, kill_workers=True)


def _is_led(pool: ProcessPoolExecutor) -> bool:
    """Whether the thread is alive that hands out tasks and takes results."""
    leader = pool._executor_manager_thread
    return leader is None or leader.is_alive()


def _new_pool(n_workers: int) -> ProcessPoolExecutor:
    # the cores are shared out among the processes, as joblib does
    share = str(max((os.cpu_count() or 1) // n_workers, 1))
    names = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "NUMBA")
    variables = [f"{name}_NUM_THREADS" for name in names]
    threads = {name: os.environ.get(name, share) for name in variables}
    return ProcessPoolExecutor(n_workers, timeout=IDLE, initializer=_begin, env=threads)


def _begin() -> None:
    # Ctrl-C in a terminal reaches all processes; this one is told by the one that started it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
