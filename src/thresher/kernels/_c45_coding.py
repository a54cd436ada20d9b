"""Codes of columns whose values are few whole numbers, without sorting."""

import numpy as np

from ._jit import kernel

#: The widest range of whole numbers that is coded by a table.
RANGE = 4096


@kernel
def code_whole_numbers(values, codes, distinct):
    """Code a column by the rank of its values, if they are whole numbers that lie close together.

    Parameters
    ----------
    values : array of float64, shape (n_rows,)
        NaN if missing.
    codes : array of int32, shape (n_rows,)
        Is overwritten; -1 if missing.
    distinct : array of float64, shape (RANGE,)
        Is overwritten by the distinct values, ascending.

    Returns
    -------
    int
        How many these are; -1 if the column is not of this sort.
    """
    low, high = np.inf, -np.inf
    for i in range(values.shape[0]):
        value = values[i]
        if value == value:
            if value != np.floor(value):
                return -1
            low, high = min(low, value), max(high, value)
    if low > high:  # nothing but missing values
        low = high = 0.0
    if high - low >= RANGE:
        return -1
    rank = np.full(np.int64(high - low) + 1, -1, np.int32)
    for i in range(values.shape[0]):
        if values[i] == values[i]:
            rank[np.int64(values[i] - low)] = 0
    n_distinct = 0
    for k in range(rank.shape[0]):
        if rank[k] == 0:
            rank[k] = n_distinct
            distinct[n_distinct] = low + k
            n_distinct += 1
    for i in range(values.shape[0]):
        codes[i] = rank[np.int64(values[i] - low)] if values[i] == values[i] else -1
    return n_distinct


@kernel
def write_indicators(codes, n_codes, levels, width, out):
    """Write one column out as bytes of 0 and 1; see ``Table.words``.

    Parameters
    ----------
    codes : array of int32, shape (n_rows,)
    n_codes : int
    levels : bool
    width : int
        How many bytes.
    out : array of uint8, shape (n_rows, width)
        Zero, before.
    """
    for i in range(codes.shape[0]):
        code = codes[i]
        if levels:
            if code >= 0:
                out[i, code] = 1
        elif code < 0:
            out[i, width - 1] = 1
        else:
            for t in range(min(code, n_codes - 1)):
                out[i, t] = 1


@kernel
def survey_codes(codes, starts, rows, floor, n_codes):
    """Find which codes some rows have; see ``Training``."""
    for j in range(codes.shape[0]):
        part = floor[starts[j] : starts[j + 1]]
        for k in range(part.shape[0]):
            part[k] = -1
        for i in range(rows.shape[0]):
            code = codes[j, rows[i]]
            if code >= 0:
                part[code] = code
        highest, n = -1, 0
        for k in range(part.shape[0]):
            if part[k] >= 0:
                highest = k
                n += 1
            part[k] = highest
        n_codes[j] = n
