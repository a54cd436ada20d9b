"""Rows set aside to find out where along its way a search began to overfit."""

from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit, StratifiedShuffleSplit

from thresher.evaluators import Evaluator, Fold, Folds, make_folds, with_folds
from thresher.races import mean_losses, standard_error
from thresher.run import Run

__all__ = ["best_on_the_way", "check_weights", "rows_to_hold_out", "without_rows"]

IntArray = NDArray[np.intp]


def rows_to_hold_out(
    y: NDArray[Any], share: float, *, classifier: bool, groups: Any, seed: int
) -> IntArray:
    """Draw rows at random, as many of each class as there should be, groups whole."""
    n_rows = len(y)
    if groups is not None:
        splitter: Any = GroupShuffleSplit(1, test_size=share, random_state=seed)
    elif classifier and np.unique(y, return_counts=True)[1].min() >= 2 / min(share, 1 - share):
        splitter = StratifiedShuffleSplit(1, test_size=share, random_state=seed)
    else:
        splitter = ShuffleSplit(1, test_size=share, random_state=seed)
    _, held = next(splitter.split(np.zeros(n_rows), y, groups))
    return np.sort(held).astype(np.intp)


def check_weights(weights: NDArray[np.float64] | None, held: IntArray) -> None:
    """Refuse rows to hold out that all count nothing, and those beside which nothing counts."""
    if weights is None:
        return
    others = np.delete(weights, held)
    for these, where in ((weights[held], "that holdout sets aside"), (others, "beside holdout")):
        if not these.any():
            raise ValueError(f"sample_weight is zero for all {len(these)} rows {where}")


def without_rows(
    cv: Any, folds: Folds, y: NDArray[Any], held: IntArray, *, classifier: bool, groups: Any
) -> Folds:
    """Folds over the rows that are not held out.

    They are made anew, unless ``cv`` lists rows: then they are the ``folds`` made of it before,
    less the rows held out.
    """
    if folds.leave_one_out:
        cv = "loo"
    elif not isinstance(cv, Integral) and not hasattr(cv, "split"):
        return _restricted(folds, held)
    rest = np.setdiff1d(np.arange(len(y)), held)
    inner = make_folds(
        cv, y[rest], classifier=classifier, groups=None if groups is None else groups[rest]
    )
    if inner.leave_one_out:
        everyone = [(np.delete(rest, i), rest[i : i + 1]) for i in range(len(rest))]
        return make_folds(everyone, y, classifier=classifier)
    mapped = [
        Fold(fold.index, None if fold.train is None else rest[fold.train], rest[fold.test])
        for fold in inner
    ]
    return Folds(tuple(mapped), len(y))


def _restricted(folds: Folds, held: IntArray) -> Folds:
    left = [
        (np.setdiff1d(fold.train, held), np.setdiff1d(fold.test, held))
        for fold in folds
        if fold.train is not None
    ]
    for f, (train, test) in enumerate(left):
        if not len(train) or not len(test):
            raise ValueError(
                f"holdout leaves fold {f} of cv no {'test' if len(train) else 'training'} rows"
            )
    return make_folds(left, np.empty(folds.n_rows), classifier=False)


def best_on_the_way(result: Run, evaluator: Evaluator, held: IntArray) -> Run:
    """Go back to the subset that does best on the rows held out.

    The smallest one is taken whose loss there is within one standard error of the lowest: the way
    leads from large to small subsets, and chance differences should not turn it around.
    """
    way = [step.winner for step in result.steps if step.accepted and step.winner]
    if result.subset not in way:
        way.append(result.subset)
    rest = np.setdiff1d(np.arange(evaluator.problem.folds.n_rows), held)
    judge = with_folds(evaluator, Folds((Fold(0, rest, held),), len(rest) + len(held)))
    losses = judge.losses(way)
    means = mean_losses(losses, judge.weights)
    best = int(np.flatnonzero(means == means.min())[-1])
    gaps = losses - losses[best]
    close = mean_losses(gaps, judge.weights) <= [standard_error(g, judge.weights) for g in gaps]
    chosen = int(np.flatnonzero(close)[-1])
    return replace(
        result,
        subset=way[chosen],
        evaluations=result.evaluations + len(way),
        losses=result.losses + judge.n_losses,
        fits=result.fits + judge.n_fits,
    )
