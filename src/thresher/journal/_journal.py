"""The file: SQLite, to which results are only ever added."""

import json
import os
import sqlite3
import threading
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ._entry import Entry
from ._header import differences
from ._syncing import Syncing

__all__ = ["SCHEMA", "Journal", "JournalError", "JournalWarning", "connect"]

#: Changes with what the tables mean.
FORMAT = 1
#: Seconds to wait for another process that is writing.
_PATIENCE = 30.0

#: Name and definition of everything in the file; a file with anything else in it is not ours.
SCHEMA = {
    "header": "CREATE TABLE header (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "results": (
        "CREATE TABLE results (key BLOB PRIMARY KEY, what TEXT NOT NULL, value BLOB NOT NULL) "
        "WITHOUT ROWID"
    ),
    "snapshot": "CREATE TABLE snapshot (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "results_stay": (
        "CREATE TRIGGER results_stay BEFORE DELETE ON results "
        "BEGIN SELECT RAISE(ABORT, 'results are only ever added'); END"
    ),
    "results_hold": (
        "CREATE TRIGGER results_hold BEFORE UPDATE ON results "
        "BEGIN SELECT RAISE(ABORT, 'results are only ever added'); END"
    ),
}


class JournalError(ValueError):
    """The file is no journal, or not one of this run."""


class JournalWarning(UserWarning):
    """A journal cannot be written any more."""


class Journal:
    """An open journal.

    What was added stays there whatever ends the process, even if nothing could be done any more. If
    power fails, that is true of all but the last tenth of a second. Several processes may use one
    file at a time: a result is the same whoever computes it, so the first one to add it is right.

    Parameters
    ----------
    path : str or path
        Made if it does not exist.

    Examples
    --------
    >>> import tempfile
    >>> from thresher.journal import Entry
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Journal(f"{folder.name}/run.db") as journal:
    ...     journal.add(b"key", "a loss", Entry(note={"loss": 0.25}))
    ...     journal.find(b"key").note
    {'loss': 0.25}
    >>> folder.cleanup()
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = Path(path)
        self._lock = threading.Lock()
        self._broken = False
        self._database = _open(self.path)
        self._syncing = Syncing(Path(f"{self.path.absolute()}-wal"))

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Journal({str(self.path)!r})"

    def settle(self, name: str, value: Any, *, anew: bool = False) -> Any:
        """Write a line of the header unless there is one; return the one that is there.

        ``anew`` replaces it as long as nobody was admitted: whoever wrote it did not get far.
        """
        with self._lock, _explained(self.path), _transaction(self._database):
            if anew and self._line("method") is None:
                self._database.execute("DELETE FROM header WHERE name = ?", (name,))
            self._insert(name, value)
            return self._line(name)

    def _insert(self, name: str, value: Any) -> None:
        line = (name, json.dumps(value))
        self._database.execute("INSERT OR IGNORE INTO header VALUES (?, ?)", line)

    def _line(self, name: str) -> Any:
        row = self._database.execute("SELECT value FROM header WHERE name = ?", (name,)).fetchone()
        return None if row is None else json.loads(row[0])

    def admit(self, header: Mapping[str, Any]) -> None:
        """Refuse to go on if the journal belongs to another run."""
        wanted = json.loads(json.dumps(header))  # as it will be read
        changed: list[str] = []
        # whole or not at all: two runs that begin at a time must not share a header
        with self._lock, _explained(self.path), _transaction(self._database):
            for name, value in wanted.items():
                self._insert(name, value)
                changed += differences(self._line(name), value, _PATHS.get(name, name))
            if changed:
                raise _refused(self.path, changed)

    def find(self, key: bytes) -> Entry | None:
        """Look a result up."""
        with self._lock:
            try:
                row = self._database.execute(
                    "SELECT value FROM results WHERE key = ?", (key,)
                ).fetchone()
            except sqlite3.Error as error:
                self._give_up(error)
                return None
        if row is None:
            return None
        try:
            return Entry.from_bytes(row[0])
        except (ValueError, TypeError, KeyError) as error:
            raise JournalError(f"the journal {str(self.path)!r} is damaged: {error}") from error

    def add(self, key: bytes, what: str, entry: Entry) -> None:
        """Write a result down; if that cannot be done any more, warn once and go on without."""
        self._write("INSERT OR IGNORE INTO results VALUES (?, ?, ?)", (key, what, entry.to_bytes()))

    def show(self, name: str, content: Mapping[str, Any]) -> None:
        """Replace a snapshot of how things stand, for whoever looks into the file meanwhile."""
        text = json.dumps({"time": time.time(), **content})
        self._write("INSERT OR REPLACE INTO snapshot VALUES (?, ?)", (name, text))

    def close(self) -> None:
        """Close the file; what is in it stays."""
        self._syncing.close()
        with self._lock:
            self._database.close()

    def _write(self, statement: str, values: tuple[Any, ...]) -> None:
        with self._lock:
            if self._broken:
                return
            try:
                self._database.execute(statement, values)
                self._syncing.changed()
            except sqlite3.Error as error:
                self._give_up(error)

    def _give_up(self, error: sqlite3.Error) -> None:
        """The run is worth more than its journal."""
        if not self._broken:
            self._broken = True
            warnings.warn(
                f"the journal {str(self.path)!r} cannot be used any more ({error}); the run goes "
                "on without it, and what was written so far can be resumed from",
                JournalWarning,
                stacklevel=2,
            )


#: What a line of the header is called when it differs.
_PATHS = {"columns": "column", "parameters": "", "versions": ""}


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Open a file with the caution that a stranger's file deserves."""
    if read_only:
        # without a log of changes there is nobody who writes, and nothing need be locked: the
        # folder may be one that cannot be written to
        still = "" if _size(Path(f"{path}-wal")) else "&immutable=1"
        uri = f"{path.absolute().as_uri()}?mode=ro{still}"
        database = sqlite3.connect(uri, uri=True, timeout=_PATIENCE)
    else:
        # each statement is a transaction of its own
        database = sqlite3.connect(
            path.absolute(), timeout=_PATIENCE, isolation_level=None, check_same_thread=False
        )
    database.execute("PRAGMA trusted_schema = OFF")
    return database


def _size(path: Path) -> int:
    """Bytes of a file that another process may remove at any moment."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _open(path: Path) -> sqlite3.Connection:
    if path.is_dir():
        raise JournalError(f"the journal {str(path)!r} is a folder; name a file")
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"the folder of the journal {str(path)!r} does not exist")
    with _explained(path):
        database = connect(path)
    try:
        with _explained(path):
            _prepare(database, path)
    except BaseException:
        database.close()
        raise
    return database


def _prepare(database: sqlite3.Connection, path: Path) -> None:
    """Make the tables, or see that they are ours and can be written to."""
    if database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        check_schema(database, path)  # before anything is changed in a file of somebody else
    # readers and a writer do not wait for each other
    mode = _begin_log(database)
    # where the log of changes cannot be had, as on network drives, each change waits for the disk
    database.execute(f"PRAGMA synchronous = {'NORMAL' if mode == 'wal' else 'FULL'}")
    with _transaction(database):  # two processes may come at the same time
        if not database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            for statement in SCHEMA.values():
                database.execute(statement)
            database.execute("INSERT INTO header VALUES ('format', ?)", (json.dumps(FORMAT),))
        check_schema(database, path)


def _begin_log(database: sqlite3.Connection) -> str:
    """Ask for a log of changes; return what there is.

    While another process asks for the same, SQLite does not wait as it does elsewhere, but fails.
    """
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return str(database.execute("PRAGMA journal_mode = WAL").fetchone()[0])
        except sqlite3.OperationalError as error:
            is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Do all of it or nothing, while nobody else writes."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _refused(path: Path, changed: Sequence[str]) -> JournalError:
    return JournalError(
        f"the journal {str(path)!r} belongs to another run: {'; '.join(changed)}. "
        "Use another file for this one"
    )


def check_schema(database: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that holds anything but what `SCHEMA` says."""
    there = database.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    if dict(there.fetchall()) != SCHEMA:
        raise JournalError(f"{str(path)!r} is not a journal of thresher")
    row = database.execute("SELECT value FROM header WHERE name = 'format'").fetchone()
    if row is None or row[0] != json.dumps(FORMAT):
        raise JournalError(
            f"the journal {str(path)!r} has format {None if row is None else row[0]}; this version "
            f"of thresher reads format {FORMAT}"
        )


class _explained:  # noqa: N801 - reads as a statement
    """Say which file it is that SQLite cannot use."""

    def __init__(self, path: Path):
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if not isinstance(error, sqlite3.Error):
            return
        told = f"the journal {str(self._path)!r} cannot be used: {error}"
        if isinstance(error, sqlite3.OperationalError):
            raise OSError(told) from error
        raise JournalError(told) from error
