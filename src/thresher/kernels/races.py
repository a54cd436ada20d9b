"""The first row at which somebody may leave a race of paired differences."""

import numpy as np

from ._jit import kernel


@kernel
def first_exit(seen, coming, critical, tie_rows, gamma, left, squared_grain):
    """Find how many of the coming rows can be entered before someone may have to leave.

    Parameters
    ----------
    seen : array of shape (n_seen, n_candidates)
        Losses entered so far.
    coming : array of shape (n_coming, n_candidates)
        Losses to enter next.
    critical : array of shape (n_coming, n_candidates)
        After each coming row, squared t statistics that end it for the others while candidate j
        leads.
    tie_rows : int
        Rows after which candidates without any difference leave.
    gamma : float
        Differences that do not matter.
    left : array of shape (n_coming,)
        Factors of the squared errors.
    squared_grain : float
        Added to the squared deviations.

    Returns
    -------
    n_rows : int
        How many rows, the one included after which to look.
    look : bool
        Whether to look at all.
    """
    n_seen, n_candidates = seen.shape
    n_coming = coming.shape[0]
    totals = np.zeros(n_candidates)
    for i in range(n_seen):
        for j in range(n_candidates):
            totals[j] += seen[i, j]
    sums = np.zeros(n_candidates)
    squares = np.zeros(n_candidates)
    leader = -1
    for row in range(n_coming):
        now = 0
        for j in range(n_candidates):
            totals[j] += coming[row, j]
            now = j if totals[j] < totals[now] else now
        if now != leader:
            leader = now
            sums[:] = 0.0
            squares[:] = 0.0
            _add(seen, n_seen, leader, sums, squares)
            _add(coming, row + 1, leader, sums, squares)
        else:
            _add(coming[row : row + 1], 1, leader, sums, squares)
        n = n_seen + row + 1
        for j in range(n_candidates):
            if j == leader:
                continue
            if squares[j] == 0.0 and squared_grain == 0.0:
                if n >= tie_rows:
                    return row + 1, True
                continue
            gap = sums[j] / n + gamma
            deviations = max(squares[j] - sums[j] * sums[j] / n, 0.0) + squared_grain
            error = deviations / (n - 1) / n * left[row]
            # a little too eager: the rule itself has the last word
            if gap > 0.0 and gap * gap * (1.0 + 1e-9) >= critical[row, leader] * error:
                return row + 1, True
    return n_coming, False


@kernel
def _add(rows, n_rows, leader, sums, squares):
    for i in range(n_rows):
        for j in range(rows.shape[1]):
            difference = rows[i, j] - rows[i, leader]
            sums[j] += difference
            squares[j] += difference * difference
