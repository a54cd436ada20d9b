"""Distances of a point to all rows, for subsets of columns and for flips of one.

A distance here is the sum over columns of squared (absolute, under Manhattan) differences. Tables
are (columns, rows), so that inner loops run along rows and use vector instructions.
"""

from ._jit import kernel


@kernel
def add_columns(total, table, point, columns, sign, manhattan):
    """Add (or subtract) the differences in some columns to the distances of all rows."""
    for column in columns:
        values, at = table[column], point[column]
        if manhattan:
            for j in range(total.shape[0]):
                total[j] += sign * abs(values[j] - at)
        else:
            for j in range(total.shape[0]):
                difference = values[j] - at
                total[j] += sign * (difference * difference)


@kernel
def copy_plus_column(start, values, at, sign, manhattan, total):
    """Do the same for one column, but leave the distances as they are and fill others."""
    if manhattan:
        for j in range(total.shape[0]):
            total[j] = start[j] + sign * abs(values[j] - at)
    else:
        for j in range(total.shape[0]):
            difference = values[j] - at
            total[j] = start[j] + sign * (difference * difference)


@kernel
def flipped_columns(base, flipped, sign, members):
    """Merge ``flipped`` into ``base``, or leave it out; return how many columns that is."""
    n_members = 0
    f = 0
    for column in base:
        while sign > 0.0 and f < flipped.shape[0] and flipped[f] < column:
            members[n_members] = flipped[f]
            n_members += 1
            f += 1
        if sign < 0.0 and f < flipped.shape[0] and flipped[f] == column:
            f += 1
            continue
        members[n_members] = column
        n_members += 1
    while sign > 0.0 and f < flipped.shape[0]:
        members[n_members] = flipped[f]
        n_members += 1
        f += 1
    return n_members
