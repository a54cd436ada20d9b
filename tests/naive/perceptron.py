"""Thermal and pocket perceptrons in plain Python, one row at a time.

Learning blows up the smallest difference, so sums are taken in the order in which the kernels take
them; otherwise nothing could be compared after a few steps.
"""

import math

MASK = 2**64 - 1


class Draws:
    """Whole numbers from splitmix64, with Python's unlimited integers."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        z ^= z >> 31
        return ((z >> 32) * n) >> 32

    def shuffle(self, items):
        for i in range(len(items)):
            k = i + self.below(len(items) - i)
            items[i], items[k] = items[k], items[i]


def scales_of(table):
    """Mean and two standard deviations of each column."""
    scales = []
    for column in zip(*table, strict=True):
        lowest, n = min(column), len(column)
        span = max(column) - lowest or 1.0
        shares = [(x - lowest) / span for x in column]
        mean = total(shares) / n
        variance = total([(share - mean) * (share - mean) for share in shares]) / n
        scales.append((lowest + mean * span, 2.0 * math.sqrt(variance) * span))
    return scales


def total(numbers):
    """Plain sum; the built-in one compensates for rounding in some versions of Python."""
    result = 0.0
    for number in numbers:
        result += number
    return result


def scaled(table, scales):
    """Scaled inputs, and a 1 for the intercept."""
    return [
        [(x - m) / s if s > 0.0 else 0.0 for x, (m, s) in zip(row, scales, strict=True)] + [1.0]
        for row in table
    ]


def weighted_sum(weights, row):
    """Sum of products, in four parts."""
    parts = [0.0] * 4
    for k, (w, x) in enumerate(zip(weights, row, strict=True)):
        parts[k % 4] += w * x
    return (parts[0] + parts[1]) + (parts[2] + parts[3])


def moved(weights, row, step):
    return [w + step * x for w, x in zip(weights, row, strict=True)]


def thermal(rows, sides, draws, *, temperature, decay, final_temperature, learning_rate, shuffle):
    """All epochs, also those after which nothing changes any more."""
    length = total([weighted_sum(row, row) / len(rows) for row in rows])
    weights = [0.0] * len(rows[0])
    order = list(range(len(rows)))
    now, n_epochs = temperature, 0
    while now >= final_temperature:
        if shuffle:
            draws.shuffle(order)
        for i in order:
            phi = weighted_sum(weights, rows[i])
            if phi * sides[i] <= 0.0 and abs(phi) / now <= 20.0:
                size = learning_rate * 10.0 / length * (now / temperature)
                weights = moved(weights, rows[i], sides[i] * size * math.exp(-abs(phi) / now))
        now *= decay
        n_epochs += 1
    return weights, n_epochs


def pocket(rows, sides, draws, *, n_epochs, ratchet):
    """All visits, with a count of the right rows whenever a run is the longest."""
    weights = [0.0] * len(rows[0])
    kept, longest, most, run = None, 0, 0, 0
    for _ in range(n_epochs * len(rows)):
        i = draws.below(len(rows))
        if weighted_sum(weights, rows[i]) * sides[i] <= 0.0:
            weights = moved(weights, rows[i], sides[i])
            run = 0
            continue
        run += 1
        if run > longest:
            right = sum(
                weighted_sum(weights, row) * side > 0.0
                for row, side in zip(rows, sides, strict=True)
            )
            if not ratchet or right > most or weights == kept:
                kept, longest, most = weights, run, right
    return weights if kept is None else kept


def fitted(table, labels, seed, train):
    """Scales, classes and one list of weights per plane, these divided by their length."""
    scales, classes = scales_of(table), sorted(set(labels))
    rows = scaled(table, scales)
    planes = []
    for m, positive in enumerate(classes if len(classes) > 2 else classes[1:]):
        sides = [1.0 if label == positive else -1.0 for label in labels]
        weights = train(rows, sides, Draws(int(seed) + (m << 32)))
        length = math.sqrt(weighted_sum(weights, weights))
        planes.append([w / length for w in weights])
    return scales, classes, planes


def decisions(model, table):
    scales, _, planes = model
    return [[weighted_sum(plane, row) for plane in planes] for row in scaled(table, scales)]


def predicted(model, table):
    classes = model[1]
    found = []
    for sums in decisions(model, table):
        best = int(sums[0] > 0.0) if len(sums) == 1 else sums.index(max(sums))
        found.append(classes[best])
    return found
