"""How many variables to remove at a time: the lower envelope of straight lines.

Going from n variables to m costs ``M(m) C(n, r) / C(m, r)`` on average, so that the least cost of
going on from n is the minimum over m of ``rate(n) slope(m) + total(m)`` with ``rate(n) = C(n, r)``
and ``slope(m) = M(m) / C(m, r)``: lines, one for each m, looked at from left to right. The totals
grow with m, hence a line that is not flatter than the last one can never be the lowest; those that
remain have falling slopes, and each comes and goes once. Rates and slopes are far beyond the range
of floats and are kept as logarithms.
"""

import numpy as np

from ._jit import kernel


@kernel
def _log_crossing(m, other, log_slope, total):
    """Logarithm of the rate from which on the flatter line of ``other`` is below that of ``m``."""
    rise = total[other] - total[m]
    if rise <= 0.0:
        return -np.inf
    return np.log(rise) - log_slope[m] - np.log1p(-np.exp(log_slope[other] - log_slope[m]))


@kernel
def _cost_via(m, n, log_rate, log_slope, total):
    return np.exp(log_rate[n] + log_slope[m]) + total[m]


@kernel
def least_costs(log_rate, log_slope, first, k, total):
    """Fill in the best step and the least cost for each number of variables.

    Parameters
    ----------
    log_rate : array of float64, shape (n + 1,)
        Grows from ``first`` on; what comes before is not read.
    log_slope : array of float64, shape (n + 1,)
        Likewise.
    first : int
        The number of variables to end at.
    k : array of int64, shape (n + 1,)
        Zeros; receives the steps. The smallest one of equals.
    total : array of float64, shape (n + 1,)
        Zeros; receives the costs.
    """
    size = log_rate.shape[0]
    lines = np.empty(size, np.int64)
    head, end = 0, 0
    for n in range(first + 1, size):
        new = n - 1
        if end == 0 or log_slope[new] < log_slope[lines[end - 1]]:
            while end - head >= 2 and _log_crossing(
                lines[end - 1], new, log_slope, total
            ) <= _log_crossing(lines[end - 2], lines[end - 1], log_slope, total):
                end -= 1
            lines[end] = new
            end += 1
        best = _cost_via(lines[head], n, log_rate, log_slope, total)
        while head + 1 < end:
            other = _cost_via(lines[head + 1], n, log_rate, log_slope, total)
            if other > best:
                break
            best = other
            head += 1
        k[n], total[n] = n - lines[head], best
