"""What differences in columns are multiplied by, so that all columns count alike.

Two rows drawn at random, with replacement, differ by 2 in squared distance on average: numbers are
divided by their standard deviation, and two different levels are as far apart as their frequencies
demand. Missing cells are left out.
"""

import numpy as np

from ._jit import kernel

#: Numbers that lie closer than this are taken to be equal.
_TINY = 1e-150


@kernel
def column_factors(table, n_levels, columns, own):
    """Find the factors of columns.

    Parameters
    ----------
    table : array of shape (n_columns, n_rows)
        Numbers, or numbers of levels as floats; NaN where a cell is missing.
    n_levels : array of int of shape (n_columns,)
        0 for columns of numbers.
    columns : array of int
        The columns that are asked for.
    own : array of int
        Rows to leave out, one at a time; -1 to leave out none.

    Returns
    -------
    array of shape (len(own), n_columns)
        1 for columns that are constant, or not asked for; 0 for those without any known cell.
    """
    factors = np.ones((own.shape[0], table.shape[0]))
    known = np.empty(table.shape[1])
    counts = np.zeros(max(n_levels.max(), 1))
    for column in columns:
        for i in range(own.shape[0]):
            n_known = _list_known(table[column], own[i], known)
            if n_known == 0:
                factors[i, column] = 0.0
            elif n_levels[column] > 0:
                factors[i, column] = _of_levels(known, n_known, counts)
            else:
                factors[i, column] = _of_numbers(known, n_known)
    return factors


@kernel
def level_counts(table, starts):
    """Count the levels of columns; those of column c begin at ``starts[c]``."""
    counts = np.zeros(starts[-1], dtype=np.intp)
    for column in range(table.shape[0]):
        if starts[column + 1] > starts[column]:
            for value in table[column]:
                if value == value:
                    counts[starts[column] + int(value)] += 1
    return counts


@kernel
def _list_known(values, own, known):
    n_known = 0
    for j in range(values.shape[0]):
        known[n_known] = values[j]
        n_known += values[j] == values[j] and j != own
    return n_known


@kernel
def _of_levels(known, n_known, counts):
    """Root of two over the probability that two random rows differ."""
    for k in range(n_known):
        counts[int(known[k])] += 1.0
    same = 0.0  # whole numbers, so that their order does not matter
    for k in range(n_known):
        same += counts[int(known[k])]
    for k in range(n_known):
        counts[int(known[k])] = 0.0
    pairs = float(n_known) * n_known
    return np.sqrt(2.0 * pairs / (pairs - same)) if same < pairs else 1.0


@kernel
def _of_numbers(known, n_known):
    """One over the standard deviation."""
    low, high, total = known[0], known[0], 0.0
    for k in range(n_known):
        low = known[k] if known[k] < low else low
        high = known[k] if known[k] > high else high
        total += known[k]
    reach = high - low
    if not reach > _TINY:
        return 1.0
    mean = total / n_known
    squares = 0.0
    unit = 1.0 / reach  # tiny numbers have no squares
    for k in range(n_known):
        part = (known[k] - mean) * unit
        squares += part * part
    return 1.0 / (reach * np.sqrt(squares / n_known))
