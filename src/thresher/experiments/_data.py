"""Real data that may or may not be there: from a folder, or from OpenML if the user allows it."""

from pathlib import Path

from thresher.files import Table, read_table
from thresher.journal import digest

from ._openml import fetch

__all__ = ["fingerprint", "not_found", "read_data"]


def read_data(folder: Path | None, name: str, *, openml: bool = False) -> Table | None:
    """Return the data set, or None if neither the folder nor OpenML has it.

    Parameters
    ----------
    folder : Path or None
        With files called after their data sets.
    name : str
        Of the data set.
    openml : bool, default=False
        Whether to ask OpenML for what the folder does not hold.
    """
    path = _path(folder, name)
    if path is not None:
        return read_table(path, "target")
    found = fetch(name) if openml else None
    return found if isinstance(found, Table) else None


def _path(folder: Path | None, name: str) -> Path | None:
    path = None if folder is None else folder / f"{name}.parquet"
    return path if path is not None and path.is_file() else None


def fingerprint(folder: Path | None, name: str) -> str:
    """Tell a file with data from others of the same name; what is not in the folder has none."""
    path = _path(folder, name)
    return "" if path is None else digest(path.read_bytes()).hex()


def not_found(folder: Path | None, name: str, *, openml: bool = False) -> str:
    """Say that a data set is absent, why, and what to do about it."""
    where = f"{name}.parquet" if folder is None else str(folder / f"{name}.parquet")
    remedy = "name the folder with --data or THRESHER_DATA"
    if not openml:
        return f"data not found: {where} ({remedy}, or allow --openml)"
    reason = fetch(name)
    assert isinstance(reason, str), f"{name} was found"
    return f"data not found: {where} ({remedy}); OpenML: {reason}"
