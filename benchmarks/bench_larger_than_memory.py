"""A table larger than memory: from a folder of Parquet files to a selection, under a memory limit.

Makes a table of known influences, then codes it and selects in a process of its own. That one may
not allocate more than the limit: the system refuses it (RLIMIT_DATA). Its memory is watched, too:
what it has allocated (RssAnon and RssShmem), and all that was ever mapped (VmHWM, which counts
pages of the code file that the system may drop at any time).

``python -m benchmarks.bench_larger_than_memory [--rows N] [--columns N] [--memory SIZE]
[--data FOLDER] [--steps ace,filters,naive-bayes] [--quick]``
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from thresher.coded import read_memory

ROWS_PER_FILE = 1_000_000
STEPS = ("ace", "filters", "naive-bayes")


def make_rows(n_rows, n_columns, seed):
    """Numbers, every tenth column text, gaps in some; the target depends on five of them."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(n_columns, n_rows)).astype(np.float32)
    columns = {}
    for j in range(n_columns):
        if j % 10 == 9:
            keys = np.clip((numbers[j] * 2 + 5).astype(np.int8), 0, 9)
            levels = pa.array([f"level {k}" for k in range(10)])
            columns[f"x{j}"] = pa.DictionaryArray.from_arrays(pa.array(keys), levels)
        elif j % 10 == 8:
            columns[f"x{j}"] = pa.array(np.rint(3 * numbers[j]).astype(np.int32))
        else:
            gaps = rng.random(n_rows) < 0.02 if j % 10 == 7 else None
            columns[f"x{j}"] = pa.array(numbers[j], mask=gaps)
    columns["copy of x0"] = pa.array(
        numbers[0] + rng.normal(scale=0.05, size=n_rows).astype(np.float32)
    )
    score = numbers[0] + 0.8 * numbers[1] - 0.6 * numbers[2] ** 2 + 0.7 * (numbers[9] > 0.5)
    score += 0.5 * numbers[3] * (numbers[1] > 0)
    bought = score + rng.logistic(size=n_rows) > 0
    columns["bought"] = pa.array(np.where(bought, "yes", "no"))
    return pa.table(columns)


def make_folder(folder, n_rows, n_columns):
    """Write the table, a few rows at a time."""
    for k, start in enumerate(range(0, n_rows, ROWS_PER_FILE)):
        n_left = min(ROWS_PER_FILE, n_rows - start)
        with_rows = make_rows(n_left, n_columns, seed=k)
        pq.write_table(with_rows, folder / f"part-{k:04}.parquet", row_group_size=2**17)


def child(data, folder, memory, steps):
    """Code and select; what was found and how long it took, as JSON."""
    from thresher import ACE, RVErS
    from thresher.coded import code_dataset
    from thresher.filters import FCBF, GainRatio
    from thresher.learners import DiscreteNB

    def step(name, work):
        start = time.perf_counter()
        found = work()
        print(json.dumps([name, time.perf_counter() - start, found]), flush=True)

    tables = []
    step(
        "coding",
        lambda: tables.append(code_dataset(data, "bought", folder=folder, memory=memory, n_jobs=2)),
    )
    [table] = tables

    def selected(selector):
        return list(selector.fit(table.X, table.y).selection_.selected)

    if "ace" in steps:
        step("ACE", lambda: selected(ACE(n_jobs=2, random_state=0)))
    if "filters" in steps:
        step("GainRatio", lambda: selected(GainRatio(threshold=0.002, n_jobs=2)))
        step("FCBF", lambda: selected(FCBF(threshold=0.002, n_jobs=2)))
    if "naive-bayes" in steps:
        step(
            "RVErS, naive Bayes",
            lambda: selected(RVErS(DiscreteNB(), cv=2, n_jobs=2, random_state=0)),
        )


class Watch(threading.Thread):
    """Looks at the memory of a process, many times a second."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.allocated, self.mapped = pid, 0, 0

    def run(self):
        while True:
            try:
                text = Path(f"/proc/{self.pid}/status").read_text()
            except OSError:
                return
            lines = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
            size = {name: int(lines.get(name, "0 kB").split()[0]) * 1024 for name in
                    ("RssAnon", "RssShmem", "VmHWM")}  # fmt: skip
            self.allocated = max(self.allocated, size["RssAnon"] + size["RssShmem"])
            self.mapped = max(self.mapped, size["VmHWM"])
            time.sleep(0.02)


def measure(data, folder, arguments):
    """Run the child, and print what it says and what it took."""
    limit = read_memory(arguments.memory)
    command = [sys.executable, "-m", "benchmarks.bench_larger_than_memory", "--child"]
    command += [str(data), str(folder), str(limit), arguments.steps]

    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    resource.prlimit(process.pid, resource.RLIMIT_DATA, (limit, limit))
    watch = Watch(process.pid)
    watch.start()
    for line in process.stdout:
        name, seconds, found = json.loads(line)
        speed = f", {arguments.rows / seconds / 1e6:.2f} million rows/s" if name == "coding" else ""
        print(f"  {name:20} {seconds:7.1f} s{speed}; allocated {watch.allocated / 1e9:.2f} GB "
              f"so far{'' if found is None else ': ' + ', '.join(found)}", flush=True)  # fmt: skip
    code = process.wait()
    print(f"  peak: {watch.allocated / 1e9:.2f} GB allocated, {watch.mapped / 1e9:.2f} GB with "
          f"mapped files; limit {limit / 1e9:.2f} GB, exit code {code}")  # fmt: skip


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int)
    parser.add_argument("--columns", type=int, default=100)
    parser.add_argument("--memory", default="4GB")
    parser.add_argument("--data", type=Path, help="files of an earlier run, or where to make them")
    parser.add_argument("--steps", default=",".join(STEPS))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--child", nargs=4)
    arguments = parser.parse_args()
    if arguments.child:
        data, folder, memory, steps = arguments.child
        child(data, folder, int(memory), steps.split(","))
        return
    arguments.rows = arguments.rows or (200_000 if arguments.quick else 2_000_000)
    with tempfile.TemporaryDirectory() as scratch:
        data = arguments.data or Path(scratch, "data")
        if not data.exists():
            data.mkdir()
            start = time.perf_counter()
            make_folder(data, arguments.rows, arguments.columns)
            print(f"  {'making files':20} {time.perf_counter() - start:7.1f} s")
        size = sum(path.stat().st_size for path in data.iterdir())
        print(f"  {arguments.rows} rows x {arguments.columns + 1} columns, {size / 1e9:.1f} GB of "
              f"Parquet, limit {arguments.memory}")  # fmt: skip
        measure(data, Path(scratch, "coded"), arguments)


if __name__ == "__main__":
    main()
