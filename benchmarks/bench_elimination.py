"""Randomized elimination with naive Bayes against the same search through ``cross_val_score``.

The whole of ``RVErS(DiscreteNB()).fit`` at the shape of the internet advertisements, from the table
to the account of the selection, beside the time that ``cross_val_score`` takes for the subsets that
the search judges: a sample of them, spread evenly over their sizes, is refitted. scikit-learn's own
``BernoulliNB`` on the binary columns of the same subsets tells what a fast refit would take. One
core, compiled kernels. The ratio to the first should be 300 or more.

``python benchmarks/bench_elimination.py [--quick] [table.parquet]``; the last column of a table is
the class. Without one, a table of that shape is made up.
"""

import sys
import time

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import BernoulliNB
from threadpoolctl import threadpool_limits

from thresher import RVErS
from thresher.learners import DiscreteNB

QUICK = "--quick" in sys.argv
REPEATS = 3
SAMPLE = 12 if QUICK else 40
SEARCHES = [{"strategy": "improved"}, {"strategy": "paper"}]
if not QUICK:
    SEARCHES += [{"strategy": "improved", "r_max": 100}, {"strategy": "paper", "r_max": 100}]


def adverts_shape(seed=0):
    """2359 rows, 3 columns of numbers, 1427 binary columns of which few matter, 2 classes."""
    rng = np.random.default_rng(seed)
    y = (rng.random(2359) < 0.16).astype(int)
    rate = np.tile(np.clip(rng.beta(0.3, 12, size=1427), 0.002, 0.998), (2, 1))
    rate[1, :40] = np.clip(rate[0, :40] + rng.uniform(0.05, 0.4, size=40), 0.002, 0.998)
    numbers = rng.lognormal(4 + 0.3 * y[:, None], 1, size=(2359, 3)).round()
    return np.hstack([numbers, rng.random((2359, 1427)) < rate[y]]), y


def read_table(path):
    import polars as pl

    table = pl.read_parquet(path)
    *inputs, target = table.columns
    numbers = table.select(inputs).to_numpy().astype(np.float64)
    return np.ascontiguousarray(numbers), table[target].to_numpy()


def seconds(action):
    start = time.process_time()
    result = action()
    return time.process_time() - start, result


def search(X, y, folds, **options):
    """Best time of a whole fit; its subsets in order, and their losses."""

    def fit():
        return RVErS(DiscreteNB(), cv=folds, random_state=0, n_jobs=1, **options).fit(X, y)

    fit()
    best = min(seconds(fit)[0] for _ in range(REPEATS))
    steps = []
    selector = RVErS(DiscreteNB(), cv=folds, random_state=0, n_jobs=1, **options)
    selector.observe(steps.append).fit(X, y)
    return best, [sorted(step.winner) for step in steps], [step.loss for step in steps]


def refit(learner, X, y, subsets, folds):
    """Time of each subset, and its mean error."""
    cross_val_score(learner, X[:, subsets[-1]], y, cv=folds)  # compiles
    sizes = np.array([len(test) for _, test in folds])
    found = []
    for subset in subsets:
        taken, scores = seconds(
            lambda subset=subset: cross_val_score(learner, X[:, subset], y, cv=folds)
        )
        found.append((taken, 1 - scores @ sizes / sizes.sum()))
    return np.array(found).T


def spread(n, n_wanted):
    """Places in the middle of equal parts of a sequence."""
    n_wanted = min(n, n_wanted)
    return (n * (2 * np.arange(n_wanted) + 1)) // (2 * n_wanted)


def compare(X, y, folds, **options):
    fast, subsets, losses = search(X, y, folds, **options)
    # by size, so that the sample is as large on average as all of them
    by_size = np.argsort([len(subset) for subset in subsets], kind="stable")
    places = by_size[spread(len(subsets), SAMPLE)]
    sample = [subsets[k] for k in places if subsets[k]]
    times, errors = refit(DiscreteNB(), X, y, sample, folds)
    np.testing.assert_allclose(errors, [losses[k] for k in places if subsets[k]], atol=1e-12)
    binary = {j for j, column in enumerate(X.T) if np.isin(column, (0.0, 1.0)).all()}
    flags = [[j for j in subset if j in binary] for subset in sample]
    plain = refit(BernoulliNB(), X, y, [some for some in flags if some], folds)[0]
    n, size = len(subsets), np.mean([len(subset) for subset in subsets])
    print(", ".join(f"{name}={value}" for name, value in options.items()))
    print(f"  {'RVErS.fit':34}{fast:9.3f} s   {n} subsets of {size:.0f} columns on average")
    for name, each in (("DiscreteNB", times), ("BernoulliNB", plain)):
        slow = n * each.mean()
        line = f"{slow:9.1f} s {slow / fast:9,.0f}x"
        print(f"  {f'cross_val_score({name})':34}{line} ({len(each)} subsets refitted)", flush=True)


def main():
    paths = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    X, y = read_table(paths[0]) if paths else adverts_shape()
    folds = list(StratifiedKFold(5).split(X, y))
    print(f"{X.shape[0]} x {X.shape[1]}, five folds, {len(np.unique(y))} classes")
    with threadpool_limits(1):
        for options in SEARCHES:
            compare(X, y, folds, **options)


if __name__ == "__main__":
    main()
