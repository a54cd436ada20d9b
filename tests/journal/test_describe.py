"""Parameters in words: the same in every process, and others for others."""

import json
import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pytest

from thresher.journal import describe


class Held:
    def __init__(self, value):
        self.value = value

    def method(self, x):
        return x


def generated():
    yield 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.random.RandomState(0), np.random.RandomState(5)),
        (np.random.default_rng(0), np.random.default_rng(5)),
        (lambda x: x + 1, lambda x: x + 2),
        (Held(1), Held(2)),
        (Held(1).method, Held(2).method),
        (np.arange(2000), np.arange(2000) + (np.arange(2000) == 1000)),
        ({0: "a"}, {"0": "a"}),
        (True, 1),
    ],
)
def test_parameters_that_differ_are_described_differently(one, other):
    assert json.dumps(describe(one)) != json.dumps(describe(other))
    assert json.dumps(describe(one)) == json.dumps(describe(one))


@pytest.mark.parametrize("value", [str.lower, generated(), max, np.mean, Held, len])
def test_anything_can_be_described(value):
    assert json.dumps(describe(value))


def test_series_are_described_by_all_their_values():
    import pandas as pd

    one, other = pd.Series(range(1000)), pd.Series(range(1000))
    other[500] = -1
    assert describe(one) != describe(other)


def test_functions_are_described_the_same_in_every_process():
    program = (
        "import json, numpy as np\n"
        "from thresher.journal import describe\n"
        "from sklearn.gaussian_process.kernels import RBF\n"
        "what = [lambda x: x in set('abcdefghijkl'), set('abcdefghijkl'), RBF(2.0), np.mean,\n"
        "        lambda x: x in {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'}]\n"
        "print(json.dumps(describe(what)))\n"
    )
    # sets are in another order there, and here in one that depends on the process
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    there = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    here = StringIO()
    with redirect_stdout(here):
        exec(compile(program, "<string>", "exec"), {"__name__": "__main__"})
    assert there == here.getvalue() != ""
