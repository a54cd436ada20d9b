"""The limit on memory holds: measured in a process of its own, on a table far above it."""

import json
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

#: The least that there can be.
MEMORY = 32_000_000

CHILD = """
import json, sys, threading, time
import numpy as np
from thresher import ACE
from thresher.coded import code_dataset
from thresher.filters import FCBF, GainRatio

def allocated():
    lines = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return 1024 * sum(int(lines[name].split()[0]) for name in ("RssAnon", "RssShmem"))

def measured(work):
    # what is imported and compiled is there before, since a small table was coded and selected from
    before, peak, done = allocated(), [0], threading.Event()
    def look():
        while not done.wait(0.002):
            peak[0] = max(peak[0], allocated() - before)
    watch = threading.Thread(target=look)
    watch.start()
    try:
        result = work()
    finally:
        done.set()
        watch.join()
    return peak[0], result

def steps(files, memory):
    tables = []
    def code():
        tables.append(code_dataset(files, "y", memory=memory, n_jobs=2))
    yield "coding", code
    X, y = tables[0].X, tables[0].y
    for selector in (
        GainRatio(threshold=0.01, n_jobs=2),
        FCBF(threshold=0.01, n_jobs=2),
        ACE(max_samples=1000, n_trees=20, n_jobs=2, random_state=0),
    ):
        fit = lambda own=selector: list(own.fit(X, y).selection_.selected)
        yield type(selector).__name__, fit

for name, work in steps(sys.argv[1], 10**9):
    work()
found = {}
for name, work in steps(sys.argv[2], int(sys.argv[3])):
    found[name] = measured(work)
print(json.dumps(found))
"""


def write(folder, n_files, n_rows, n_columns=24):
    folder.mkdir()
    for k in range(n_files):
        rng = np.random.default_rng(k)
        x = rng.normal(size=(n_columns, n_rows))
        frame = pl.DataFrame({f"x{j}": column for j, column in enumerate(x)})
        y = x[0] + x[3] + rng.logistic(size=n_rows) > 0
        frame = frame.with_columns(hue=pl.Series(rng.choice(["a", "b"], n_rows)), y=y)
        frame.write_parquet(folder / f"{k}.parquet", compression="lz4")


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
# as numbers, two and a half times and five times as large as the limit
@pytest.mark.parametrize("n_rows", [400_000, pytest.param(800_000, marks=pytest.mark.slow)])
def test_a_table_far_above_the_limit_is_coded_and_selected_from_within_it(n_rows, tmp_path):
    # enough rows for every kernel that the large one needs: to compile one takes memory, too
    write(tmp_path / "small", 2, 10_000)
    write(tmp_path / "large", 4, n_rows // 4)
    arguments = [tmp_path / "small", tmp_path / "large", str(MEMORY)]
    done = subprocess.run(
        [sys.executable, "-c", CHILD, *arguments], capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    for name, (peak, selected) in found.items():
        # selectors hold the target, and a few arrays as long as it, beside the limit
        allowed = MEMORY if name == "coding" else MEMORY + 6 * 8 * n_rows
        assert peak < allowed, f"{name}: {peak / 1e6:.0f} MB"
        if selected is not None:
            assert set(selected) == {"x0", "x3"}
