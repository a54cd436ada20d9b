"""CFS and FCBF on wide tables: what is computed, and what computing all pairs would take.

CFS searches 2000 rows of 2000 numbers, ten relevant and ten near copies of them; the correlations
it asked for are compared with all pairs, and its time with that of computing these. FCBF filters
1754 rows of 16,969 words, as many as in the Nova data of the ACE paper, each in few rows. The
symmetrical uncertainty of one column with all others is timed beside scikit-learn's
``mutual_info_score``, pair by pair. All on one core.

``python -m benchmarks.bench_filters [--quick]``
"""

import sys
import time

import numpy as np
import scipy.sparse
from sklearn.metrics import mutual_info_score
from threadpoolctl import threadpool_limits

from thresher.columns import read_columns
from thresher.filters import CFS, FCBF
from thresher.filters._information import information_within
from thresher.filters._levels import level_table

QUICK = "--quick" in sys.argv
SIZE = 500 if QUICK else 2000
WORDS = 2000 if QUICK else 16_969


def numbers(n_rows, n_columns):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns))
    X[:, 10:20] = X[:, :10] + 0.3 * rng.normal(size=(n_rows, 10))
    return X, (X[:, :10].sum(axis=1) > 0).astype(int)


def words(n_rows, n_columns):
    """Most words are rare; a hundred of them make the class likely."""
    rng = np.random.default_rng(0)
    often = np.minimum(0.3, 20.0 / np.arange(1, n_columns + 1) ** 0.7)
    told = rng.choice(n_columns, 100, replace=False)
    y = rng.integers(0, 2, n_rows)
    table = scipy.sparse.lil_matrix((n_rows, n_columns))
    for j in range(n_columns):
        share = np.full(n_rows, often[j])
        if j in told:
            share = np.where(y == 1, min(1.0, 2 * often[j]), 0.5 * often[j])
        table[np.flatnonzero(rng.random(n_rows) < share), j] = 1.0
    return table.tocsc(), y


def seconds(action):
    start = time.process_time()
    result = action()
    return time.process_time() - start, result


def all_pairs(table):
    for p in range(len(table.codes)):
        information_within(p, table, np.arange(p + 1, len(table.codes)), 1)


def cfs(X, y):
    CFS().fit(X[:50, :5], y[:50])  # compiles
    n = X.shape[1]
    for search in ("best-first", "greedy"):
        taken, found = seconds(lambda search=search: CFS(search=search, n_jobs=1).fit(X, y))
        share = found.n_correlations_ / (n * (n - 1) // 2)
        print(
            f"CFS, {search}, {X.shape[0]} x {n}: {taken:.2f} s, {found.n_features_} columns, "
            f"{found.n_correlations_} correlations ({100 * share:.1f} % of all pairs)",
            flush=True,
        )
    columns = read_columns(X)
    table = level_table(columns, y, 4)
    taken, _ = seconds(lambda: all_pairs(table))
    print(f"  all pairs of columns of 4 levels: {taken:.2f} s")
    some = np.arange(1, 201)
    fast, ours = seconds(lambda: [information_within(0, table, some, 1).gain for _ in range(100)])
    slow, theirs = seconds(
        lambda: [mutual_info_score(table.codes[0], table.codes[j]) / np.log(2) for j in some]
    )
    if not np.allclose(ours[0], theirs, atol=1e-12):
        raise AssertionError("mutual information differs from scikit-learn's")
    print(f"  one column with 200 others: scikit-learn takes {100 * slow / fast:.0f} times as long")


def fcbf(X, y):
    FCBF().fit(X[:50], y[:50])  # compiles
    taken, found = seconds(lambda: FCBF(n_jobs=1).fit(X, y))
    print(
        f"FCBF, {X.shape[0]} x {X.shape[1]} words: {taken:.2f} s, {found.n_features_} columns, "
        f"{found.selection_.cost.evaluations} correlations"
    )


def main():
    with threadpool_limits(1):
        cfs(*numbers(SIZE, SIZE))
        fcbf(*words(1754, WORDS))


if __name__ == "__main__":
    main()
