"""Tables of how often codes occur together, and where to cut a column that is known only by one."""

import numpy as np

from ._jit import kernel
from .mdl import is_worth_it


@kernel
def count_pairs(one, other, counts):
    """Add to ``counts[a, b]`` the rows in which one column has code a and the other b."""
    for i in range(one.shape[0]):
        counts[one[i], other[i]] += 1


@kernel
def _log(x):
    return x * np.log2(x) if x > 0 else 0.0


@kernel
def _purity(counts):
    """Sum of ``n log n`` over classes minus that of their total: minus the entropy, times rows."""
    total, found = 0.0, 0.0
    for count in counts:
        total += count
        found += _log(count)
    return found - _log(total)


@kernel
def _best_cut(counts, first, last, left, right, best_left):
    """Purest cut of the values ``first .. last - 1``, or -1; see ``mdl._best_cut``."""
    least = _purity(right)
    tiny = 1e-12 * max(1.0, -least)
    best = -1
    left[:] = 0.0
    for i in range(first, last - 1):
        left += counts[i]
        right -= counts[i]
        purity = _purity(left) + _purity(right)
        if purity > least + tiny:
            least, best = purity, i + 1
            best_left[:] = left
    return best


@kernel
def mdl_bins(counts, levels):
    """Merge bins in ascending order where Fayyad and Irani would not cut; return how many are left.

    Parameters
    ----------
    counts : array of float64, shape (n_bins, n_classes)
        Rows of each class in each bin; none of the bins is empty.
    levels : array of int64, shape (n_bins,)
        Receives the level of each bin.
    """
    n, n_classes = counts.shape
    todo = np.empty((n + 1, 2), dtype=np.int64)
    starts = np.zeros(n + 1, dtype=np.int64)
    n_todo, n_cuts = 1, 0
    todo[0, 0], todo[0, 1] = 0, n
    total = np.empty(n_classes)
    left, right, best_left = np.empty(n_classes), np.empty(n_classes), np.empty(n_classes)
    while n_todo > 0:
        n_todo -= 1
        first, last = todo[n_todo, 0], todo[n_todo, 1]
        total[:] = 0.0
        for i in range(first, last):
            total += counts[i]
        right[:] = total
        cut = _best_cut(counts, first, last, left, right, best_left)
        if cut < 0:
            continue
        right[:] = total - best_left
        entropies = -_purity(total), -_purity(best_left), -_purity(right)
        if not is_worth_it(total, best_left, right, *entropies):
            continue
        starts[cut] = 1
        n_cuts += 1
        todo[n_todo, 0], todo[n_todo, 1] = first, cut
        todo[n_todo + 1, 0], todo[n_todo + 1, 1] = cut, last
        n_todo += 2
    level = 0
    for i in range(n):
        level += starts[i]
        levels[i] = level
    return n_cuts + 1
