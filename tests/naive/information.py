"""Slow, obvious twins of cuts by description length, and of entropies with missing cells."""

import math
from collections import Counter, defaultdict


def entropy(counts):
    """Bits per row of a list of counts, which need not be whole."""
    total = sum(counts)
    return -sum(c / total * math.log2(c / total) for c in counts if c > 0)


def class_entropy(classes):
    return entropy(list(Counter(classes).values())) if classes else 0.0


def mdl_cuts(values, classes):
    """Cut points of Fayyad and Irani; NaN is missing."""
    rows = sorted((v, c) for v, c in zip(values, classes, strict=True) if not math.isnan(v))
    return sorted(_cut(rows))


def _cut(rows):
    best = None
    for i in range(1, len(rows)):
        if rows[i - 1][0] == rows[i][0]:
            continue
        sides = [c for _, c in rows[:i]], [c for _, c in rows[i:]]
        left = sum(len(side) / len(rows) * class_entropy(side) for side in sides)
        if best is None or left < best[0] - 1e-12:
            best = left, i
    whole = [c for _, c in rows]
    if best is None or not class_entropy(whole) > best[0] + 1e-12:
        return []
    cut = best[1]
    if not _is_worth_it(whole, whole[:cut], whole[cut:]):
        return []
    below, above = rows[cut - 1][0], rows[cut][0]
    middle = below / 2 + above / 2
    edge = middle if middle < above else below
    return [edge, *_cut(rows[:cut]), *_cut(rows[cut:])]


def _is_worth_it(whole, one, two):
    n, k, k1, k2 = len(whole), len(set(whole)), len(set(one)), len(set(two))
    h, h1, h2 = class_entropy(whole), class_entropy(one), class_entropy(two)
    gain = h - len(one) / n * h1 - len(two) / n * h2
    return gain > (math.log2(n - 1) + math.log2(3**k - 2) - (k * h - k1 * h1 - k2 * h2)) / n


def entropies(one, other):
    """Entropy of one column of levels, of another, and of both; missing (-1) is spread."""
    cells = _spread(Counter(zip(one, other, strict=True)))
    if not cells:
        return 0.0, 0.0, 0.0
    first, second = defaultdict(float), defaultdict(float)
    for (a, b), share in cells.items():
        first[a] += share
        second[b] += share
    return tuple(entropy(list(counts.values())) for counts in (first, second, cells))


def _spread(pairs):
    """Spread the rows in which one or both are missing over the pairs of levels."""
    # proportions are those before anything was spread: of each column where it is known itself,
    # and of pairs where both are
    first, second = Counter(), Counter()
    for (a, b), n in pairs.items():
        first[a] += n * (a >= 0)
        second[b] += n * (b >= 0)
    levels = [a for a in first if a >= 0], [b for b in second if b >= 0]
    known = {(a, b): pairs[a, b] for a in levels[0] for b in levels[1] if pairs[a, b]}
    cells = defaultdict(float, known)
    for a in levels[0]:
        for b in levels[1]:
            cells[a, b] += pairs[-1, b] * first[a] / sum(first.values())
            cells[a, b] += pairs[a, -1] * second[b] / sum(second.values())
    if known:
        for pair, n in known.items():
            cells[pair] += pairs[-1, -1] * n / sum(known.values())
    return {pair: share for pair, share in cells.items() if share > 0}


def symmetrical_uncertainty(one, other):
    first, second, both = entropies(one, other)
    whole = first + second
    return 2 * max(0.0, whole - both) / whole if whole > 1e-12 else 0.0


def fcbf(scores, pair, threshold=0.0):
    """Yu and Liu's filter by its definition: columns in order, each checked against all kept ones.

    ``pair(i, j)`` is the symmetrical uncertainty of two columns.
    """
    order = sorted(range(len(scores)), key=lambda j: -scores[j])
    kept = []
    for j in order:
        if scores[j] > threshold and not any(pair(i, j) >= scores[j] for i in kept):
            kept.append(j)
    return kept


def merit(subset, with_target, pair):
    """Hall's merit of a subset of columns."""
    members = sorted(subset)
    within = len(members) + 2 * sum(pair(i, j) for i in members for j in members if i < j)
    return sum(with_target[j] for j in members) / math.sqrt(within) if members else 0.0
