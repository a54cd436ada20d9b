"""Randomized elimination with naive Bayes: the evaluator against ``cross_val_score``, on one core.

Runs through the subsets that an elimination visits at the shape of the internet advertisements, one
call of ``losses`` for each, and refits a sample of them. Prints the time of each and their ratio;
it should be 300 or more. ``python benchmarks/bench_elimination.py [--quick]``
"""

import sys
import time

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score

from thresher.evaluators import Removals, evaluator_for
from thresher.learners import DiscreteNB

CV = StratifiedKFold(5, shuffle=True, random_state=0)
QUICK = "--quick" in sys.argv
EVERY = 60 if QUICK else 20
REPEATS = 2 if QUICK else 5


def adverts_shape(seed=0):
    """2359 rows, 1430 binary columns, 2 classes."""
    rng = np.random.default_rng(seed)
    y = (rng.random(2359) < 0.16).astype(int)
    rate = np.clip(rng.beta(0.3, 12, size=(2, 1430)), 0.001, 0.999)
    return (rng.random((2359, 1430)) < rate[y]).astype(float), y


def elimination(n_variables=1430, n_left=20, seed=0):
    """What is removed from what: a twentieth at a time, two of three attempts in vain."""
    rng = np.random.default_rng(seed)
    base, steps = frozenset(range(n_variables)), []
    while len(base) > n_left:
        size = max(1, len(base) // 20)
        some = frozenset(rng.choice(sorted(base), size, replace=False).tolist())
        steps.append((base, some))
        if rng.random() < 1 / 3:
            base = base - some
    return steps


def visit(evaluator, steps):
    start = time.process_time()
    errors = [evaluator.losses(Removals(base, [some])).mean() for base, some in steps]
    return time.process_time() - start, errors


def refit(X, y, steps):
    start = time.process_time()
    errors = []
    for base, some in steps:
        errors.append(1 - cross_val_score(DiscreteNB(), X[:, sorted(base - some)], y, cv=CV).mean())
    return time.process_time() - start, errors


def main():
    X, y = adverts_shape()
    steps = elimination()
    start = time.process_time()
    evaluator = evaluator_for(DiscreteNB(), X, y, cv=CV, n_jobs=1)
    build = time.process_time() - start
    visit(evaluator, steps[:2])  # compiles
    refit(X[:, :9], y, [(frozenset(range(9)), frozenset({0}))])
    fast = min(visit(evaluator, steps)[0] for _ in range(REPEATS))
    errors = visit(evaluator, steps)[1]
    sample = range(0, len(steps), EVERY)
    slow, expected = refit(X, y, [steps[k] for k in sample])
    slow *= len(steps) / len(sample)
    # means of folds of different sizes are not quite the mean over rows
    np.testing.assert_allclose([errors[k] for k in sample], expected, atol=1e-3)
    print(f"2359 x 1430, binary, 2 classes, five folds; {len(steps)} subsets, one call for each")
    print(f"{'evaluator':22}{build:9.3f} s to build (with compiling, the first time)")
    print(f"{'losses':22}{fast:9.3f} s {1e6 * fast / len(steps):9,.0f} microseconds a call")
    print(f"{'cross_val_score':22}{slow:9.3f} s {1e6 * slow / len(steps):9,.0f} (from a sample)")
    print(f"{'ratio':22}{slow / fast:9,.0f}x")


if __name__ == "__main__":
    main()
