"""A limit to the time that a task may take, in the process that works on it."""

import faulthandler
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Limit", "limited"]

#: A task that does not end when told to gets this much more time, and never less than a second.
GRACE = 0.25


@dataclass(frozen=True)
class Limit:
    """How long a task may take.

    Parameters
    ----------
    seconds : float
        After so many seconds it is told to end, by a TimeoutError, where that is possible.
    note : path, optional
        Where to say that it was ended by force, with the worker that did it.
    """

    seconds: float
    note: Path | None = None

    @property
    def message(self) -> str:
        """What the error says."""
        return f"the task took longer than timeout={self.seconds:g} seconds"

    def is_over(self, error: TimeoutError) -> bool:
        """Whether it is this limit that the error is about."""
        return str(error) == self.message


@contextmanager
def limited(limit: Limit | None) -> Iterator[None]:
    """Raise TimeoutError after so many seconds; if that does not help, end the process."""
    if limit is None:
        yield
        return
    by_force = limit.seconds + max(GRACE * limit.seconds, 1.0)
    main = threading.current_thread() is threading.main_thread()
    with _ended_here(limit, by_force) if main else _ended_by_thread(by_force):
        if not (main and hasattr(signal, "setitimer")):
            yield
            return

        def stop(_number: int, _frame: Any) -> None:
            raise TimeoutError(limit.message)

        before = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, limit.seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before)


@contextmanager
def _ended_here(limit: Limit, seconds: float) -> Iterator[None]:
    # its thread needs no interpreter: code that hangs within C and never lets go is ended, too
    with open(limit.note or os.devnull, "w") as note:
        faulthandler.dump_traceback_later(seconds, exit=True, file=note)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


@contextmanager
def _ended_by_thread(seconds: float) -> Iterator[None]:
    # several tasks may be under way in as many threads, each with its own clock
    clock = threading.Timer(seconds, os._exit, args=(1,))
    clock.daemon = True
    clock.start()
    try:
        yield
    finally:
        clock.cancel()
