"""Oblivious trees over bits and two classes: learning curves and eliminations in one go.

What `oblivious` does for any columns, for the one case in which a whole elimination takes less time
than the accounts of a search: to leave out a bit changes a distance by one or not at all, so that
only the nearest rows and those one farther are looked at.
"""

import numpy as np

from ._jit import kernel


@kernel
def hits_one_by_one(bits, classes, tested, truth):
    """Tested rows that are predicted right, after each number of training rows.

    All training rows at the smallest distance vote; of classes with as many votes, the one with
    more training rows is predicted, then the first.

    Parameters
    ----------
    bits, tested : arrays of uint8, shapes (n_rows, n_columns) and (n_tested, n_columns)
    classes, truth : arrays of int64, shapes (n_rows,) and (n_tested,)
        0 or 1.

    Returns
    -------
    array of int64, shape (n_rows,)
    """
    n_rows, n_columns = bits.shape
    n_tested = tested.shape[0]
    hits = np.zeros(n_rows, dtype=np.int64)
    nearest = np.full(n_tested, n_columns + 1)
    ahead = np.zeros(n_tested, dtype=np.int64)  # votes for class 1 less votes for class 0
    lead = 0
    for n in range(n_rows):
        sign = 2 * classes[n] - 1
        lead += sign
        row = bits[n]
        for t in range(n_tested):
            other, distance = tested[t], 0
            for v in range(n_columns):
                distance += row[v] ^ other[v]
            if distance < nearest[t]:
                nearest[t], ahead[t] = distance, sign
            elif distance == nearest[t]:
                ahead[t] += sign
            predicted = 1 if ahead[t] > 0 or (ahead[t] == 0 and lead > 0) else 0
            hits[n] += predicted == truth[t]
    return hits


@kernel
def eliminate(bits, classes):
    """Remove bit after bit, each time the one without which fewest rows are predicted wrong.

    A row is predicted from all others, as in `hits_one_by_one`; the first of equally good bits
    goes.

    Parameters
    ----------
    bits : array of uint8, shape (n_rows, n_columns)
    classes : array of int64, shape (n_rows,)

    Returns
    -------
    removed : array of int64, shape (n_columns - 1,)
        In the order in which they went.
    wrong : array of uint8, shape (n_columns, n_rows)
        Whether each row is predicted wrong by all bits, and after each removal.
    """
    n_rows, n_columns = bits.shape
    removed = np.empty(n_columns - 1, dtype=np.int64)
    wrong = np.empty((n_columns, n_rows), dtype=np.uint8)
    left = np.arange(n_columns)
    rows, distances = bits.copy(), _distances(bits)
    for step in range(n_columns - 1):
        without, whole = _wrong_without_each(rows, distances, classes)
        if step == 0:
            wrong[0] = whole
        best, fewest = 0, n_rows + 1
        for v in range(rows.shape[1]):
            n_wrong = 0
            for i in range(n_rows):
                n_wrong += without[v, i]
            if n_wrong < fewest:
                best, fewest = v, n_wrong
        removed[step], wrong[step + 1] = left[best], without[best]
        _add(distances, rows[:, best].copy(), -1)
        stay = np.arange(rows.shape[1]) != best
        rows, left = np.ascontiguousarray(rows[:, stay]), left[stay]
    if n_columns == 1:
        wrong[0] = _wrong_without_each(rows, distances, classes)[1]
    return removed, wrong


@kernel
def _distances(bits):
    distances = np.zeros((bits.shape[0], bits.shape[0]), dtype=np.int16)
    for v in range(bits.shape[1]):
        _add(distances, bits[:, v].copy(), 1)
    return distances


@kernel
def _add(distances, column, sign):
    for i in range(column.shape[0]):
        row, value = distances[i], column[i]
        for j in range(column.shape[0]):
            row[j] += np.int16(sign * np.int16(column[j] ^ value))


@kernel
def _wrong_without_each(rows, distances, classes):
    """Whether each row is predicted wrong without each of the bits, and with all of them."""
    n_rows, n_columns = rows.shape
    without, whole = np.empty((n_columns, n_rows), dtype=np.uint8), np.empty(n_rows, dtype=np.uint8)
    # who differs in a bit among the nearest, and among those one farther; for all, and as votes
    many, near, far = np.empty((3, n_columns), dtype=np.int32)
    lead = 2 * classes.sum() - n_rows
    for i in range(n_rows):
        row, bits, own = distances[i], rows[i], 2 * classes[i] - 1
        kept, row[i] = row[i], np.int16(n_columns + 2)
        nearest = row[0]
        for j in range(n_rows):
            nearest = row[j] if row[j] < nearest else nearest
        many[:], near[:], far[:] = 0, 0, 0
        ahead = 0
        for j in range(n_rows):
            if row[j] > nearest + 1:
                continue
            others, sign = rows[j], np.int32(2 * classes[j] - 1)
            if row[j] == nearest:
                ahead += sign
                for v in range(n_columns):
                    differs = np.int32(bits[v] ^ others[v])
                    many[v] += differs
                    near[v] += sign * differs
            else:
                for v in range(n_columns):
                    far[v] += sign * np.int32(bits[v] ^ others[v])
        row[i] = kept
        others_lead = lead - own
        whole[i] = _is_wrong(ahead, others_lead, own)
        for v in range(n_columns):
            # those who differ in the bit come one nearer: if any was nearest, only they are
            votes = near[v] if many[v] > 0 else ahead + far[v]
            without[v, i] = _is_wrong(votes, others_lead, own)
    return without, whole


@kernel
def _is_wrong(ahead, lead, own):
    predicted = 1 if ahead > 0 or (ahead == 0 and lead > 0) else -1
    return predicted != own
