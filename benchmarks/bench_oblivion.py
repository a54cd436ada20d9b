"""OBLIVION against leave-one-out in plain numpy, and on tables that loops would take hours for.

500 rows and 100 bits: the whole elimination of ``Oblivion().fit``, down to one column, beside two
ways to count leave-one-out errors in numpy, for one removal after the other: row by row, or by a
product of matrices that gives all distances at once. A sample of the removals is timed, spread
evenly over their sizes, and the number of errors compared. Then 500 rows of 100 numbers, and 2000
rows of 500 bits. The ratio to loops over rows should be 100 or more, the first fit should take less
than 2 seconds and the last less than 2 minutes.

``python -m benchmarks.bench_oblivion [--quick]``
"""

import sys
import time

import numpy as np
from threadpoolctl import threadpool_limits

from thresher import Oblivion
from thresher.datasets import make_boolean_concept

QUICK = "--quick" in sys.argv
REPEATS = 1 if QUICK else 3
SAMPLE = 5 if QUICK else 20


def bits(n_rows, n_columns, seed=0):
    data = make_boolean_concept("parity-like", n_columns - 3, n_rows=n_rows, random_state=seed)
    return data.X, data.y


def numbers(n_rows, n_columns, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


def errors_of(nearest, y):
    """Errors when all of the nearest rows vote, given as a matrix; ties go to the larger class."""
    votes = nearest @ np.eye(2)[y]
    others = np.bincount(y)[None, :] - np.eye(2)[y]
    ahead = votes[:, 1] - votes[:, 0]
    predicted = (ahead > 0) | ((ahead == 0) & (others[:, 1] > others[:, 0]))
    return int((predicted != y).sum())


def by_rows(X, y):
    nearest = np.zeros((len(X), len(X)), dtype=bool)
    for i, row in enumerate(X):
        distances = (row != X).sum(axis=1)
        distances[i] = X.shape[1] + 1
        nearest[i] = distances == distances.min()
    return errors_of(nearest, y)


def by_matrices(X, y):
    inputs = X.astype(np.float32)
    ones = inputs.sum(axis=1)
    distances = ones[:, None] + ones[None, :] - 2.0 * inputs @ inputs.T
    np.fill_diagonal(distances, np.inf)
    return errors_of(distances == distances.min(axis=1, keepdims=True), y)


def seconds(action):
    start = time.process_time()
    result = action()
    return time.process_time() - start, result


def fit(X, y):
    """Best time of a whole fit, after one that warms up; the subsets in order, and their errors."""
    Oblivion().fit(X[:60], y[:60])
    repeats = REPEATS if len(X) < 1000 else 1
    best = min(seconds(lambda: Oblivion(n_jobs=1).fit(X, y))[0] for _ in range(repeats))
    steps = []
    if len(X) < 1000:
        Oblivion(n_jobs=1).observe(steps.append).fit(X, y)
    return best, [(sorted(step.winner), round(step.loss * len(y))) for step in steps]


def against_numpy(X, y):
    fast, steps = fit(X, y)
    every = np.arange(1, X.shape[1] + 1)
    print(f"{X.shape[0]} x {X.shape[1]} bits, {every.sum()} removals: {fast:.2f} s")
    picked = np.linspace(0, len(steps) - 1, SAMPLE).round().astype(int)
    for way in (by_rows, by_matrices):
        times, sizes = [], []
        for k in picked:
            subset, errors = steps[k]
            taken, found = seconds(lambda subset=subset, way=way: way(X[:, subset], y))
            if found != errors:
                raise AssertionError(f"{len(subset)} columns: {errors} errors, numpy has {found}")
            times.append(taken)
            sizes.append(len(subset))
        # from a subset of s columns there are s removals, each about as large
        slow = float((every * np.interp(every, sizes[::-1], times[::-1])).sum())
        name = way.__name__.replace("_", " ")
        print(f"  numpy, {name:12} {slow:7.1f} s, {slow / fast:4.0f} times as long", flush=True)


def main():
    with threadpool_limits(1):
        against_numpy(*bits(500, 100))
        X, y = numbers(500, 100)
        print(f"500 x 100 numbers: {fit(X, y)[0]:.2f} s", flush=True)
        if not QUICK:
            X, y = bits(2000, 500)
            print(f"2000 x 500 bits: {fit(X, y)[0]:.1f} s")


if __name__ == "__main__":
    main()
