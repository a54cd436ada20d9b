"""A selection that is killed goes on, computes nothing twice, and comes to the same result."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("killed.py")
METHODS = ["rvers", "ace", "select"]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")


@pytest.mark.parametrize("n_kills", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_runs_that_are_killed_again_and_again_come_to_the_same_result(n_kills, tmp_path):
    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(tmp_path), "7", str(n_kills), *METHODS],
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert list(found) == METHODS
    for own in found.values():
        assert own["same"], found
        assert own["killed"] == n_kills
        # one thread works: a kill costs what was just being done, at most
        assert own["twice"] <= own["lost"], found
        assert own["written"] == own["begun"] - own["lost"], found
        assert own["missing"] == 0, found
