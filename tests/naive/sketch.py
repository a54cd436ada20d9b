"""What a sketch of quantiles keeps of a column, by lists."""

from collections import Counter


def points(values, n_distinct, part):
    """Return the pairs (value, how many rows it stands for) that are kept, in ascending order.

    The first ``n_distinct`` values that differ are counted until yet another one comes; what comes
    from then on is sorted by ``part`` at a time and thinned out.
    """
    kept = Counter()
    rest = list(values)
    while rest and (rest[0] in kept or len(kept) < n_distinct):
        kept[rest.pop(0)] += 1
    runs, odd, odd_part = {}, Counter(), 0
    while len(rest) >= part:
        carry, rest = sorted(rest[:part])[odd_part::2], rest[part:]
        odd_part = 1 - odd_part
        level = 0
        while level in runs:
            carry = sorted(runs.pop(level) + carry)[odd[level] % 2 :: 2]
            odd[level] += 1
            level += 1
        runs[level] = carry
    for level, run in runs.items():
        for value in run:
            kept[value] += 2 ** (level + 1)
    kept.update(rest)
    return sorted(kept.items())
