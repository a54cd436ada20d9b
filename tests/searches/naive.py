"""Mean held-out losses, and searches over them, in plain loops."""

from itertools import product

import numpy as np
from sklearn.model_selection import KFold


def neighbours_loss(X, y, k=3):
    """Mean squared error of k nearest neighbours, leaving one row out, for any subset."""

    def loss(subset):
        columns = X[:, sorted(subset)]
        distances = ((columns[:, None] - columns[None]) ** 2).sum(axis=2)
        np.fill_diagonal(distances, np.inf)
        nearest = np.argsort(distances, axis=1)[:, :k]
        return float(np.mean((y[nearest].mean(axis=1) - y) ** 2))

    return remembered(loss)


def linear_loss(X, y, n_folds=5):
    """Mean squared error of least squares over folds, for any subset."""

    def loss(subset):
        columns = np.column_stack([np.ones(len(y)), X[:, sorted(subset)]])
        predicted = np.empty(len(y))
        for train, test in KFold(n_folds).split(X):
            predicted[test] = columns[test] @ np.linalg.lstsq(columns[train], y[train])[0]
        return float(np.mean((predicted - y) ** 2))

    return remembered(loss)


def remembered(loss):
    known = {}

    def ask(subset):
        if subset not in known:
            known[subset] = loss(subset)
        return known[subset]

    return ask


def hill_climbing(loss, n_variables, current, required=()):
    """Subsets that are passed through when the best flip is made, again and again."""
    path = []
    while True:
        flips = [current ^ {v} for v in range(n_variables) if v not in required]
        best = min((subset for subset in flips if subset), key=loss)
        if current and not loss(best) < loss(current):
            return path
        current = best
        path.append(current)


def gauss_seidel(loss, n_variables, current, required=()):
    """Subsets that are passed through when each flip that pays is made at once."""
    path, n_vain, v = [], 0, 0
    while n_vain < n_variables:
        flipped = current ^ {v}
        better = v not in required and flipped and (not current or loss(flipped) < loss(current))
        if better:
            current = flipped
            path.append(current)
        n_vain = 0 if better else n_vain + 1
        v = (v + 1) % n_variables
    return path


def schemata(loss, n_variables, required=()):
    """Variables in the order in which they are decided, each with whether it is in."""
    on = set(required)
    free = [v for v in range(n_variables) if v not in on]
    decided = []
    while free:
        sides = {v: ([], []) for v in free}
        for choice in product((0, 1), repeat=len(free)):
            subset = frozenset(on | {v for v, chosen in zip(free, choice, strict=True) if chosen})
            if subset:
                for v, chosen in zip(free, choice, strict=True):
                    sides[v][chosen].append(loss(subset))
        if len(free) == 1 and not on:
            clearest, is_in = free[0], True
        else:
            effects = {v: np.mean(sides[v][1]) - np.mean(sides[v][0]) for v in free}
            clearest = max(free, key=lambda v: abs(effects[v]))
            is_in = bool(effects[clearest] < 0)
        decided.append((clearest, is_in))
        free.remove(clearest)
        if is_in:
            on.add(clearest)
    return decided
