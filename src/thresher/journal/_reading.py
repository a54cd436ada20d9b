"""Looking into a journal while somebody writes to it."""

import json
import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._journal import JournalError, check_schema, connect

__all__ = ["Peek", "is_journal", "peek"]

_MAGIC = b"SQLite format 3\x00"


@dataclass(frozen=True)
class Peek:
    """What a journal shows to whoever looks.

    Parameters
    ----------
    header : dict
        Whose journal it is.
    n_results : int
        Results written down so far.
    snapshots : dict
        The latest of each kind.
    """

    header: dict[str, Any]
    n_results: int
    snapshots: dict[str, Any]


def is_journal(path: str | os.PathLike[str]) -> bool:
    """Whether a file looks like a journal, and not like a result in JSON."""
    if not Path(path).is_file():  # a pipe would wait for its writer
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def peek(path: str | os.PathLike[str]) -> Peek:
    """Read what a journal shows, without keeping its writer from writing."""
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"there is no journal {str(path)!r}")
    try:
        database = connect(path, read_only=True)
        try:
            check_schema(database, path)
            header = database.execute("SELECT name, value FROM header").fetchall()
            shown = database.execute("SELECT name, value FROM snapshot").fetchall()
            n_results = database.execute("SELECT count(*) FROM results").fetchone()[0]
        finally:
            database.close()
        return Peek(
            {name: json.loads(value) for name, value in header},
            int(n_results),
            {name: json.loads(value) for name, value in shown},
        )
    except (sqlite3.Error, json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise JournalError(f"{str(path)!r} cannot be read as a journal: {error}") from error
