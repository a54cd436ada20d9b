"""ReliefF: how many times faster than scikit-rebate, and how well the two agree.

Numbers in 2 classes, 10 neighbours, all rows; from the array to the weights. On one core both are
judged by processor time, on all cores by the clock. Weights are compared by rank, since scales may
differ. The ratio should be 20 or more. Before that, 100 permutations of the target, beside none.

scikit-rebate takes minutes for the larger table: ``--quick`` leaves it out.

``pip install skrebate``, then ``python -m benchmarks.bench_relief [--quick]``
"""

import sys
import time

import numpy as np
from scipy.stats import spearmanr
from threadpoolctl import threadpool_limits

from thresher.columns import read_columns
from thresher.evaluators import make_target
from thresher.filters._relief_weights import relief_table, relief_weights

QUICK = "--quick" in sys.argv
SIZES = [(500, 250)] if QUICK else [(500, 250), (2000, 1000)]
N_REPEATS = 3
N_PERMUTATIONS = 100


def make_data(n_rows, n_columns):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(int)


def ours(X, y, n_jobs, permuted=None):
    table, target = relief_table(read_columns(X)), make_target(y, classifier=True)
    return relief_weights(table, target, n_neighbors=10, permuted=permuted, n_jobs=n_jobs)[0]


def theirs(X, y, n_jobs):
    from skrebate import ReliefF

    return ReliefF(n_neighbors=10, n_jobs=n_jobs).fit(X, y).feature_importances_


def seconds(clock, n_repeats, function, *args):
    """Shortest of some runs, and what they return."""
    times = []
    for _ in range(n_repeats):
        start = clock()
        result = function(*args)
        times.append(clock() - start)
    return min(times), result


def compare(X, y):
    cores = {"one core": (1, time.process_time), "all cores": (-1, time.perf_counter)}
    for name, (n_jobs, clock) in cores.items():
        fast, weights = seconds(clock, N_REPEATS, ours, X, y, n_jobs)
        print(f"  {name:9} {fast:.3f} s", end="", flush=True)
        try:
            slow, expected = seconds(clock, 1, theirs, X, y, n_jobs)
        except ImportError:
            print(" (no scikit-rebate here to compare with)")
            continue
        agreement = spearmanr(weights, expected).statistic
        print(
            f", scikit-rebate {slow:.1f} s: {slow / fast:.0f} times as long; "
            f"rank correlation of the weights {agreement:.4f}",
            flush=True,
        )


def permutations(X, y):
    rng = np.random.default_rng(1)
    permuted = np.array([rng.permutation(len(y)) for _ in range(N_PERMUTATIONS)])
    alone, _ = seconds(time.process_time, N_REPEATS, ours, X, y, 1)
    together, _ = seconds(time.process_time, 1, ours, X, y, 1, permuted)
    print(f"  with {N_PERMUTATIONS} permutations {together:.2f} s, without {alone:.2f} s, one core")


def main():
    with threadpool_limits(1):
        ours(*make_data(50, 5), 1)  # compiles
        for n_rows, n_columns in SIZES:
            print(f"{n_rows} x {n_columns}", flush=True)
            permutations(*make_data(n_rows, n_columns))
            compare(*make_data(n_rows, n_columns))


if __name__ == "__main__":
    main()
