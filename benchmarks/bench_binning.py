"""Binning a table to bytes: against np.quantile and np.searchsorted column by column."""

from time import perf_counter

import numpy as np

from thresher.columns import bin_columns, read_columns


def main() -> None:
    X = np.random.default_rng(0).normal(size=(100_000, 200))
    columns = read_columns(X)
    bin_columns(read_columns(X[:100]))  # compiles
    start = perf_counter()
    bin_columns(columns, n_jobs=2)
    ours = perf_counter() - start
    start = perf_counter()
    for j in range(20):
        edges = np.unique(np.quantile(X[:, j], np.linspace(0, 1, 255)[1:-1]))
        np.searchsorted(edges, X[:, j]).astype(np.uint8)
    numpy = 10 * (perf_counter() - start)
    print(
        f"{'binning 100,000 x 200':32} {'':8} ours {ours:7.3f} s  "
        f"numpy        {numpy:7.1f} s  ratio {numpy / ours:6.1f}"
    )


if __name__ == "__main__":
    main()
