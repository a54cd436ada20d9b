"""Bringing what was written from the system's memory to the disk, without waiting for it."""

import contextlib
import os
import threading
from pathlib import Path

__all__ = ["Syncing"]

#: Seconds from one time to the next, at least.
_PERIOD = 0.05


class Syncing:
    """A thread that has a file written to the disk soon after it has changed.

    What a process has written survives its death at once; a power cut it survives only on the disk.
    To wait for the disk after each result would take longer than many a fit.

    Parameters
    ----------
    path : Path
        The file.
    """

    def __init__(self, path: Path):
        self._path = path
        self._changed = threading.Event()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def changed(self) -> None:
        """Take note that there is something to bring to the disk."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="thresher-journal", daemon=True)
            self._thread.start()
        self._changed.set()

    def close(self) -> None:
        """Bring what is left to the disk, and end the thread."""
        self._closed.set()
        self._changed.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._closed.is_set():
            self._changed.wait()
            self._changed.clear()
            with contextlib.suppress(OSError):  # it may be gone, or have become read-only
                handle = os.open(self._path, os.O_RDONLY)
                try:
                    os.fsync(handle)
                finally:
                    os.close(handle)
            self._closed.wait(_PERIOD)
