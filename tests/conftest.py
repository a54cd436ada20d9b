"""Fixtures shared by all tests."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with oracles and real data, where there is one."""
    root = Path(os.environ.get("THRESHER_SHARED", Path(__file__).parents[2] / "shared"))
    if not (root / "oracles").is_dir():
        pytest.skip("no folder with oracles beside the project")
    return root
