"""A table as levels: values, bins or categories, learned from the training rows."""

from collections.abc import Container
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Columns
from thresher.kernels.levels import code_columns, cut_columns
from thresher.kernels.values import list_values

__all__ = ["Cuts", "Levels", "cut_numbers", "learn_levels", "refuse_other_kinds", "values_of"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
CodeArray = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Cuts:
    """Where the numbers of some columns are cut into levels.

    Parameters
    ----------
    edges : array of shape (n_columns, most_edges)
        The level of a value is the number of edges below it.
    n_levels : array of shape (n_columns,)
        One more than the number of edges that are used; 0 if the column had no value.
    """

    edges: FloatArray
    n_levels: IntArray

    def codes(self, values: FloatArray, missing: CodeArray | None = None) -> CodeArray:
        """Level of each value, (columns, rows); ``missing`` (or -1) where there is none."""
        if missing is None:
            missing = np.full(len(values), -1, dtype=np.int32)
        codes = np.empty(values.shape, dtype=np.int32)
        code_columns(values, self.edges, self.n_levels, missing, codes)
        return codes


def cut_numbers(values: FloatArray, weights: FloatArray, *, n_bins: int, equal_width: bool) -> Cuts:
    """Cut columns of numbers, (columns, rows) in C order, with NaN where cells are missing.

    Examples
    --------
    >>> import numpy as np
    >>> cuts = cut_numbers(np.array([[4.0, 2.0, 2.0]]), np.ones(3), n_bins=2, equal_width=False)
    >>> cuts.edges.tolist(), cuts.n_levels.tolist()
    ([[3.0]], [2])
    """
    n_bins = min(n_bins, values.shape[1])
    found, n_levels = values_of(values, n_bins)
    order = np.argsort(values[(n_levels > n_bins) & (not equal_width)], axis=1)
    edges = np.zeros((len(values), n_bins - 1))
    cut_columns(values, found, order, weights, n_bins, edges, n_levels)
    return Cuts(edges, n_levels)


def values_of(values: FloatArray, most: int) -> tuple[FloatArray, IntArray]:
    """Return the distinct values of each column in order, and how many; at most one too many.

    Examples
    --------
    >>> import numpy as np
    >>> found, n_found = values_of(np.array([[3.0, 2.0, 3.0], [7.0, 9.0, 8.0]]), 1)
    >>> n_found.tolist()
    [2, 2]
    """
    found = np.empty((len(values), most + 1))
    n_found = np.empty(len(values), dtype=np.intp)
    list_values(values, found, n_found)
    return found, n_found


@dataclass(frozen=True, eq=False)
class Levels:
    """The levels of each column of a training table.

    Parameters
    ----------
    numbers : tuple of (positions, Cuts)
        Columns of numbers, a block at a time.
    labels : dict of int to tuple of str
        The levels of each other column.
    n_levels : array of shape (n_columns,)
        How many each column has; 0 if all its cells were missing.
    """

    numbers: tuple[tuple[IntArray, Cuts], ...]
    labels: dict[int, tuple[str, ...]]
    n_levels: IntArray

    def codes(self, columns: Columns) -> CodeArray:
        """Level of each cell, (columns, rows); -1 if it is missing or was not seen in training."""
        codes = np.full((columns.n_columns, columns.n_rows), -1, dtype=np.int32)
        text = columns.has_levels
        refuse_other_kinds(self.labels, self.n_levels > 0, columns)
        for positions, cuts in self.numbers:
            found = [k for k, p in enumerate(positions) if not text[p]]
            for part, block in columns.numeric_blocks(positions[found].tolist()):
                some = Cuts(cuts.edges[found], cuts.n_levels[found])
                codes[part] = some.codes(np.ascontiguousarray(block.T))
        for p, labels in self.labels.items():
            if text[p]:
                numbers, present = columns.levels(p)
                known = {label: k for k, label in enumerate(labels)}
                number_of = np.array([known.get(label, -1) for label in present] + [-1], np.int32)
                codes[p] = number_of[numbers]  # a missing cell, -1, finds the last entry
        return codes


def learn_levels(
    columns: Columns, weights: FloatArray, *, n_bins: int, equal_width: bool
) -> tuple[Levels, CodeArray]:
    """Find the levels of a training table, and code it."""
    text = columns.has_levels
    n_levels = np.zeros(columns.n_columns, dtype=np.intp)
    codes = np.empty((columns.n_columns, columns.n_rows), dtype=np.int32)
    numbers: list[tuple[IntArray, Cuts]] = []
    for positions, block in columns.numeric_blocks(np.flatnonzero(~text).tolist()):
        values = np.ascontiguousarray(block.T)
        cuts = cut_numbers(values, weights, n_bins=n_bins, equal_width=equal_width)
        codes[positions], n_levels[positions] = cuts.codes(values), cuts.n_levels
        numbers.append((positions, cuts))
    labels: dict[int, tuple[str, ...]] = {}
    for p in np.flatnonzero(text).tolist():
        codes[p], labels[p] = columns.levels(p)
        n_levels[p] = len(labels[p])
    return Levels(tuple(numbers), labels, n_levels), codes


def refuse_other_kinds(labels: Container[int], known: NDArray[np.bool_], columns: Columns) -> None:
    """Columns that were numbers must not be text, and the other way round, unless all missing.

    Parameters
    ----------
    labels : container of int
        Columns that held levels in training.
    known : bool array of shape (n_columns,)
        Which of all columns held anything.
    columns : Columns
        The table to be predicted.
    """
    text = columns.has_levels
    for p in range(columns.n_columns):
        changed = bool(text[p]) != (p in labels)
        if changed and known[p] and columns.n_missing[p] < columns.n_rows:
            before, now = ("numbers", "levels") if text[p] else ("levels", "numbers")
            raise ValueError(
                f"column {columns.names[p]!r} held {before} when the learner was fitted; now it "
                f"holds {now}"
            )
