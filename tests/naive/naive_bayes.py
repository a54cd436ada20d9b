"""Naive Bayes in plain loops: one model, one row and one class at a time."""

import math

import numpy as np


def gaussian_scores(X, y, row, n_classes, priors=None, var_smoothing=1e-9):
    """Joint log likelihood of one row under each class; -inf for classes not in ``y``."""
    epsilon = var_smoothing * max(_variance(X[:, j]) for j in range(X.shape[1]))
    scores = []
    for c in range(n_classes):
        members = X[y == c]
        if len(members) == 0:
            scores.append(-math.inf)
            continue
        prior = len(members) / len(y) if priors is None else priors[c]
        score = math.log(prior) if prior > 0 else -math.inf
        for j in range(X.shape[1]):
            variance = _variance(members[:, j]) + epsilon
            if variance == 0.0:
                score = math.nan
                continue
            distance = row[j] - _mean(members[:, j])
            score -= 0.5 * (math.log(2.0 * math.pi * variance) + distance**2 / variance)
        scores.append(score)
    return np.array(scores)


def bernoulli_scores(X, y, row, n_classes, alpha=1.0, priors=None):
    """Do the same for columns of zeros and ones."""
    scores = []
    for c in range(n_classes):
        members = X[y == c]
        score = _log_prior(y, c, n_classes, priors)
        for j in range(X.shape[1]):
            one = (members[:, j].sum() + alpha) / (len(members) + 2.0 * alpha)
            score += math.log(one if row[j] else 1.0 - one)
        scores.append(score)
    return np.array(scores)


def categorical_scores(X, y, row, n_classes, alpha=1.0, priors=None, min_categories=1):
    """Do the same for columns of levels 0, 1, ...; a level higher than any in ``X`` has count 0."""
    scores = []
    for c in range(n_classes):
        members = X[y == c]
        score = _log_prior(y, c, n_classes, priors)
        for j in range(X.shape[1]):
            n_levels = max(int(X[:, j].max()) + 1, min_categories)
            count = sum(1 for cell in members[:, j] if cell == row[j])
            score += math.log((count + alpha) / (len(members) + alpha * n_levels))
        scores.append(score)
    return np.array(scores)


def m_estimate_scores(X, y, row, n_classes, m=1.0, prior="frequency"):
    """Do the same with m-estimates; missing cells, NaN, are skipped. All columns are levels."""
    present = sum(1 for c in range(n_classes) if (y == c).any())
    scores = []
    for c in range(n_classes):
        members = X[y == c]
        if len(members) == 0:
            scores.append(-math.inf)
            continue
        more = {"frequency": 0, "laplace": 1, "uniform": 0}[prior]
        share = (len(members) + more) / (len(y) + more * present)
        score = math.log(1 / present if prior == "uniform" else share)
        for j in range(X.shape[1]):
            known = sorted({cell for cell in X[:, j] if not math.isnan(cell)})
            if math.isnan(row[j]) or not known:
                continue
            level = min(known, key=lambda value: abs(value - row[j]))
            size = len(known) if m == "levels" else m
            count = sum(1 for cell in members[:, j] if cell == level)
            total = sum(1 for cell in members[:, j] if not math.isnan(cell))
            p = (count + size / len(known)) / (total + size) if total + size else 1 / len(known)
            score += math.log(p) if p else -math.inf
        scores.append(score)
    return np.array(scores)


def loss_of_scores(loss, scores, truth):
    """Loss of one row: "zero_one", "log" or "brier"."""
    undefined = [c for c, score in enumerate(scores) if math.isnan(score)]
    if undefined:
        return float(undefined[0] != truth) if loss == "zero_one" else math.nan
    best = max(range(len(scores)), key=lambda c: scores[c])
    if loss == "zero_one":
        return float(best != truth)
    odds = [math.exp(score - scores[best]) for score in scores]
    probability = [odd / sum(odds) for odd in odds]
    if loss == "log":
        eps = np.finfo(np.float64).eps
        return -math.log(min(max(probability[truth], eps), 1.0 - eps))
    squares = sum((p - (c == truth)) ** 2 for c, p in enumerate(probability))
    return squares / 2.0 if len(scores) == 2 else squares


def _log_prior(y, c, n_classes, priors):
    if priors is not None:
        return math.log(priors[c])
    count = int((y == c).sum())
    return math.log(count / len(y)) if count else -math.inf


def _mean(values):
    return math.fsum(values) / len(values)


def _variance(values):
    mean = _mean(values)
    return math.fsum((value - mean) ** 2 for value in values) / len(values)
