"""Trees in plain numpy: every cut is tried by dividing the rows themselves.

A split is a list ``left`` with the side of each code: True, False, or None for codes without rows.
Of gains that are equal but for rounding, the first counts.
"""

import itertools

import numpy as np
from scipy.special import expit, softmax

FEW_LEVELS = 6
MASK = 2**64 - 1


class Draws:
    """The random numbers of the kernels: splitmix64, as in Java's SplittableRandom."""

    def __init__(self, seed):
        self.state = int(seed)

    def below(self, n):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        z ^= z >> 31
        return ((z >> 32) * n) >> 32

    def shuffle_first(self, items, n_first):
        for i in range(n_first):
            k = i + self.below(len(items) - i)
            items[i], items[k] = items[k], items[i]


def exceeds(gain, best):
    """Whether a gain is larger by more than rounding."""
    return gain > 1e-12 and gain > best * (1.0 + 1e-9)


# --- gains ----------------------------------------------------------------------------------------


def difference(goes_left, y, w):
    """Mean of the outputs on the left minus that on the right; None if a side is empty."""
    if w[goes_left].sum() <= 0.0 or w[~goes_left].sum() <= 0.0:
        return None
    means = [np.average(y[side], axis=0, weights=w[side]) for side in (goes_left, ~goes_left)]
    return means[0] - means[1]


def between(goes_left, y, w):
    """Weighted sum of squared distances of the two sides' means from the mean of all."""
    mean = np.average(y, axis=0, weights=w)
    total = 0.0
    for side in (goes_left, ~goes_left):
        if w[side].sum() > 0.0:
            own = np.average(y[side], axis=0, weights=w[side])
            total += w[side].sum() * ((own - mean) ** 2).sum()
    return total


def signed_gain(left_in, y_in, w_in, left_out, y_out, w_out):
    """Sum of squares between the sides out of the bag, along the difference in the bag."""
    direction = difference(left_in, y_in, w_in)
    out = difference(left_out, y_out, w_out)
    if direction is None or out is None or np.allclose(direction, 0.0, atol=1e-12):
        return 0.0
    along = out @ direction / np.linalg.norm(direction)
    balance = w_out[left_out].sum() * w_out[~left_out].sum() / w_out.sum()
    return np.sign(along) * along**2 * balance


# --- cuts -----------------------------------------------------------------------------------------


def ordered_splits(n_bins, *, missing):
    """All thresholds; with missing cells also with these on the left, and these on the right."""
    for cut in range(n_bins if missing else n_bins - 1):
        yield [b <= cut for b in range(n_bins)] + [False if missing else None]
    if missing:
        for cut in range(n_bins - 1):
            yield [b <= cut for b in range(n_bins)] + [True]


def all_divisions(levels, n_codes):
    """All divisions of levels in two; the last one stays right."""
    for sides in itertools.product([False, True], repeat=len(levels) - 1):
        side_of = dict(zip(levels, [*sides[::-1], False], strict=True))
        yield [side_of.get(b) for b in range(n_codes)]


def divisions_by_output(levels, n_codes, codes, y, w):
    """Divisions of levels in the order of their means, for each output."""
    for k in range(y.shape[1]):
        mean = {b: np.average(y[codes == b, k], weights=w[codes == b]) for b in levels}
        order = sorted(levels, key=lambda b: (mean[b], b))
        for i in range(1, len(order)):
            yield [(b in order[:i]) if b in levels else None for b in range(n_codes)]


def possible_splits(codes, n_bins, categorical, y, w):
    """Every split that the kernels consider for a column."""
    present = sorted(int(b) for b in set(codes[w > 0.0]))
    if not categorical:
        return ordered_splits(n_bins, missing=n_bins in present)
    if len(present) < 2:
        return []
    if y.shape[1] > 1 and len(present) <= FEW_LEVELS:
        return all_divisions(present, n_bins + 1)
    return divisions_by_output(present, n_bins + 1, codes, y, w)


def best_cut(codes, n_bins, categorical, y, w, min_leaf):
    """The split with the largest sum of squares between its sides, and that; None if none gains."""
    best, best_left = 0.0, None
    for left in possible_splits(codes, n_bins, categorical, y, w):
        goes_left = np.array([bool(left[b]) for b in codes])
        if min(w[goes_left].sum(), w[~goes_left].sum()) < min_leaf:
            continue
        gain = between(goes_left, y, w)
        if exceeds(gain, best):
            best, best_left = gain, list(left)
    if best_left is None:
        return 0.0, None
    goes_left = np.array([bool(best_left[b]) for b in codes])
    heavier = w[goes_left].sum() > w[~goes_left].sum()
    return best, [heavier if side is None else side for side in best_left]


def best_split(codes, n_bins, categorical, slots, y, w, permutation, rows_in, rows_out, min_leaf):
    """The slot that gains most out of the bag, with its split: (gain, slot, left)."""
    n_columns = len(codes)
    best, best_slot, best_left = 0.0, -1, None
    for slot in slots:
        column = slot % n_columns
        own = codes[column] if slot < n_columns else codes[column][permutation]
        # a column of 0 and 1 has but one split, whether these are levels or not
        has_levels = categorical[column] and not (n_bins[column] == 2 and own.max() < 2)
        left = best_cut(own[rows_in], n_bins[column], has_levels, y[rows_in], w[rows_in], min_leaf)[
            1
        ]
        if left is None:
            continue
        goes_left = np.array([left[code] for code in own], dtype=bool)
        gain = signed_gain(
            goes_left[rows_in], y[rows_in], w[rows_in],
            goes_left[rows_out], y[rows_out], w[rows_out],
        )  # fmt: skip
        if exceeds(gain, best):
            best, best_slot, best_left = gain, slot, left
    return best, best_slot, best_left


# --- trees ----------------------------------------------------------------------------------------


def forest_importances(
    codes, n_bins, categorical, target, weight, permutation, n_trees, n_candidates,
    share_in_bag, max_rows, min_in_bag, min_out_of_bag, min_leaf, max_depth, seed,
):  # fmt: skip
    """Do what the kernel of the same name does; returns what was earned."""
    n_columns, n_rows = codes.shape
    n_used = min(n_rows, max_rows)
    n_in = int(share_in_bag * n_used)
    earned = np.zeros(2 * n_columns)
    draws = Draws(seed)
    order, pool = list(range(n_rows)), list(range(n_columns))
    for _ in range(n_trees):
        draws.shuffle_first(order, n_in if n_used == n_rows else n_used)
        nodes = [(np.array(order[:n_in]), np.array(order[n_in:n_used]), 0)]
        while nodes:
            rows_in, rows_out, depth = nodes.pop()
            if (target[rows_in] == target[rows_in[0]]).all():
                continue
            if (target[rows_out] == target[rows_out[0]]).all():
                continue
            draws.shuffle_first(pool, n_candidates)
            slots = [slot for j in pool[:n_candidates] for slot in (j, n_columns + j)]
            gain, slot, left = best_split(
                codes, n_bins, categorical, slots, target, weight, permutation, rows_in, rows_out,
                min_leaf,
            )  # fmt: skip
            if slot < 0:
                continue
            earned[slot] += gain
            if depth + 1 >= max_depth:
                continue
            goes_left = sides_of(codes, permutation, slot, left)
            for side in (goes_left, ~goes_left):
                parts = [rows[side[rows]] for rows in (rows_in, rows_out)]
                if len(parts[0]) >= min_in_bag and len(parts[1]) >= min_out_of_bag:
                    nodes.append((*parts, depth + 1))
    return earned


def sides_of(codes, permutation, slot, left):
    """Whether each row goes left."""
    column = slot % len(codes)
    own = codes[column] if slot < len(codes) else codes[column][permutation]
    return np.array([left[code] for code in own], dtype=bool)


def boosted_tree(
    codes, n_bins, categorical, target, curvature, weight, permutation, with_contrasts,
    order, n_in, n_out, max_depth, min_leaf, rate,
):  # fmt: skip
    """One tree, its rows in the order: in the bag, out of it, held out.

    Returns (step of each row, earned, masking).
    """
    n_slots = (2 if with_contrasts else 1) * len(codes)
    n_columns = len(codes)
    slots = [s for j in range(n_columns) for s in range(j, n_slots, n_columns)]
    earned, masking = np.zeros(n_slots), np.zeros((n_slots, n_slots))
    step = np.zeros_like(target)
    nodes = [(order[:n_in], order[n_in : n_in + n_out], order[n_in + n_out :], 0)]
    while nodes:
        *parts, depth = nodes.pop()
        rows_in, rows_out = parts[0], parts[1] if n_out else parts[0]
        slot = -1
        if depth < max_depth and len(rows_in) >= 2 * min_leaf and len(rows_out) >= 4:
            gain, slot, left = best_split(
                codes, n_bins, categorical, slots, target, weight, permutation, rows_in, rows_out,
                min_leaf,
            )  # fmt: skip
        if slot < 0:
            used = np.concatenate(parts[:2])
            if len(used):
                w = weight[used, None]
                value = (w * target[used]).sum(axis=0) / (w * curvature[used]).sum(axis=0)
                step[np.concatenate(parts)] = rate * value
            continue
        earned[slot] += gain
        goes_left = sides_of(codes, permutation, slot, left)
        for other in slots:
            if other != slot:
                value = surrogate(
                    codes, n_bins, categorical, permutation, slot, goes_left, other, weight,
                    rows_in, rows_out,
                )  # fmt: skip
                masking[slot, other] += gain * max(value, 0.0)
        nodes.extend((*(rows[side[rows]] for rows in parts), depth + 1)
                     for side in (goes_left, ~goes_left))  # fmt: skip
    return step, earned, masking


def boosted_trees(
    codes, n_bins, categorical, link, values, weight, permutation, with_contrasts, orders,
    n_in, n_out, max_depth, min_leaf, rate, prediction,
):  # fmt: skip
    """Grow a tree for each order of the rows; returns (prediction, earned, masking)."""
    earned, masking = 0.0, 0.0
    for order in orders:
        target, curvature = gradients(link, values, prediction)
        step, own, own_masking = boosted_tree(
            codes, n_bins, categorical, target, curvature, weight, permutation, with_contrasts,
            order, n_in, n_out, max_depth, min_leaf, rate,
        )  # fmt: skip
        prediction = prediction + step
        earned, masking = earned + own, masking + own_masking
    return prediction, earned, masking


def gradients(link, values, prediction):
    """Residual and curvature of squared error (0) and of the log-likelihood (1, 2)."""
    if link == 0:
        return values - prediction, np.ones_like(values)
    n = values.shape[1]
    p = expit(prediction) if link == 1 else softmax(prediction, axis=1)
    share = 1.0 if link == 1 else n / (n - 1)
    return values - p, np.maximum(share * p * (1 - p), 1e-3)


# --- surrogates -----------------------------------------------------------------------------------


def best_surrogate(codes, n_bins, categorical, sides, w, min_weight):
    """The split that agrees most with sides (1 left, 0 right, 2 unknown); None if there is none."""
    known = (sides < 2) & (codes < n_bins)
    codes, sides, w = codes[known], sides[known], w[known]
    if categorical:
        left = [None] * (n_bins + 1)
        for b in set(codes.tolist()):
            share = np.average(sides[codes == b], weights=w[codes == b])
            left[b] = bool(share >= 0.5)
        return left if True in left and False in left else None
    best, best_left = -1.0, None
    for cut in sorted(set(codes.tolist()))[:-1]:
        below = codes <= cut
        if min(w[below].sum(), w[~below].sum()) < min_weight:
            continue
        for below_left in (True, False):
            agree = w[(below == below_left) == (sides == 1)].sum()
            if agree > best + 1e-9:
                best = agree
                best_left = [(b <= cut) == below_left for b in range(n_bins)] + [None]
    return best_left


def association(codes, left, sides, w):
    """Breiman's lambda over the rows to which both splits give a side."""
    other = np.array([2 if left[b] is None else int(left[b]) for b in codes])
    known = (sides < 2) & (other < 2)
    sides, other, w = sides[known], other[known], w[known]
    smaller = min(w[sides == 1].sum(), w[sides == 0].sum())
    return (smaller - w[sides != other].sum()) / smaller if smaller > 0.0 else 0.0


def surrogate(
    codes, n_bins, categorical, permutation, primary, goes_left, other, w, rows_in, rows_out
):  # fmt: skip
    """Lambda of one slot for the split of another."""
    own, others = (
        codes[slot % len(codes)][permutation] if slot >= len(codes) else codes[slot]
        for slot in (primary, other)
    )
    column = primary % len(codes)
    sides = goes_left.astype(int)
    if not categorical[column]:
        sides[own == n_bins[column]] = 2
    column = other % len(codes)
    left = best_surrogate(
        others[rows_in], n_bins[column], categorical[column], sides[rows_in], w[rows_in], 2.0
    )
    return (
        0.0 if left is None else association(others[rows_out], left, sides[rows_out], w[rows_out])
    )
