"""Nearest neighbours: predictions a second, and how many times faster than scikit-learn.

Run ``python benchmarks/bench_neighbours.py``. One thread on both sides, and processor time, so that
other work on the machine matters less.
"""

from time import process_time

import numpy as np
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_limits

from thresher.columns import read_columns
from thresher.evaluators import Flips, Loss, Problem, Target, make_folds
from thresher.evaluators._neighbours import NeighboursEvaluator

N_ROWS, N_COLUMNS, N_REPEATS = 1000, 50, 3


def make_data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, N_COLUMNS))
    y = (X[:, :5].sum(axis=1) + rng.normal(size=N_ROWS) > 0).astype(int)
    return X, y


def evaluator(X, y, learner, cv):
    classes, codes = np.unique(y, return_inverse=True)
    folds = make_folds(cv, y, classifier=True)
    problem = Problem(
        learner, read_columns(X), Target(y, codes, classes), folds, Loss.ZERO_ONE, n_jobs=1
    )
    return NeighboursEvaluator(problem)


def seconds(function, *args):
    """Shortest of some runs, after one that warms the caches."""
    function(*args)
    times = []
    for _ in range(N_REPEATS):
        start = process_time()
        function(*args)
        times.append(process_time() - start)
    return min(times)


def leave_one_out_speed(X, y):
    print(f"leave-one-out predictions a second, {N_ROWS} x {N_COLUMNS}, 5 neighbours, one thread")
    for weights in ("uniform", "distance"):
        judge = evaluator(X, y, KNeighborsClassifier(5, weights=weights), "loo")
        for size in (0, 5, 10, 25, 49):
            base = frozenset(range(size))
            families = {
                "added": Flips(base, range(size, N_COLUMNS)),
                "removed": Flips(base, range(size) if size > 1 else []),
                "as a list": list(Flips(base, range(size, N_COLUMNS))),
            }
            rates = [
                f"{name} {len(family) * N_ROWS / seconds(judge.losses, family):>9,.0f}"
                for name, family in families.items()
                if len(family)
            ]
            print(f"  {weights:8}  base of {size:2}: {', '.join(rates)}")


def ratio_to_scikit_learn(X, y):
    cv = KFold(5, shuffle=True, random_state=0)
    learner = KNeighborsClassifier(5)
    judge = evaluator(X, y, learner, cv)
    flips = Flips(frozenset(range(10)), range(10, N_COLUMNS))
    start = process_time()
    expected = [
        cross_val_predict(learner, X[:, sorted(subset)], y, cv=cv, n_jobs=1) != y
        for subset in flips
    ]
    theirs = process_time() - start
    ours = seconds(judge.losses, flips)
    n_different = int((judge.losses(flips) != np.array(expected)).sum())
    print(f"5-fold, {len(flips)} flips of a base of 10: {theirs / ours:.0f} times faster than")
    print(f"cross_val_predict ({theirs:.2f} s, {ours:.3f} s); {n_different} predictions differ")


def main():
    with threadpool_limits(1):
        leave_one_out_speed(*make_data())
        ratio_to_scikit_learn(*make_data())


if __name__ == "__main__":
    main()
