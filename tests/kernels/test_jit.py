"""Kernels are compiled on first use, for Python and for other kernels."""

import subprocess
import sys

SOURCE = """
from thresher.kernels._jit import kernel

@kernel
def half(x):
    return x / 2

@kernel
def quarter(x):
    return half(half(x))
"""


def run(folder, code):
    done = subprocess.run(
        [sys.executable, "-c", f"import halves; print({code})"],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.strip()


def test_what_the_cache_has_for_kernels_is_not_given_to_python(tmp_path):
    (tmp_path / "halves.py").write_text(SOURCE)
    assert run(tmp_path, "halves.quarter(8.0)") == "2.0"
    assert run(tmp_path, "halves.half(8.0), halves.quarter(8.0)") == "4.0 2.0"
    assert run(tmp_path, "halves.quarter(8.0), halves.half(8.0)") == "2.0 4.0"


def test_a_kernel_that_others_call_can_still_be_called_from_its_module(tmp_path):
    (tmp_path / "halves.py").write_text(SOURCE + "\ndef eighth(x):\n    return half(quarter(x))\n")
    assert run(tmp_path, "halves.eighth(8.0)") == "1.0"
