"""Nearest neighbours in plain Python: sort all distances, take the first, let them vote."""

import math

ZERO_ONE, LOG, BRIER, ABSOLUTE, SQUARED = range(5)
EPS = 2.0**-52


def summed_distance(one, other, *, manhattan):
    """Sum of absolute or squared differences, column after column."""
    total = 0.0
    for a, b in zip(one, other, strict=True):
        total += abs(a - b) if manhattan else (a - b) ** 2
    return total


def ranked(train, row, *, manhattan):
    """(distance, position) of all training rows; of equal distances, the first position leads."""
    return sorted(
        (summed_distance(other, row, manhattan=manhattan), position)
        for position, other in enumerate(train)
    )


def neighbour_weights(distances, *, manhattan, by_distance):
    """One each, or the inverse distances; neighbours at distance 0 count alone."""
    if not by_distance:
        return [1.0] * len(distances)
    if 0.0 in distances:
        return [1.0 if distance == 0.0 else 0.0 for distance in distances]
    return [1.0 / (distance if manhattan else math.sqrt(distance)) for distance in distances]


def row_loss(train, target, row, truth, rule):
    """Loss of predicting one row from training rows (lists of numbers) under a kernel's rule."""
    nearest = ranked(train, row, manhattan=rule.manhattan)[: rule.n_neighbours]
    weights = neighbour_weights(
        [distance for distance, _ in nearest],
        manhattan=rule.manhattan,
        by_distance=rule.by_distance,
    )
    labels = [target[position] for _, position in nearest]
    if rule.n_classes == 0:
        total = sum(weight * label for weight, label in zip(weights, labels, strict=True))
        error = total / sum(weights) - truth
        return abs(error) if rule.loss == ABSOLUTE else error**2
    votes = [0.0] * rule.n_classes
    for weight, label in zip(weights, labels, strict=True):
        votes[int(label)] += weight
    if rule.loss == ZERO_ONE:
        return 0.0 if votes.index(max(votes)) == truth else 1.0
    probability = [vote / sum(votes) for vote in votes]
    if rule.loss == LOG:
        return -math.log(min(max(probability[int(truth)], EPS), 1.0 - EPS))
    squares = sum((p - (c == truth)) ** 2 for c, p in enumerate(probability))
    return squares / 2 if rule.n_classes == 2 else squares


def subset_losses(table, target, tested, truth, own, subsets, rule):
    """Do what the kernel of the same name does, for subsets given as lists of columns."""
    losses = []
    for columns in subsets:
        losses.append([])
        for row, true, skipped in zip(tested, truth, own, strict=True):
            kept = [j for j in range(len(target)) if j != skipped]
            train = [[float(table[c][j]) for c in columns] for j in kept]
            labels = [float(target[j]) for j in kept]
            point = [float(row[c]) for c in columns]
            losses[-1].append(row_loss(train, labels, point, true, rule))
    return losses
