"""A selection that is killed goes on, computes nothing twice, and comes to the same result."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("killed.py")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")


@pytest.mark.parametrize(("method", "n_kills"), [("rvers", 20), ("ace", 20), ("select", 20)])
def test_a_run_that_is_killed_at_random_moments_comes_to_the_same_result(method, n_kills, tmp_path):
    done = subprocess.run(
        [sys.executable, str(PROGRAM), method, str(tmp_path), "7", str(n_kills)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["same"], found
    assert found["killed"] >= 0.75 * n_kills
    # one thread works: a kill costs what it was just doing, at most
    assert found["twice"] <= found["killed"]
