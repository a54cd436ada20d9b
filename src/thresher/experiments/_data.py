"""Real data from a folder that may or may not be there."""

from pathlib import Path

from thresher.files import Table, read_table

__all__ = ["not_found", "read_data"]


def read_data(folder: Path | None, name: str) -> Table | None:
    """Return the data set, or None if the folder does not hold it."""
    path = None if folder is None else folder / f"{name}.parquet"
    return read_table(path, "target") if path is not None and path.is_file() else None


def not_found(folder: Path | None, name: str) -> str:
    """Say that a data set is absent, and what to do about it."""
    where = f"{name}.parquet" if folder is None else str(folder / f"{name}.parquet")
    return f"data not found: {where} (name the folder with --data or THRESHER_DATA)"
