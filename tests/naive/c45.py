"""C4.5 as in the book, in plain Python: rows are tuples of (index, weight), trees are dicts."""

from itertools import pairwise
from math import log2

SMALL = 1e-6


def x_log_x(x):
    return x * log2(x) if x >= SMALL else 0.0


def entropy(weights):
    return x_log_x(sum(weights)) - sum(map(x_log_x, weights))


def class_weights(rows, y, n_classes):
    found = [0.0] * n_classes
    for i, w in rows:
        found[y[i]] += w
    return found


def judged(groups, rows, y, n_classes):
    """Gain and split information, per row, of a division of the rows whose value is known."""
    total = sum(w for _, w in rows)
    known = [row for group in groups for row in group]
    n_known = sum(w for _, w in known)
    lost = entropy(class_weights(known, y, n_classes)) - sum(
        entropy(class_weights(group, y, n_classes)) for group in groups
    )
    gain = lost / total if abs(lost) * n_known / total >= SMALL else 0.0
    sizes = [sum(w for _, w in group) for group in groups] + [total - n_known]
    return gain, (x_log_x(total) - sum(map(x_log_x, sizes))) / total


def threshold_split(values, rows, y, n_classes, n_seen, least):
    """Gain, information, threshold (lower and upper neighbour) of the best cut, or None."""
    known = [row for row in rows if values[row[0]] is not None]
    distinct = sorted({values[i] for i, _ in known})
    total = sum(w for _, w in rows)
    side = max(min(0.1 * sum(w for _, w in known) / n_seen, 25.0), least)
    best, n_cuts = None, 0
    for low, high in pairwise(distinct):
        left = [row for row in known if values[row[0]] <= low]
        right = [row for row in known if values[row[0]] >= high]
        if min(sum(w for _, w in left), sum(w for _, w in right)) < side - SMALL:
            continue
        n_cuts += 1
        gain, information = judged([left, right], rows, y, n_classes)
        if gain > (best[0] if best else 0.0) + SMALL:
            best = (gain, information, (low, high))
    if best is None or best[0] - log2(n_cuts) / total < SMALL:
        return None
    return best[0] - log2(n_cuts) / total, best[1], best[2]


def level_split(values, rows, y, n_classes, levels, least):
    groups = [[row for row in rows if values[row[0]] == level] for level in levels]
    if sum(sum(w for _, w in group) >= least - SMALL for group in groups) < 2:
        return None
    return (*judged(groups, rows, y, n_classes), None)


def grow(columns, y, weights, *, n_classes, least=1.0, collapse=False):
    """Grow a tree from columns of (is_level, values), None where a value is missing."""
    everyone = [(i, w) for i, w in enumerate(weights) if w > 0]
    training = [i for i, _ in everyone]
    seen = [sorted({values[i] for i in training if values[i] is not None}) for _, values in columns]
    many = 0.3 * sum(w for _, w in everyone)
    few = [not is_level or len(seen[j]) < many - SMALL for j, (is_level, _) in enumerate(columns)]
    counted = few if any(few) else [True] * len(few)
    n_seen = len({y[i] for i in training})

    def node(rows):
        totals = class_weights(rows, y, n_classes)
        leaf = {"totals": totals}
        if sum(totals) < 2 * least - SMALL or sum(totals) - max(totals) < SMALL:
            return leaf
        splits = []
        for j, (is_level, values) in enumerate(columns):
            if is_level:
                splits.append(level_split(values, rows, y, n_classes, seen[j], least))
            else:
                splits.append(threshold_split(values, rows, y, n_classes, n_seen, least))
        average = [split[0] for split, use in zip(splits, counted, strict=True) if split and use]
        if not average:
            return leaf
        enough, best, best_ratio = sum(average) / len(average) - 1e-3, None, 0.0
        for j, split in enumerate(splits):
            if split and split[0] >= enough and split[1] * sum(totals) >= SMALL:
                ratio = split[0] / split[1]
                if ratio > best_ratio + SMALL:
                    best, best_ratio = j, ratio
        if best is None:
            return leaf
        return divided(leaf, best, splits[best][2], rows)

    def divided(leaf, j, gap, rows):
        is_level, values = columns[j]
        if is_level:
            leaf["branches"] = seen[j]
        else:
            middle = (gap[0] + gap[1]) / 2
            leaf["cut"] = max(v for v in seen[j] if v <= middle and v < gap[1])
            leaf["branches"] = [True, False]
        leaf["column"] = j
        known = [(row, branch_value(leaf, values[row[0]])) for row in rows]
        n_known = sum(w for (_, w), branch in known if branch is not None)
        leaf["shares"] = [
            sum(w for (_, w), branch in known if branch == b) / n_known for b in leaf["branches"]
        ]
        leaf["children"] = []
        for b, share in zip(leaf["branches"], leaf["shares"], strict=True):
            part = []
            for (i, w), branch in known:
                if branch is not None and branch == b:
                    part.append((i, w))
                elif branch is None and share > SMALL:
                    part.append((i, w * share))
            leaf["children"].append(node(part))
        return leaf

    tree = node(everyone)
    if collapse:
        collapsed(tree)
    return tree


def branch_value(node, value):
    if value is None or "cut" not in node:
        return value
    return value <= node["cut"]


def errors(node):
    return sum(node["totals"]) - max(node["totals"])


def leaf_errors(node):
    if "children" not in node:
        return errors(node)
    return sum(leaf_errors(child) for child in node["children"])


def collapsed(node):
    if "children" not in node:
        return
    if leaf_errors(node) >= errors(node) - 1e-3:
        for key in ("children", "column", "cut", "shares", "branches"):
            node.pop(key, None)
        return
    for child in node["children"]:
        collapsed(child)


def shape(node):
    """The tree without weights: columns, thresholds and levels."""
    if "children" not in node:
        return None
    children = [shape(child) for child in node["children"]]
    return (node["column"], node.get("cut"), children)


def probabilities(node, row, above=None):
    """Class probabilities of one row, a list of values."""
    totals = node["totals"]
    mine = [t / sum(totals) for t in totals] if sum(totals) >= SMALL else above
    if "children" not in node:
        return mine
    branch = branch_value(node, row[node["column"]])
    if branch in node["branches"]:
        return probabilities(node["children"][node["branches"].index(branch)], row, mine)
    parts = [probabilities(child, row, mine) for child in node["children"]]
    return [
        sum(share * part[c] for share, part in zip(node["shares"], parts, strict=True))
        for c in range(len(totals))
    ]
