"""The one command on a messy table: 2,000 columns of all types with gaps, from CSV to a report.

Prints what ``thresher select`` takes, beside reading the file alone, and the size of the page. On
two cores the answer should be there in about a minute; the first run compiles the kernels.

``python -m benchmarks.bench_select [--quick]``
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

from thresher.files import read_table

QUICK = "--quick" in sys.argv
N_ROWS, N_COLUMNS = (500, 200) if QUICK else (2000, 2000)
COMMAND = [sys.executable, "-c", "from thresher.cli import main; main()"]


def make_table(rng):
    """Numbers, whole numbers, text and dates, a tenth of the cells missing in every third."""
    columns = {}
    for j in range(N_COLUMNS):
        if j % 10 < 6:
            values = rng.normal(size=N_ROWS).tolist()
        elif j % 10 == 6:
            values = rng.integers(50, size=N_ROWS).tolist()
        elif j % 10 < 9:
            values = [f"level {k}" for k in rng.integers(2 + j % 28, size=N_ROWS)]
        else:
            days = rng.integers(10_000, size=N_ROWS)
            values = (np.datetime64("2000-01-01") + days).astype(str).tolist()
        if j % 3 == 0:
            gaps = rng.random(N_ROWS) < 0.1
            values = [None if gap else value for value, gap in zip(values, gaps, strict=True)]
        columns[f"column {j}"] = values
    number = [[0.0 if cell is None else cell for cell in columns[f"column {j}"]] for j in (0, 1, 2)]
    score = np.array(number[0]) + np.array(number[1]) + 0.7 * np.array(number[2])
    score += 1.5 * np.array([cell == "level 1" for cell in columns["column 7"]])
    columns["copy of column 1"] = (np.array(number[1]) + 0.02 * rng.normal(size=N_ROWS)).tolist()
    churned = score + rng.normal(size=N_ROWS) > 0.5
    return pl.DataFrame({**columns, "churned": np.where(churned, "yes", "no")})


def main():
    with tempfile.TemporaryDirectory() as folder:
        file, page = Path(folder, "table.csv"), Path(folder, "report.html")
        make_table(np.random.default_rng(0)).write_csv(file)
        size = file.stat().st_size / 1e6
        print(f"  {N_ROWS} rows x {N_COLUMNS + 1} columns, {size:.0f} MB of CSV")
        start = time.perf_counter()
        read_table(file, "churned")
        print(f"  reading alone {time.perf_counter() - start:6.1f} s")
        command = [*COMMAND, "select", file, "--target", "churned", "--seed", "0", "--quiet"]
        for name in ("first run", "again"):
            start = time.perf_counter()
            done = subprocess.run(
                [*command, "--report", page], capture_output=True, text=True, check=True
            )
            took = time.perf_counter() - start
            print(f"  {name:13} {took:6.1f} s, report {page.stat().st_size / 1e6:.2f} MB")
        print("\n".join(f"  | {line[:110]}" for line in done.stdout.splitlines()[:8]))


if __name__ == "__main__":
    main()
