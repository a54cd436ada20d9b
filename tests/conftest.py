"""Fixtures shared by all tests."""

import os
import signal
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with oracles and real data, where there is one."""
    root = Path(os.environ.get("THRESHER_SHARED", Path(__file__).parents[2] / "shared"))
    if not (root / "oracles").is_dir():
        pytest.skip("no folder with oracles beside the project")
    return root


@pytest.fixture(scope="session", autouse=True)
def ctrl_c():
    """Have Ctrl-C interrupt: shells make what they run in the background ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
