"""Oblivious trees in plain Python: a dictionary of leaves, and loops.

Rows are tuples of cells: numbers, strings, or None where a cell is missing. Distances are fractions
of whole numbers, rounded as the learner rounds them.
"""

from fractions import Fraction

WHOLE = 2**20


def ranges(rows):
    """Smallest and largest known number of each column; None for columns of strings."""
    found = []
    for cells in zip(*rows, strict=True):
        known = [cell for cell in cells if cell is not None]
        numbers = [cell for cell in known if not isinstance(cell, str)]
        found.append((min(numbers), max(numbers)) if numbers else None)
    return found


def column_distance(trained, asked, span):
    """Distance of two cells, in parts of WHOLE."""
    if trained is None or asked is None:
        return WHOLE
    if isinstance(trained, str):
        return 0 if trained == asked else WHOLE
    low, high = span
    if low == high:
        return 0
    a, b = (Fraction(min(max(cell, low), high)) for cell in (trained, asked))
    share = abs(a - b) / (Fraction(high) - Fraction(low))
    return int(share * WHOLE + Fraction(1, 2))


def distance(trained, asked, spans):
    return sum(column_distance(*cells) for cells in zip(trained, asked, spans, strict=True))


def nearest_targets(rows, targets, asked):
    """Targets of all training rows in the nearest leaves."""
    leaves = {}
    for row, target in zip(rows, targets, strict=True):
        leaves.setdefault(row, []).append(target)
    spans = ranges(rows)
    distances = {leaf: distance(leaf, asked, spans) for leaf in leaves}
    least = min(distances.values())
    return [t for leaf, members in leaves.items() if distances[leaf] == least for t in members]


def predict_class(rows, targets, asked):
    """Most votes; of equals the more frequent class, then the first."""
    votes = nearest_targets(rows, targets, asked)
    classes = sorted(set(targets))
    return min(classes, key=lambda c: (-votes.count(c), -targets.count(c), c))


def probabilities(rows, targets, asked, classes):
    votes = nearest_targets(rows, targets, asked)
    return [votes.count(c) / len(votes) for c in classes]


def predict_number(rows, targets, asked):
    near = nearest_targets(rows, targets, asked)
    return sum(near) / len(near)


def parts(rows, columns):
    return [tuple(row[c] for c in columns) for row in rows]


def errors(rows, targets, columns):
    """Leave-one-out errors of the tree over some columns."""
    cut = parts(rows, columns)
    return sum(
        predict_class(cut[:i] + cut[i + 1 :], targets[:i] + targets[i + 1 :], cut[i]) != targets[i]
        for i in range(len(cut))
    )


def eliminate(rows, targets, *, to_the_end=False):
    """Remove the first column without which there are the fewest errors, while there are no more.

    Returns a list of (columns, errors), from all columns to the last subset.
    """
    columns = list(range(len(rows[0])))
    steps = [(tuple(columns), errors(rows, targets, columns))]
    while len(columns) > 1:
        left = [[c for c in columns if c != gone] for gone in columns]
        counts = [errors(rows, targets, some) for some in left]
        best = counts.index(min(counts))
        if counts[best] > steps[-1][1] and not to_the_end:
            break
        columns = left[best]
        steps.append((tuple(columns), counts[best]))
    return steps
