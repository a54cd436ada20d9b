"""Ask one method about one table, in a process of its own.

``python worker.py FOLDER``: the folder holds ``job.json``, ``table.npz`` and, for methods that take
a data frame, ``table.parquet``; the answer goes to ``answer.json``. Run by the method's own
environment, so nothing of thresher and nothing but numpy may be imported here.
"""

import contextlib
import importlib.util
import json
import os
import sys
import time
import warnings
from pathlib import Path

import numpy as np


def main(folder: Path) -> None:
    job = json.loads((folder / "job.json").read_text())
    warnings.simplefilter("ignore")
    answer = {}
    try:
        answer = ask(folder, job)
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"[:500]}
    # a file that is there is complete
    (folder / "answer.part").write_text(json.dumps(answer))
    (folder / "answer.part").replace(folder / "answer.json")


def ask(folder: Path, job: dict) -> dict:
    adapter = load(Path(job["adapter"]))
    X, y = read(folder, job)
    if getattr(adapter, "WARM_UP", False):
        warm_up(adapter, job)
    # from here on the limit holds
    (folder / "started").touch()
    limit_processor(job["limit"])
    began, began_cpu = time.perf_counter(), cpu_seconds()
    chosen = adapter.select(X, y, job["task"], job["seed"], job["n_features"])
    seconds = time.perf_counter() - began
    return {
        "columns": [as_whole(position) for position in chosen],
        "seconds": seconds,
        "cpu_seconds": cpu_seconds() - began_cpu,
    }


def limit_processor(seconds: float) -> None:
    """Let the system end this process after so many seconds of work, however busy it is itself."""
    with contextlib.suppress(ImportError):  # elsewhere only the parent's clock ends it
        import resource

        most = int(cpu_seconds() + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


def load(path: Path):
    """Import an adapter by its file, so that its folder never shadows an installed package."""
    spec = importlib.util.spec_from_file_location(f"adapter_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(folder: Path, job: dict):
    with np.load(folder / "table.npz") as arrays:
        X, y = arrays["X"], arrays["y"]
    if job["frame"]:
        import pandas as pd

        X = pd.read_parquet(folder / "table.parquet")
    return X, y


def warm_up(adapter, job: dict) -> None:
    """Let compiled code be loaded, or compiled, by a table with something to find."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 6))
    X[:, 2] = X[:, 0] + 0.1 * X[:, 2]
    y = X[:, 0] + X[:, 1]
    if job["task"] == "classification":
        y = (y > 0).astype(np.int64)
    if job["frame"]:
        import pandas as pd

        X = pd.DataFrame(X, columns=list("abcdef"))
        X["d"] = pd.Categorical.from_codes(rng.integers(3, size=120), ["p", "q", "r"])
    # what fails here fails again where it is counted
    with contextlib.suppress(Exception):
        adapter.select(X, y, job["task"], 0, 2)


def cpu_seconds() -> float:
    """Of this process and of those that it waited for, such as Java."""
    return sum(os.times()[:4])


def as_whole(position) -> int:
    if int(position) != position:
        raise ValueError(f"{position!r} is not the position of a column")
    return int(position)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
