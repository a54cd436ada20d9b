"""Fixtures shared by all tests."""

import os
import signal
import time
from pathlib import Path

import numpy as np
import pytest

#: Files with tests of many seconds.
LONG = {
    "test_docs.py",
    "test_examples.py",
    "test_memory.py",
    "test_killed.py",
    "test_hostile_width.py",
}


def pytest_collection_modifyitems(items):
    """Begin with long tests: a worker that gets one last keeps the others waiting."""
    items.sort(key=lambda item: item.path.name not in LONG)


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report):
    """Without a dot for each test that passes, where nobody watches."""
    if os.environ.get("CI") and report.when == "call" and report.passed:
        return "passed", "", ""
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    """Begin each test with the same random numbers, for lack of a ``random_state``."""
    np.random.seed(0)  # noqa: NPY002 - scikit-learn draws from these


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder with real data sets, where there is one; they are not part of the project."""
    named = os.environ.get("THRESHER_DATA")
    folder = Path(named) if named else Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("needs real data sets: name their folder with THRESHER_DATA")
    return folder


@pytest.fixture
def array_api(monkeypatch):
    """Have scikit-learn's check of array namespaces run; it asks for this variable only."""
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")


class Clock:
    """A clock that goes on by one second at each look, and on demand."""

    def __init__(self):
        self.now = time.perf_counter()  # some beginnings were looked up on the other clock

    def __call__(self) -> float:
        self.now += 1.0
        return self.now

    def jump(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch) -> Clock:
    """Time that depends on what is done, not on the load of the machine."""
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter", clock)
    return clock


@pytest.fixture(scope="session", autouse=True)
def ctrl_c():
    """Have Ctrl-C interrupt: shells make what they run in the background ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
