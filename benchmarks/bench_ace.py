"""ACE and select against BorutaPy, and the memory of ACE beyond the input.

``python -m benchmarks.bench_ace [n_rows ...]``: BorutaPy takes minutes at 1000 rows and up to a
quarter of an hour at 4000. ``make bench`` installs it.
"""

import resource
import subprocess
import sys
import time
import warnings

import numpy as np
from sklearn.ensemble import RandomForestRegressor

from thresher import ACE, select
from thresher.datasets import make_friedman_random

WIDE = (1754, 16969)


def main() -> None:
    rows = [int(text) for text in sys.argv[1:]] or [1000, 4000]
    select(*_small(), random_state=0)  # compile
    for n_rows in rows:
        compare(n_rows)
    print(
        subprocess.run(
            [sys.executable, __file__], capture_output=True, text=True, check=True
        ).stdout,
        end="",
    )


def compare(n_rows: int) -> None:
    data = make_friedman_random(n_rows, random_state=0)
    began = time.perf_counter()
    ours = ACE(random_state=0, n_jobs=2).fit(data.X, data.y)
    seconds = time.perf_counter() - began
    began = time.perf_counter()
    whole = select(data.X, data.y, task="regression", random_state=0, n_jobs=2)
    whole_seconds = time.perf_counter() - began
    chosen = np.isin(np.arange(data.X.shape[1]), whole.positions)
    line = (
        f"{n_rows} x {data.X.shape[1]}: ACE {seconds:.1f} s, {_truth(ours.support_, data)}; "
        f"select {whole_seconds:.1f} s, {_truth(chosen, data)}"
    )
    try:
        from boruta import BorutaPy
    except ImportError:
        print(f"{line}; BorutaPy is not installed")
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        began = time.perf_counter()
        forest = RandomForestRegressor(max_depth=5, n_jobs=2)
        theirs = BorutaPy(forest, n_estimators="auto", random_state=0).fit(data.X, data.y)
    theirs_seconds = time.perf_counter() - began
    print(
        f"{line}; BorutaPy {theirs_seconds:.1f} s, {_truth(theirs.support_, data)}: "
        f"ACE {theirs_seconds / seconds:.1f} times faster, "
        f"select {theirs_seconds / whole_seconds:.1f} times",
        flush=True,
    )


def _truth(support, data) -> str:
    chosen = set(np.flatnonzero(support).tolist())
    hits = len(chosen & set(data.relevant))
    f1 = 2 * hits / (len(chosen) + len(data.relevant))
    redundant = len(chosen & set(data.redundant))
    noise = len(chosen & set(data.irrelevant))
    return f"{hits} relevant + {redundant} redundant + {noise} noise, F1 {f1:.2f}"


def _small():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 5))
    return X, X[:, 0] + X[:, 1]


def measure_memory() -> None:
    """One round on a wide binary table, in a process of its own."""
    ACE(random_state=0).fit(*_small())
    rng = np.random.default_rng(0)
    X = (rng.random(WIDE) < 0.1).astype(np.float64)
    y = X[:, :5].sum(axis=1) + rng.normal(size=len(X))
    before = _peak()
    began = time.perf_counter()
    ACE(n_trees=70, max_iterations=1, random_state=0, n_jobs=2).fit(X, y)
    seconds = time.perf_counter() - began
    share = (_peak() - before) / X.nbytes
    print(
        f"{WIDE[0]} x {WIDE[1]} binary, one round of 20 x 70 trees: {seconds:.1f} s, "
        f"peak memory {share:.2f} of the input on top of it"
    )


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main()
    else:
        measure_memory()
