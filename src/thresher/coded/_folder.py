"""The folder of a coded table: whole or not there, and nobody else's.

``codes.bin`` holds the codes, ``target.npy`` the target, and ``table.json``, which is written last,
says what they mean and what they were made from.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ._sources import Dataset

__all__ = ["CODES", "RECORD", "TARGET", "fingerprints", "read_record", "workshop"]

CODES, TARGET, RECORD = "codes.bin", "target.npy", "table.json"
FORMAT = 1
_PART = "part-"
#: Of each file so much from the beginning and from the end, where its own summary is.
_LOOK = 2**16


def fingerprints(data: Dataset) -> list[dict[str, Any]]:
    """What each file is recognised by: name, size, when it was written, how it begins and ends."""
    found = []
    for file in data.files:
        status = file.path.stat()
        digest = sha256()
        with file.path.open("rb") as content:
            digest.update(content.read(_LOOK))
            content.seek(max(0, status.st_size - _LOOK))
            digest.update(content.read(_LOOK))
        name = file.path.relative_to(data.root).as_posix() if data.root.is_dir() else "."
        found.append(
            {
                "name": name,
                "size": status.st_size,
                "modified": status.st_mtime_ns,
                "digest": digest.hexdigest(),
            }
        )
    return found


def checksum(values: NDArray[Any]) -> int:
    """Return a number that changes if the content does."""
    return crc32(np.ascontiguousarray(values).data)


@contextmanager
def workshop(folder: Path) -> Iterator[Path]:
    """Yield an empty folder to work in; move what was made into ``folder`` in the end.

    The record goes last: a folder without it is not whole. Whatever ends the work before leaves
    nothing behind; what a process that was killed has left is swept up by the next one.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _sweep(folder)
        own = Path(tempfile.mkdtemp(prefix=_PART, dir=folder))
        with _locked(own):
            try:
                yield own
                for name in (CODES, TARGET, RECORD):
                    _settle(own / name)
                    os.replace(own / name, folder / name)
            finally:
                shutil.rmtree(own, ignore_errors=True)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise OSError(
            problem.errno, f"the folder of the coded table cannot be written: {reason}", str(folder)
        ) from problem


def read_record(folder: Path) -> dict[str, Any] | None:
    """Return what ``table.json`` says; None if there is no coded table, but may be one.

    Raises
    ------
    ValueError
        If the folder belongs to something else, or the record makes no sense.
    """
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file; give a folder for the coded table")
    try:
        text = (folder / RECORD).read_text(encoding="utf-8")
    except FileNotFoundError:
        strange = _strangers(folder) if folder.exists() else []
        if strange:
            raise ValueError(
                f"the folder {folder} is no coded table, and not empty ({strange[0]}); give another"
            ) from None
        return None
    try:
        record = json.loads(text)
        if not isinstance(record, dict) or record.get("format") != FORMAT:
            raise ValueError("it is of another kind or version")
    except (ValueError, RecursionError) as problem:
        raise ValueError(
            f"{folder / RECORD} is damaged, or no record of a coded table ({problem}); delete the "
            "folder, or give another"
        ) from problem
    return record


def _strangers(folder: Path) -> list[str]:
    ours = (CODES, TARGET)
    return sorted(
        path.name
        for path in folder.iterdir()
        if path.name not in ours and not path.name.startswith(_PART)
    )


def _settle(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


@contextmanager
def _locked(own: Path) -> Iterator[None]:
    """Show others that somebody is at work here, as long as this process lives."""
    with (own / "at-work").open("w") as file:
        _try_lock(file)
        yield


def _try_lock(file: Any) -> bool:
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        return False  # who cannot tell must not sweep
    except OSError:
        return False
    return True


def _sweep(folder: Path) -> None:
    for part in folder.glob(f"{_PART}*"):
        try:
            with (part / "at-work").open("r+") as file:
                dead = _try_lock(file)
        except OSError:
            continue
        if dead:
            shutil.rmtree(part, ignore_errors=True)
