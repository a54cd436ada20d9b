"""Forest importances of columns and contrasts, against scikit-learn on columns written out.

Both sides grow trees on two threads, by turns in one run, with as many candidates at a node, on
real columns and as many permuted ones. scikit-learn gets its fastest layout, and grows fewer trees
where it is slow: times are per tree, the least of three. Binning is not counted: it is done once
for many forests. Then one iteration of ACE on the shape of NOVA: 20 replicates of 70 trees. Run
``python benchmarks/bench_forest.py``.
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
N_FORESTS = 4
#: rows, columns, whether binary; trees in each of our forests, trees of scikit-learn
SHAPES = [
    (1000, 70, False, 50, 50),
    (4000, 70, False, 30, 30),
    (3000, 1000, False, 20, 12),
    (1754, 16969, True, 70, 12),
]


def numeric_data(n_rows, n_columns):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns))
    signal = X[:, 0] * X[:, 1] + X[:, 2] + np.sin(2.0 * X[:, 3]) + 0.5 * X[:, 4:9].sum(axis=1)
    return X, signal + rng.normal(size=n_rows)


def binary_data(n_rows, n_columns):
    """Make words in texts: most are rare, one cell in twenty is 1."""
    rng = np.random.default_rng(0)
    rates = np.clip(rng.beta(0.6, 12.0, size=n_columns), 0.002, 0.5)
    X = (rng.random((n_rows, n_columns)) < rates).astype(np.float32)
    return X, X[:, :20].sum(axis=1) + rng.normal(size=n_rows)


def n_candidates(n_columns):
    return math.ceil(2.0 * math.sqrt(n_columns))


def our_forests(X, y):
    """Return a function that grows forests and tells how many seconds they took."""
    n_rows, n_columns = X.shape
    binned = bin_columns(read_columns(X), max_bins=64, n_jobs=N_THREADS)
    target = np.ascontiguousarray((y - y.mean())[:, None] / y.std())

    def one_forest(replicate, n_trees):
        permutation = np.random.default_rng(replicate).permutation(n_rows)
        forest_importances(
            binned.codes, binned.n_bins, binned.categorical, target, np.ones(n_rows), permutation,
            n_trees, n_candidates(n_columns), 0.5, n_rows, 30, 30, 10.0, 64, np.uint64(replicate),
            np.zeros(2 * n_columns),
        )  # fmt: skip

    def seconds(n_forests, n_trees):
        start = perf_counter()
        run_in_threads(one_forest, [(r, n_trees) for r in range(n_forests)], N_THREADS)
        return perf_counter() - start

    one_forest(0, 1)  # compiles
    return seconds


def their_forest(X, y):
    permuted = X[np.random.default_rng(0).permutation(len(X))]
    both = np.asfortranarray(np.hstack([X, permuted]), dtype=np.float32)

    def seconds(n_trees):
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

    return seconds


def main() -> None:
    for n_rows, n_columns, binary, our_trees, their_trees in SHAPES:
        X, y = (binary_data if binary else numeric_data)(n_rows, n_columns)
        grow, fit = our_forests(X, y), their_forest(X, y)
        times = [(grow(N_FORESTS, our_trees), fit(their_trees)) for _ in range(N_REPEATS)]
        ours, theirs = (1000.0 * min(side) for side in zip(*times, strict=True))
        ours, theirs = ours / (N_FORESTS * our_trees), theirs / their_trees
        print(
            f"{f'{n_rows} x {n_columns}':14} ours {ours:6.2f} ms a tree   "
            f"scikit-learn {theirs:6.2f} ms   ratio {theirs / ours:5.1f}",
            flush=True,
        )
    # the last shape is NOVA's
    print(f"{n_rows} x {n_columns}   20 replicates of 70 trees: {grow(20, 70):.1f} s")


if __name__ == "__main__":
    main()
