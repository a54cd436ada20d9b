"""Ask one method about some tables, each in a process of its own.

``python worker.py FOLDER...``: each folder holds ``job.json``, ``table.npz`` and, for methods that
take a data frame, ``table.parquet``; the answer goes to ``answer.json``, and ``ended`` says that
nothing more will come. What the method imports takes longer than many an answer: it is imported
once, and each table gets a copy of the process. Run by the method's own environment, so nothing of
thresher and nothing but numpy may be imported here.
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


def main(folders: list[Path]) -> None:
    warnings.simplefilter("ignore")
    parent = os.getppid()
    job = read_job(folders[0])
    try:
        adapter = load(Path(job["adapter"]))
    except Exception as error:
        for folder in folders:
            write(folder / "answer.json", json.dumps(in_words(error)))
            write(folder / "ended", "0")
        return
    if getattr(adapter, "WARM_UP", False):
        warm_up(adapter, job)
    for folder in folders:
        if os.getppid() != parent:
            return  # nobody waits for answers any more
        write(folder / "ended", str(in_copy(adapter, folder)))


def in_copy(adapter, folder: Path) -> int:
    """Answer in a copy of this process, where there can be one; return how it ended."""
    if not hasattr(os, "fork"):
        answer(adapter, folder)
        return 0
    copy = os.fork()
    if copy == 0:
        try:
            print_to(folder / "printed")
            answer(adapter, folder)
        finally:
            os._exit(0)  # what is to be done at exit is for the original
    return os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])


def print_to(path: Path) -> None:
    """Send what is printed, by other programs and libraries too, to a file."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(file, stream)


def answer(adapter, folder: Path) -> None:
    try:
        found = ask(adapter, folder)
    except BaseException as error:  # a method may even call sys.exit
        found = in_words(error)
    write(folder / "answer.json", json.dumps(found))


def ask(adapter, folder: Path) -> dict:
    job = read_job(folder)
    X, y = read(folder, job)
    # from here on the limit holds
    (folder / "started").touch()
    limit_processor(job["limit"])
    began, began_cpu = time.perf_counter(), cpu_seconds()
    chosen = adapter.select(X, y, job["task"], job["seed"], job["n_features"])
    seconds = time.perf_counter() - began
    # an adapter may tell more than the columns
    more = chosen if isinstance(chosen, dict) else {"columns": chosen}
    return {
        **more,
        "columns": [as_whole(position) for position in more["columns"]],
        "seconds": seconds,
        "cpu_seconds": cpu_seconds() - began_cpu,
    }


def in_words(error: BaseException) -> dict:
    return {"error": f"{type(error).__name__}: {error}"[:500]}


def write(path: Path, text: str) -> None:
    """Write a file that is complete as soon as it is there."""
    part = path.with_suffix(".part")
    part.write_text(text)
    part.replace(path)


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


def read_job(folder: Path) -> dict:
    return json.loads((folder / "job.json").read_text())


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
    main([Path(name) for name in sys.argv[1:]])
