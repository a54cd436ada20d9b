"""The column by which a node of a C4.5 tree is split."""

from typing import NamedTuple

import numpy as np

from ._c45_counts import fill_cells, sum_indicators
from ._c45_splits import (
    NONE,
    SMALL,
    entropy_of_counts,
    least_side,
    levels_of_cells,
    levels_of_ones,
    ratio_of,
    threshold_of_cells,
    threshold_of_ones,
)
from ._jit import kernel

#: A gain this much below the average still counts as average.
_NEARLY = 1e-3
#: Levels are many if there are this many for each row; these do not enter the average.
_MANY = 0.3


class Candidates(NamedTuple):
    """The columns to choose from, what is known of them at a node, and scratch."""

    columns: np.ndarray
    classes: np.ndarray  # of the training rows
    few: np.ndarray  # numbers, or levels that are not many
    active: np.ndarray  # may be chosen; nothing is found out about others
    counted: np.ndarray  # in the average
    first: np.ndarray  # byte in words, -1 if not there
    words: np.ndarray  # of the training rows
    sums: np.ndarray
    ones: np.ndarray
    table: np.ndarray
    bits: np.ndarray
    present: np.ndarray
    cells: np.ndarray
    counts: np.ndarray
    all_counts: np.ndarray
    known_of: np.ndarray
    left_of: np.ndarray
    gain: np.ndarray
    ratio: np.ndarray
    cut: np.ndarray


@kernel
def _gathered(table, training, columns, first):
    """Only those words of the training rows that hold indicators of the columns."""
    wanted = np.zeros(table.words.shape[1], np.int64)
    for j in columns:
        if table.first[j] >= 0:
            for byte in range(table.first[j], table.first[j] + table.width[j]):
                wanted[byte >> 3] = 1
    chosen = np.flatnonzero(wanted)
    for i in range(chosen.shape[0]):
        wanted[chosen[i]] = i
    for k in range(columns.shape[0]):
        byte = table.first[columns[k]]
        first[k] = 8 * wanted[byte >> 3] + (byte & 7) if byte >= 0 else -1
    words = np.empty((training.rows.shape[0], chosen.shape[0]), np.uint64)
    for i in range(words.shape[0]):
        row = table.words[training.rows[i]]
        for w in range(chosen.shape[0]):
            words[i, w] = row[chosen[w]]
    return words


@kernel
def candidates_among(table, training, columns):
    n, n_classes = columns.shape[0], training.n_classes
    first = np.empty(n, np.int64)
    words = _gathered(table, training, columns, first)
    most, few = 0, np.empty(n, np.bool_)
    many = _MANY * training.weights.sum() - SMALL
    for k in range(n):
        j = columns[k]
        most = max(most, table.starts[j + 1] - table.starts[j])
        few[k] = not table.levels[j] or training.n_codes[j] < many
    some = Candidates(
        columns,
        training.classes,
        few,
        np.ones(n, np.bool_),
        np.empty(n, np.bool_),
        first,
        words,
        np.zeros(words.shape[1], np.uint64),
        np.empty((8 * words.shape[1], n_classes), np.int32),
        np.zeros((most, n_classes)),
        np.zeros(most // 64 + 1, np.uint64),
        np.empty(most, np.int32),
        np.empty((most, n_classes)),
        np.empty(n_classes, np.int64),
        np.empty(n_classes, np.int64),
        np.empty(n_classes),
        np.empty(n_classes),
        np.empty(n),
        np.empty(n),
        np.empty(n, np.int64),
    )
    count_active(some)
    return some


@kernel
def count_active(some):
    """Say which candidates the average is taken of; to be called when others become active."""
    few, active, counted = some.few, some.active, some.counted
    all_many = True
    for k in range(few.shape[0]):
        counted[k] = active[k] and few[k]
        all_many = all_many and not counted[k]
    if all_many:
        for k in range(few.shape[0]):
            counted[k] = active[k]


@kernel
def _judge_by_indicators(table, some, here, totals, logs, node):
    """Gain, gain ratio and cut of the candidates that are written out as indicators."""
    ones, first, columns = some.ones, some.first, some.columns
    counts, all_counts = some.counts, some.all_counts
    levels, starts, missing = table.levels, table.starts, table.missing
    active, gain, ratio, cut = some.active, some.gain, some.ratio, some.cut
    n = np.int64(0)  # typed: numba would compile kernels for a plain number, too
    for i in range(here.shape[0]):
        all_counts[here[i]] = np.int64(totals[here[i]])
        n += all_counts[here[i]]
    entropy = entropy_of_counts(all_counts, n, here, logs)
    least = least_side(node.total, node.least, node.n_seen) - SMALL
    for k in range(columns.shape[0]):
        if first[k] < 0 or not active[k]:
            continue
        j = columns[k]
        n_codes = starts[j + 1] - starts[j]
        if levels[j]:
            gain[k], information, cut[k] = levels_of_ones(
                ones, first[k], n_codes, counts, here, logs, node
            )
        elif missing[j]:
            known = n
            for i in range(here.shape[0]):
                n_missing = ones[first[k] + n_codes - 1, here[i]]
                counts[here[i]] = all_counts[here[i]] - n_missing
                known -= n_missing
            before = entropy_of_counts(counts, known, here, logs)
            side = least_side(np.float64(known), node.least, node.n_seen) - SMALL
            gain[k], information, cut[k] = threshold_of_ones(
                ones, first[k], n_codes - 1, counts, known, before, side, here, logs, node
            )
        else:
            gain[k], information, cut[k] = threshold_of_ones(
                ones, first[k], n_codes - 1, all_counts, n, entropy, least, here, logs, node
            )
        ratio[k] = ratio_of(gain[k], information, node.total)


@kernel
def _judge_by_codes(table, some, here, logs, node, rows, classes, weights):
    """Gain, gain ratio and cut of all other candidates."""
    first, known_of, left_of, columns = some.first, some.known_of, some.left_of, some.columns
    present, cells, scratch, bits = some.present, some.cells, some.table, some.bits
    levels, starts, codes = table.levels, table.starts, table.codes
    active, gain, ratio, cut = some.active, some.gain, some.ratio, some.cut
    for k in range(columns.shape[0]):
        if (node.whole and first[k] >= 0) or not active[k]:
            continue
        j, n_present = columns[k], 0
        if starts[j + 1] - starts[j] > 1:
            n_present = fill_cells(
                codes[j], rows, classes, weights, here, scratch, bits, present, cells
            )
        if n_present < 2:
            gain[k], information, cut[k] = 0.0, 0.0, NONE
        elif levels[j]:
            gain[k], information, cut[k] = levels_of_cells(
                cells, n_present, known_of, here, logs, node
            )
        else:
            gain[k], information, cut[k] = threshold_of_cells(
                present, cells, n_present, known_of, left_of, here, logs, node
            )
        ratio[k] = ratio_of(gain[k], information, node.total)


@kernel
def choose(table, some, here, totals, logs, node, places, rows, classes, weights):
    """Best candidate: the highest gain ratio among those of average gain; -1 if there is none."""
    if node.whole and some.sums.shape[0] > 0:
        sum_indicators(some.words, places, some.classes, some.sums, some.ones)
        _judge_by_indicators(table, some, here, totals, logs, node)
    _judge_by_codes(table, some, here, logs, node, rows, classes, weights)
    return best_of(some.gain, some.ratio, some.cut, some.active, some.counted)


@kernel
def best_of(gain, ratio, cut, active, counted):
    """Best of the active candidates, from what is known of them; see `choose`."""
    total, n_counted = 0.0, 0
    for k in range(cut.shape[0]):
        if counted[k] and cut[k] != NONE:
            total += gain[k]
            n_counted += 1
    best, best_ratio = -1, 0.0
    if n_counted == 0:
        return best
    least = total / n_counted - _NEARLY
    for k in range(cut.shape[0]):
        if active[k] and cut[k] != NONE and gain[k] >= least and ratio[k] - best_ratio > SMALL:
            best, best_ratio = k, ratio[k]
    return best
