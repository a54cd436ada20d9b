"""Forest importances of columns and contrasts, against scikit-learn on columns written out.

Both sides grow trees on two threads, in one run, with as many candidate columns at a node, on real
columns and as many permuted ones. scikit-learn gets its fastest layout and grows fewer trees where
it is slow; times are per tree. Then one iteration of ACE on the shape of NOVA: 20 replicates of 70
trees. Run ``python benchmarks/bench_forest.py``.
"""

import math
from time import perf_counter

import numpy as np
from sklearn.ensemble import RandomForestRegressor

from thresher.columns import bin_columns, read_columns
from thresher.kernels.forest import forest_importances
from thresher.parallel import run_in_threads

N_THREADS = 2
N_REPEATS = 3
#: rows, columns, whether binary; trees of ours in each of four forests, trees of scikit-learn
SHAPES = [
    (1000, 70, False, 100, 100),
    (4000, 70, False, 50, 50),
    (3000, 1000, False, 25, 20),
    (1754, 16969, True, 70, 20),
]


def numeric_data(n_rows, n_columns):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns))
    signal = X[:, 0] * X[:, 1] + X[:, 2] + np.sin(2.0 * X[:, 3]) + 0.5 * X[:, 4:9].sum(axis=1)
    return X, signal + rng.normal(size=n_rows)


def binary_data(n_rows, n_columns):
    """Make words in texts: most are rare, one in twenty cells is 1."""
    rng = np.random.default_rng(0)
    rates = np.clip(rng.beta(0.6, 12.0, size=n_columns), 0.002, 0.5)
    X = (rng.random((n_rows, n_columns)) < rates).astype(np.float32)
    return X, X[:, :20].sum(axis=1) + rng.normal(size=n_rows)


def n_candidates(n_columns):
    return math.ceil(2.0 * math.sqrt(n_columns))


def our_seconds(X, y, n_replicates, n_trees):
    """Time of all replicates, without binning: that is done once for many of them."""
    n_rows, n_columns = X.shape
    binned = bin_columns(read_columns(X), max_bins=64, n_jobs=N_THREADS)
    rng = np.random.default_rng(1)
    permutations = [rng.permutation(n_rows) for _ in range(n_replicates)]
    target = np.ascontiguousarray((y - y.mean())[:, None] / y.std())

    def one_forest(replicate, n_trees):
        forest_importances(
            binned.codes, binned.n_bins, binned.categorical, target, np.ones(n_rows),
            permutations[replicate], n_trees, n_candidates(n_columns), 0.5, 30, 30, 10.0, 64,
            np.uint64(replicate), np.zeros(2 * n_columns),
        )  # fmt: skip

    one_forest(0, 1)  # compiles
    start = perf_counter()
    run_in_threads(one_forest, [(r, n_trees) for r in range(n_replicates)], N_THREADS)
    return perf_counter() - start


def their_seconds(X, y, n_trees):
    rng = np.random.default_rng(1)
    both = np.asfortranarray(np.hstack([X, X[rng.permutation(len(X))]]), dtype=np.float32)
    forest = RandomForestRegressor(
        n_trees,
        min_samples_leaf=10,
        max_features=2 * n_candidates(X.shape[1]),
        n_jobs=N_THREADS,
        random_state=0,
    )
    start = perf_counter()
    forest.fit(both, y)
    return perf_counter() - start


def main() -> None:
    for n_rows, n_columns, binary, our_trees, their_trees in SHAPES:
        X, y = (binary_data if binary else numeric_data)(n_rows, n_columns)
        repeats = range(1 if binary else N_REPEATS)
        ours = min(our_seconds(X, y, 4, our_trees) for _ in repeats) / (4 * our_trees)
        theirs = min(their_seconds(X, y, their_trees) for _ in repeats) / their_trees
        print(
            f"{f'{n_rows} x {n_columns}':14} ours {1000 * ours:7.2f} ms a tree   "
            f"scikit-learn {1000 * theirs:7.2f} ms   ratio {theirs / ours:5.1f}",
            flush=True,
        )
    seconds = our_seconds(*binary_data(1754, 16969), 20, 70)
    print(f"1754 x 16969   20 replicates of 70 trees: {seconds:.1f} s")


if __name__ == "__main__":
    main()
