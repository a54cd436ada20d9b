"""Linear and ridge regression: one sweep over all flips of a base against cross_val_score.

Both sides use the same folds, run in the same process and keep BLAS to one thread, which makes
cross_val_score faster too where cores are busy. It is timed on a few of the candidates.
Run with ``python benchmarks/bench_linear.py``.
"""

import argparse
from time import perf_counter

import numpy as np
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import KFold, LeaveOneOut, cross_val_score

from thresher.columns import read_columns
from thresher.evaluators import Flips, Loss, Problem, Target, make_folds
from thresher.evaluators._linear import LinearEvaluator
from thresher.parallel import ONE_BLAS_THREAD


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--columns", type=int, default=100)
    parser.add_argument("--leave-one-out", action="store_true")
    parser.add_argument("--dummies", action="store_true", help="make ten columns add up to one")
    parser.add_argument("--n-jobs", type=int, default=1)
    parser.add_argument("--sample", type=int, default=3, help="candidates for cross_val_score")
    options = parser.parse_args()
    X, y = _data(options.rows, options.columns, dummies=options.dummies)
    cv = LeaveOneOut() if options.leave_one_out else KFold(5, shuffle=True, random_state=0)
    p = options.columns
    sweeps = [(f"forward from {b}", range(b), range(b, p)) for b in (0, p // 10, p // 2)]
    sweeps += [(f"backward from {b}", range(b), range(b)) for b in (p, p // 2)]
    for estimator in (LinearRegression(), Ridge(1.0)):
        for name, base, flipped in sweeps:
            flips = Flips(frozenset(base), flipped)
            problem = _problem(estimator, X, y, cv, options.n_jobs)
            fast = _sweeps_per_second(LinearEvaluator(problem), flips)
            chosen = np.linspace(0, len(flips) - 1, options.sample).astype(int)
            slow = _refits_per_second(problem, cv, [flips[k] for k in chosen])
            label = f"{type(estimator).__name__:17} {name:17}"
            print(f"{label} {fast:9.0f}/s  cross_val_score {slow:6.1f}/s  ratio {fast / slow:6.0f}")


def _data(n: int, p: int, *, dummies: bool) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, p)) + 0.5 * rng.normal(size=(n, 1))
    if dummies:
        X[:, :10] = np.eye(10)[rng.integers(10, size=n)]
    return X, X[:, : p // 10].sum(axis=1) + rng.normal(size=n)


def _problem(estimator, X, y, cv, n_jobs) -> Problem:
    return Problem(
        estimator=estimator,
        columns=read_columns(X),
        target=Target(y, y, None),
        folds=make_folds(cv, y, classifier=False),
        loss=Loss.SQUARED,
        n_jobs=n_jobs,
    )


def _sweeps_per_second(evaluator, flips) -> float:
    evaluator.losses(flips)
    times = []
    for _ in range(5):
        # as in a search, no sweep starts from the base of the one before
        evaluator.losses(Flips(frozenset(), [0]))
        start = perf_counter()
        evaluator.losses(flips)
        times.append(perf_counter() - start)
    return len(flips) / float(np.median(times))


def _refits_per_second(problem, cv, subsets) -> float:
    y = problem.target.raw
    start = perf_counter()
    with ONE_BLAS_THREAD:
        for subset in subsets:
            X = problem.columns.take(subset)
            cross_val_score(problem.estimator, X, y, cv=cv, scoring="neg_mean_squared_error")
    return len(subsets) / (perf_counter() - start)


if __name__ == "__main__":
    main()
