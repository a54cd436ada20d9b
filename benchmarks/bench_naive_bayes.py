"""Naive Bayes evaluators against scikit-learn's ``cross_val_score``, on one core and in one run.

Prints, for each learner, the five-fold evaluations of flips per second: inside the evaluator (the
kernels with their preparation), through ``losses`` (what a search sees), and by refitting a sample
of the same subsets. ``python benchmarks/bench_naive_bayes.py [--quick]``
"""

import sys
import time
from functools import partial

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB

from thresher.columns import read_columns
from thresher.evaluators import Flips, Loss, Problem, Target, make_folds
from thresher.evaluators._discrete_nb import DiscreteNBEvaluator
from thresher.evaluators._gaussian_nb import GaussianNBEvaluator

CV = StratifiedKFold(5, shuffle=True, random_state=0)
QUICK = "--quick" in sys.argv
REPEATS = 2 if QUICK else 8
SAMPLE = 3 if QUICK else 10


def digits_shape(seed=0):
    """2000 rows, 240 columns, 10 classes: the shape of the multiple-features digits."""
    rng = np.random.default_rng(seed)
    y = np.arange(2000) % 10
    return rng.normal(size=(2000, 240)) + 0.4 * rng.normal(size=(10, 240))[y], y


def adverts_shape(seed=0):
    """3279 rows, 1558 binary columns, 2 classes: the shape of the internet advertisements."""
    rng = np.random.default_rng(seed)
    y = (rng.random(3279) < 0.14).astype(int)
    rate = np.clip(rng.beta(0.3, 12, size=(2, 1558)), 0.001, 0.999)
    return (rng.random((3279, 1558)) < rate[y]).astype(float), y


def make_problem(estimator, X, y, cv, loss):
    classes, codes = np.unique(y, return_inverse=True)
    return Problem(
        estimator=estimator,
        columns=read_columns(X),
        target=Target(y, codes, classes),
        folds=make_folds(cv, codes, classifier=True),
        loss=loss,
        n_jobs=1,
    )


def seconds(action):
    """Best processor time of several runs: other programs on the machine count less."""
    action()
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def inside(evaluator, flips):
    for fold in evaluator.problem.folds:
        evaluator._held_out_flips(flips, fold, fold.test)


def refit(estimator, X, y, flips, cv):
    for subset in list(flips)[:: max(1, len(flips) // SAMPLE)][:SAMPLE]:
        cross_val_score(estimator, X[:, sorted(subset)], y, cv=cv)


def report(kind, estimator, X, y, base, what, cv=CV, loss=Loss.ZERO_ONE):
    evaluator = kind(make_problem(estimator, X, y, cv, loss))
    variables = [v for v in range(X.shape[1]) if (v in base) == (what == "backward")]
    flips = Flips(base, variables)
    kernel = len(flips) / seconds(partial(inside, evaluator, flips))
    whole = len(flips) / seconds(partial(evaluator.losses, flips))
    line = f"{type(estimator).__name__:14}{what:9}{len(base):5}  {loss.name.lower():9}"
    line += f"{kernel:10,.0f}{whole:10,.0f}"
    if cv is CV and loss is Loss.ZERO_ONE:
        start = time.process_time()
        refit(estimator, X, y, flips, cv)
        slow = min(SAMPLE, len(flips)) / (time.process_time() - start)
        line += f"{slow:10,.1f}{kernel / slow:10,.0f}x{whole / slow:8,.0f}x"
    else:
        line += f"   ({X.shape[0] * kernel / 1e6:,.0f} million rows a second)"
    print(line, flush=True)


def main():
    header = f"{'learner':14}{'flips':9}{'base':>5}  {'loss':9}{'inside':>10}{'losses()':>10}"
    header += f"{'refit':>10}{'ratio':>11}{'ratio':>9}"
    X, y = digits_shape()
    levels = np.clip(np.rint(2 * X) + 6, 0, 12)
    some, most = frozenset(range(20)), frozenset(range(240))
    print("2000 x 240, 10 classes, five folds: evaluations a second\n" + header)
    for base, what in ((frozenset(), "forward"), (some, "forward"), (most, "backward")):
        report(GaussianNBEvaluator, GaussianNB(), X, y, base, what)
    report(GaussianNBEvaluator, GaussianNB(), X, y, some, "forward", loss=Loss.LOG)
    report(DiscreteNBEvaluator, BernoulliNB(), X, y, some, "forward")
    report(DiscreteNBEvaluator, CategoricalNB(min_categories=13), levels, y, some, "forward")
    report(GaussianNBEvaluator, GaussianNB(), X[:1000], y[:1000], some, "forward", cv="loo")
    X, y = adverts_shape()
    most = frozenset(range(1558))
    print("\n3279 x 1558, binary, 2 classes, five folds: evaluations a second\n" + header)
    for base, what in ((some, "forward"), (most, "backward")):
        report(DiscreteNBEvaluator, BernoulliNB(), X, y, base, what)
        report(GaussianNBEvaluator, GaussianNB(), X, y, base, what)
    report(DiscreteNBEvaluator, BernoulliNB(), X, y, some, "forward", loss=Loss.LOG)
    report(DiscreteNBEvaluator, BernoulliNB(), X[:1000], y[:1000], some, "forward", cv="loo")


if __name__ == "__main__":
    main()
