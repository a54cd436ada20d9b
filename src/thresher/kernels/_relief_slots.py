"""The nearest rows of each class, found and sorted as WEKA does it.

Which of several rows at the same distance become neighbours, and in which order, matters: tables of
levels are full of such ties, and the weights of ReliefF depend on them.
"""

from typing import NamedTuple

import numpy as np

from ._jit import kernel


class Slots(NamedTuple):
    """The nearest rows found so far in each class, in no order."""

    distances: np.ndarray  # (n_classes, n_neighbours)
    rows: np.ndarray
    n_found: np.ndarray  # of each class
    farthest: np.ndarray  # slot of each class whose row has to go when a nearer one comes
    limits: np.ndarray  # its distance; infinite as long as there are free slots
    pending: np.ndarray  # parts of a list that are still to be sorted


@kernel
def free_slots(n_classes, n_neighbours):
    """Memory for the neighbours of one row, to be used again for the next."""
    return Slots(
        np.empty((n_classes, n_neighbours)),
        np.empty((n_classes, n_neighbours), dtype=np.int32),
        np.empty(n_classes, dtype=np.intp),
        np.zeros(n_classes, dtype=np.intp),
        np.empty(n_classes),
        np.empty((n_neighbours + 2, 2), dtype=np.intp),
    )


@kernel
def fill_slots(distances, codes, slots):
    """Find the nearest rows of each class: the first, each replaced when a nearer one comes.

    That one takes the place of the farthest; of several, of the one in the first slot.
    """
    held, rows, n_found = slots.distances, slots.rows, slots.n_found
    farthest, limits = slots.farthest, slots.limits
    n_slots = rows.shape[1]
    n_found[:] = 0
    limits[:] = np.inf
    for j in range(distances.shape[0]):
        c = codes[j]
        if not distances[j] < limits[c]:
            continue
        at = farthest[c]
        if n_found[c] < n_slots:
            at = n_found[c]
            n_found[c] += 1
        held[c, at] = distances[j]
        rows[c, at] = j
        if n_found[c] == n_slots:
            worst, limit = 0, held[c, 0]
            for s in range(1, n_slots):
                if held[c, s] > limit:
                    worst, limit = s, held[c, s]
            farthest[c], limits[c] = worst, limit


@kernel
def _swap(distances, rows, a, b):
    distances[a], distances[b] = distances[b], distances[a]
    rows[a], rows[b] = rows[b], rows[a]


@kernel
def _order(distances, rows, a, b):
    if distances[a] > distances[b]:
        _swap(distances, rows, a, b)


@kernel
def _partition(distances, rows, left, right):
    """Move what is nearer than the median of three to its left, and return its place."""
    centre = (left + right) // 2
    _order(distances, rows, left, centre)
    _order(distances, rows, left, right)
    _order(distances, rows, centre, right)
    if right - left < 3:
        return centre
    _swap(distances, rows, centre, right - 1)
    pivot = distances[right - 1]
    low, high = left + 1, right - 2
    while True:
        while distances[low] < pivot:
            low += 1
        while distances[high] > pivot:
            high -= 1
        if low >= high:
            break
        _swap(distances, rows, low, high)
        low += 1
        high -= 1
    _swap(distances, rows, low, right - 1)
    return low


@kernel
def sort_slots(distances, rows, n_found, pending):
    """Sort neighbours by distance, the nearest first; of equals, whichever WEKA's quicksort leaves.

    The order of equals is no accident to be mended: ranks are weights here.
    """
    n_pending = 1
    pending[0, 0], pending[0, 1] = 0, n_found - 1
    while n_pending > 0:
        n_pending -= 1
        left, right = pending[n_pending, 0], pending[n_pending, 1]
        if left >= right:
            continue
        middle = _partition(distances, rows, left, right)
        if right - left > 2:
            pending[n_pending, 0], pending[n_pending, 1] = left, middle - 1
            pending[n_pending + 1, 0], pending[n_pending + 1, 1] = middle + 1, right
            n_pending += 2
