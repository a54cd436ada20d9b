"""ReliefF and RReliefF in plain Python: row by row, neighbour by neighbour, column by column.

Tables are lists of columns. A column is a list of numbers or level codes, None where missing;
``n_levels`` says how many levels each column has, 0 if it holds numbers.
"""

import math


def scaled(column):
    """Numbers from 0 to 1, by their range; 0 where all are the same."""
    known = [value for value in column if value is not None]
    if not known or max(known) == min(known):
        return [None if value is None else 0.0 for value in column]
    low, high = min(known), max(known)
    return [None if value is None else (value - low) / (high - low) for value in column]


def difference(a, b, n_levels):
    """How much two cells differ, from 0 to 1."""
    if n_levels > 0:
        if a is None or b is None:
            return 1.0 - 1.0 / n_levels
        return 0.0 if a == b else 1.0
    if a is None and b is None:
        return 1.0
    if a is None or b is None:
        known = b if a is None else a
        return max(known, 1.0 - known)
    return abs(a - b)


def nearest(distances, rows, k):
    """The k nearest of some rows, nearest first: (distance, row).

    Rows come one by one. The first k get a slot each; a later one takes the slot of the farthest,
    the first such slot, if it is nearer.
    """
    slots = []
    for row in rows:
        if len(slots) < k:
            slots.append((distances[row], row))
            continue
        worst = max(distance for distance, _ in slots)
        if distances[row] < worst:
            at = [distance for distance, _ in slots].index(worst)
            slots[at] = (distances[row], row)
    quicksort(slots, 0, len(slots) - 1)
    return slots


def quicksort(slots, left, right):
    """Sort (distance, row) by distance, with the median of three as pivot, as WEKA does.

    The order that equals end up in is that of this very procedure.
    """

    def order(a, b):
        if slots[a][0] > slots[b][0]:
            slots[a], slots[b] = slots[b], slots[a]

    if left >= right:
        return
    centre = (left + right) // 2
    order(left, centre)
    order(left, right)
    order(centre, right)
    if right - left <= 2:
        return
    slots[centre], slots[right - 1] = slots[right - 1], slots[centre]
    pivot = slots[right - 1][0]
    low, high = left, right - 1
    while True:
        low += 1
        while slots[low][0] < pivot:
            low += 1
        high -= 1
        while slots[high][0] > pivot:
            high -= 1
        if low >= high:
            break
        slots[low], slots[high] = slots[high], slots[low]
    slots[low], slots[right - 1] = slots[right - 1], slots[low]
    quicksort(slots, left, low - 1)
    quicksort(slots, low + 1, right)


def rank_weights(n, sigma):
    """Weights of n neighbours, nearest first, that sum to 1."""
    raw = [1.0 if sigma is None else math.exp(-((rank / sigma) ** 2)) for rank in range(n)]
    return [weight / sum(raw) for weight in raw]


def relief(columns, n_levels, target, n_classes, *, k, sigma=None, queries=None):
    """Weights of all columns; a target with ``n_classes`` 0 is numeric."""
    n_rows = len(target)
    columns = [
        column if levels else scaled(column)
        for column, levels in zip(columns, n_levels, strict=True)
    ]
    queries = range(n_rows) if queries is None else queries
    pairs = {}  # differences of all columns between two rows
    for i in set(queries):
        for j in range(n_rows):
            pairs[i, j] = [
                difference(column[i], column[j], levels)
                for column, levels in zip(columns, n_levels, strict=True)
            ]
    if n_classes:
        return _of_classes(pairs, target, n_classes, k, sigma, queries)
    return _of_numbers(pairs, target, k, sigma, queries)


def _distances(pairs, i, n_rows):
    totals = []
    for j in range(n_rows):
        total = 0.0  # sum() would add more precisely, and break ties
        for d in pairs[i, j]:
            total += d
        totals.append(total)
    return totals


def _of_classes(pairs, target, n_classes, k, sigma, queries):
    n_rows, n_columns = len(target), len(next(iter(pairs.values())))
    share = [list(target).count(c) / n_rows for c in range(n_classes)]
    weights = [0.0] * n_columns
    for i in queries:
        distances = _distances(pairs, i, n_rows)
        for c in range(n_classes):
            rows = [j for j in range(n_rows) if j != i and target[j] == c]
            found = nearest(distances, rows, k)
            sign = -1.0 if c == target[i] else share[c] / (1.0 - share[target[i]])
            for (_, j), weight in zip(found, rank_weights(len(found), sigma), strict=True):
                for a in range(n_columns):
                    weights[a] += sign * weight * pairs[i, j][a] / len(queries)
    return weights


def _of_numbers(pairs, target, k, sigma, queries):
    n_rows, n_columns = len(target), len(next(iter(pairs.values())))
    spread = max(target) - min(target)
    if spread == 0:
        return [0.0] * n_columns
    ndc, nda, ndcda = 0.0, [0.0] * n_columns, [0.0] * n_columns
    for i in queries:
        rows = [j for j in range(n_rows) if j != i]
        found = nearest(_distances(pairs, i, n_rows), rows, k)
        for (_, j), weight in zip(found, rank_weights(len(found), sigma), strict=True):
            dc = abs(target[i] - target[j]) / spread
            ndc += dc * weight
            for a in range(n_columns):
                nda[a] += pairs[i, j][a] * weight
                ndcda[a] += dc * pairs[i, j][a] * weight
    same = len(queries) - ndc
    return [
        (ndcda[a] / ndc if ndc > 1e-9 else 0.0)
        - ((nda[a] - ndcda[a]) / same if same > 1e-9 else 0.0)
        for a in range(n_columns)
    ]
