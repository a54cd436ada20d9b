"""A writer of small files, and the one mixed table that the formats have to carry."""

from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path

import polars as pl
import pytest

Write = Callable[[str, str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write text or bytes under a name and return the path."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def mixed() -> pl.DataFrame:
    """A column of every kind, all but the target and the counts with gaps."""
    return pl.DataFrame(
        {
            "size": [1.5, None, -2.25, 1e-9],
            "count": [1, 2, 3, -4],
            "gappy count": [1, None, 3, 4],
            "flag": [True, False, None, True],
            "text": ["plain", 'quo"ted, and so on', None, "two\nlines — ünïcode"],
            "kind": pl.Series(["low", "high", None, "low"], dtype=pl.Enum(["low", "mid", "high"])),
            "day": [date(2024, 2, 29), None, date(1999, 12, 31), date(2000, 1, 1)],
            "moment": [datetime(2024, 2, 29, 12, 30, 1), datetime(1970, 1, 1), None, None],
            "void": pl.Series([None] * 4, dtype=pl.Float64),
            "class": ["a", "b", "a", "b"],
        }
    )
