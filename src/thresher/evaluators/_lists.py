"""Lists of columns laid end to end, as kernels take them."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from thresher.kernels._class_scores import Lists

__all__ = ["Lists", "chosen", "joined", "of_masks"]

IntArray = NDArray[np.intp]


def joined(lists: Iterable[IntArray]) -> Lists:
    """Lay lists of columns end to end: where each starts (and the last ends), and the columns."""
    parts = list(lists)
    if len(parts) == 1:
        return Lists(np.array([0, len(parts[0])]), parts[0])
    starts = np.zeros(len(parts) + 1, dtype=np.intp)
    np.cumsum([len(part) for part in parts], out=starts[1:])
    return Lists(starts, np.concatenate([np.empty(0, dtype=np.intp), *parts]))


def chosen(lists: Lists, which: IntArray) -> Lists:
    """Lay some of the lists end to end."""
    lengths = np.diff(lists.starts)[which]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    places = np.repeat(lists.starts[which] - starts[:-1], lengths) + np.arange(starts[-1])
    return Lists(starts, lists.columns[places])


def of_masks(masks: NDArray[np.bool_], variables: Lists) -> Lists:
    """Lay the columns of subsets end to end, ascending in each.

    Parameters
    ----------
    masks : bool array of shape (n_subsets, n_variables)
        The subsets.
    variables : Lists
        The columns of each variable; every column belongs to one.
    """
    lengths = np.diff(variables.starts)
    in_subset = np.zeros((len(masks), len(variables.columns)), dtype=bool)
    in_subset[:, variables.columns] = np.repeat(masks, lengths, axis=1)
    starts = np.concatenate([[0], np.cumsum(in_subset.sum(axis=1))])
    return Lists(starts, np.nonzero(in_subset)[1])
