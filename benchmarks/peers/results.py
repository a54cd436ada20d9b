"""Results on disk, one line each, so that a run that was stopped goes on where it was."""

import hashlib
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any


def key_of(**parts: Any) -> str:
    """Return a name for what a result depends on."""
    return hashlib.blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=12).hexdigest()


class Results:
    """A file of results by key; later lines win.

    Parameters
    ----------
    path : Path
        Of the file; made when there is something to write.
    fresh : bool
        Whether to forget what is there.

    Attributes
    ----------
    spent : float
        Seconds of the processor behind the results that were used, whenever they were made.
    """

    def __init__(self, path: Path, *, fresh: bool = False) -> None:
        self._path = path
        self.spent = 0.0
        self._lock = threading.Lock()
        if fresh:
            path.unlink(missing_ok=True)
        self._known = _read(path)

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the result under a key, if there is one."""
        return self._known.get(key)

    def add(self, key: str, record: dict[str, Any]) -> dict[str, Any]:
        """Keep a result, and write it down at once."""
        with self._lock:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a") as lines:
                lines.write(json.dumps({"key": key, **record}) + "\n")
            self._known[key] = record
        return record

    def count(self, wanted: Callable[[dict[str, Any]], bool]) -> int:
        """Return how many results are as wanted."""
        return sum(map(wanted, self._known.values()))

    def drop(self, outdated: Callable[[dict[str, Any]], bool]) -> int:
        """Forget some results, in the file too; return how many."""
        with self._lock:
            kept = {key: one for key, one in self._known.items() if not outdated(one)}
            n_dropped = len(self._known) - len(kept)
            if n_dropped:
                part = self._path.with_suffix(".part")
                lines = [json.dumps({"key": key, **one}) + "\n" for key, one in kept.items()]
                part.write_text("".join(lines))
                part.replace(self._path)
                self._known = kept
        return n_dropped


def _read(path: Path) -> dict[str, dict[str, Any]]:
    known: dict[str, dict[str, Any]] = {}
    if not path.is_file():
        return known
    text = path.read_text()
    for line in text.splitlines():
        try:
            record = json.loads(line)
            known[record.pop("key")] = record
        except (ValueError, KeyError):
            continue  # a process that was killed left half a line
    if text and not text.endswith("\n"):
        with path.open("a") as lines:
            lines.write("\n")  # the next line must not continue that one
    return known
