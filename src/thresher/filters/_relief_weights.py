"""Weights of ReliefF and RReliefF, equal to WEKA's."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Columns
from thresher.evaluators import Target
from thresher.kernels.relief import Cells, add_differences, add_in_order, find_neighbours
from thresher.parallel import effective_n_jobs, run_in_threads, slices

__all__ = ["ReliefTable", "relief_table", "relief_weights"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Memory for lists of neighbours and for distances, roughly; more is done in several rounds.
_LIST_BYTES = 2**26
_DISTANCE_BYTES = 2**26

#: Rows whose distances are computed together, if memory allows, so that columns are read once.
_BLOCK = 32

#: Columns whose differences are summed together: not too few, for neighbours are looked up once.
_WIDTHS = (32, 128)


@dataclass(frozen=True, eq=False)
class ReliefTable:
    """A table on the scales that differences are measured on.

    Parameters
    ----------
    values : array of shape (n_columns, n_rows)
        Numbers scaled to [0, 1] by their range, or level codes; NaN where missing.
    n_levels : array of int of shape (n_columns,)
        Levels of each column, 0 if it holds numbers.
    """

    values: FloatArray
    n_levels: IntArray

    @property
    def n_columns(self) -> int:
        """The number of columns."""
        return int(self.values.shape[0])

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.values.shape[1])

    @property
    def cells(self) -> Cells:
        """The table as kernels take it."""
        gaps = np.array([np.isnan(column).any() for column in self.values], dtype=bool)
        return Cells(
            self.values,
            (self.n_levels > 0) + 2 * gaps,
            1.0 - 1.0 / np.maximum(self.n_levels, 1),
        )


def relief_table(columns: Columns) -> ReliefTable:
    """Scale the numbers of a table and code its levels.

    Examples
    --------
    >>> from thresher.columns import read_columns
    >>> relief_table(read_columns([[10.0, 1.0], [20.0, 1.0], [15.0, 2.0]])).values
    array([[0. , 1. , 0.5],
           [0. , 0. , 1. ]])
    """
    values = np.empty((columns.n_columns, columns.n_rows))
    n_levels = np.zeros(columns.n_columns, dtype=np.intp)
    has_levels = columns.has_levels
    for positions, block in columns.numeric_blocks(np.flatnonzero(~has_levels).tolist()):
        for position, column in zip(positions, block.T, strict=True):
            values[position] = _scaled(column)
    for position in np.flatnonzero(has_levels):
        codes, levels = columns.levels(int(position))
        values[position] = np.where(codes < 0, np.nan, codes)
        n_levels[position] = max(len(levels), 1)  # 0 says that there are numbers
    return ReliefTable(values, n_levels)


def _scaled(column: FloatArray) -> FloatArray:
    """Scale numbers to [0, 1] by their range; to 0 where all are the same."""
    known = column[~np.isnan(column)]
    if len(known) == 0:
        return column
    low, high = known.min(), known.max()
    if low == high:
        return np.where(np.isnan(column), np.nan, 0.0)
    with np.errstate(over="ignore"):
        too_wide = np.isinf(high - low)
    if too_wide:  # halves of the largest numbers are not too far apart
        column, low, high = column / 2, low / 2, high / 2
    return np.asarray((column - low) / (high - low))


def relief_weights(
    table: ReliefTable,
    target: Target,
    *,
    n_neighbors: int = 10,
    sigma: float | None = None,
    rows: IntArray | None = None,
    permuted: IntArray | None = None,
    n_jobs: int | None = None,
) -> FloatArray:
    """Weigh columns by how much they differ between near rows that differ in the target, or do not.

    Parameters
    ----------
    table : ReliefTable
        The columns.
    target : Target
        Classes (ReliefF) or numbers (RReliefF).
    n_neighbors : int, default=10
        Nearest rows to look at, in each class; those there are, if there are fewer.
    sigma : float or None, default=None
        None lets all neighbours count the same. With a number, the nearest counts most, and the one
        that r rows are nearer than counts exp(-(r / sigma)^2) as much.
    rows : array of int or None, default=None
        The rows whose neighbours are looked at; None for all. Neighbours may be any rows.
    permuted : array of int of shape (n_permutations, n_rows) or None, default=None
        Permutations of the rows. Under each, row i has the target of row ``permuted[p, i]``.
    n_jobs : int or None, default=None
        Threads; the weights do not depend on it.

    Returns
    -------
    array of shape (1 + n_permutations, n_columns)
        Weights under the target as it is, then under each permutation. All 0 where the target is
        the same in all rows.

    Examples
    --------
    >>> import numpy as np
    >>> from thresher.columns import read_columns
    >>> from thresher.evaluators import make_target
    >>> X = np.array([[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]])
    >>> target = make_target(["a", "a", "a", "b", "b", "b"], classifier=True)
    >>> relief_weights(relief_table(read_columns(X)), target, n_neighbors=1)
    array([[ 1. , -0.5]])
    """
    n_rows = table.n_rows
    orders = np.arange(n_rows)[None]
    if permuted is not None:
        orders = np.concatenate([orders, np.asarray(permuted, dtype=np.intp)])
    queries = np.arange(n_rows) if rows is None else np.asarray(rows, dtype=np.intp)
    if len(queries) == 0 or (target.values == target.values[0]).all():
        return np.zeros((len(orders), table.n_columns))
    ranks = _rank_weights(max(1, min(n_neighbors, n_rows - 1)), sigma)
    weigh = _weights_for_numbers if target.classes is None else _weights_for_classes
    return weigh(table.cells, target, orders, queries, ranks, n_jobs)


def _rank_weights(n_neighbours: int, sigma: float | None) -> FloatArray:
    """Weights of the nearest neighbour, the second nearest ..., and their running sums."""
    weights = np.ones(n_neighbours)
    if sigma is not None:
        with np.errstate(over="ignore", under="ignore"):  # such weights are 0
            weights = np.exp(-((np.arange(n_neighbours) / sigma) ** 2))
    return np.stack([weights, np.cumsum(weights)])


def _weights_for_classes(
    cells: Cells,
    target: Target,
    orders: IntArray,
    queries: IntArray,
    ranks: FloatArray,
    n_jobs: int | None,
) -> FloatArray:
    """ReliefF: differences to other classes, each in proportion to its size, minus to the own."""
    codes = target.values.astype(np.int32)[orders]
    sizes = np.bincount(codes[0], minlength=target.n_classes)
    totals = np.zeros((len(orders), len(cells.values)))
    for part in _rounds(queries, len(orders) * len(sizes) * ranks.shape[1]):
        neighbours, shares = _find(cells, part, codes, sizes, ranks, n_jobs)
        _add(cells, part, neighbours, shares, totals, n_jobs)
    return totals / len(queries)


def _weights_for_numbers(
    cells: Cells,
    target: Target,
    orders: IntArray,
    queries: IntArray,
    ranks: FloatArray,
    n_jobs: int | None,
) -> FloatArray:
    """RReliefF: how much columns differ where the target does, minus where it does not.

    Neighbours have nothing to do with the target here, so that they serve all permutations.
    """
    scaled = _scaled(target.values.astype(np.float64))[orders]
    n_rows = cells.values.shape[1]
    codes, sizes = np.zeros((1, n_rows), dtype=np.int32), np.array([n_rows])
    # the sums of WEKA: ndc under each order; nda, then ndcda under each order
    apart = np.zeros((len(orders), 1))
    totals = np.zeros((1 + len(orders), len(cells.values)))
    for part in _rounds(queries, len(totals) * ranks.shape[1]):
        neighbours, shares = _find(cells, part, codes, sizes, ranks, n_jobs)
        changes = np.abs(scaled[:, part, None] - scaled[:, neighbours[:, 0]]).swapaxes(0, 1)
        joint = np.ascontiguousarray(np.concatenate([shares, shares * changes], axis=1))
        for order in range(len(orders)):
            apart[order] = add_in_order(joint[:, 1 + order].ravel(), apart[order, 0])
        _add(cells, part, neighbours, joint, totals, n_jobs)
    alike = len(queries) - apart
    # a sum over nothing says nothing; what is left of it by rounding, neither
    least = 1e-12 * len(queries)
    where_apart = np.divide(totals[1:], apart, out=np.zeros_like(totals[1:]), where=apart > least)
    rest = totals[0] - totals[1:]
    where_alike = np.divide(rest, alike, out=np.zeros_like(rest), where=alike > least)
    return np.asarray(where_apart - where_alike)


def _rounds(queries: IntArray, n_listed: int) -> list[IntArray]:
    """Cut the queries into parts whose lists of neighbours, so long for each, fit in memory."""
    size = max(_BLOCK, _LIST_BYTES // (12 * n_listed))
    return [queries[start : start + size] for start in range(0, len(queries), size)]


def _find(
    cells: Cells,
    queries: IntArray,
    codes: NDArray[np.int32],
    sizes: IntArray,
    ranks: FloatArray,
    n_jobs: int | None,
) -> tuple[NDArray[np.int32], FloatArray]:
    """Find neighbours and their shares, for blocks of queries in parallel."""
    shape = len(queries), len(codes), len(sizes) * ranks.shape[1]
    neighbours, shares = np.empty(shape, dtype=np.int32), np.empty(shape)
    block = max(1, min(_BLOCK, _DISTANCE_BYTES // (8 * codes.shape[1])))
    # short enough to be interrupted: a kernel does not hear of Ctrl-C
    n_parts = max(4 * effective_n_jobs(n_jobs), -(-len(queries) // (8 * block)))
    tasks = [
        (cells, queries[part], codes, sizes, ranks, block, neighbours[part], shares[part])
        for part in slices(len(queries), n_parts)
    ]
    run_in_threads(find_neighbours, tasks, n_jobs)
    return neighbours, shares


def _add(
    cells: Cells,
    queries: IntArray,
    neighbours: NDArray[np.int32],
    shares: FloatArray,
    totals: FloatArray,
    n_jobs: int | None,
) -> None:
    """Add differences to the totals of all columns, for blocks of columns in parallel."""

    def add_block(positions: IntArray) -> None:
        rows = np.ascontiguousarray(cells.values[positions].T)
        sums = np.ascontiguousarray(totals[:, positions])  # which is in column order
        kind = int(cells.kinds[positions[0]])
        add_differences(rows, kind, cells.unknown[positions], queries, neighbours, shares, sums)
        totals[:, positions] = sums

    width = int(np.clip(-(-len(cells.values) // effective_n_jobs(n_jobs)), *_WIDTHS))
    blocks = []
    for kind in np.unique(cells.kinds):
        positions = np.flatnonzero(cells.kinds == kind)
        blocks += [positions[i : i + width] for i in range(0, len(positions), width)]
    run_in_threads(add_block, [(positions,) for positions in blocks], n_jobs)
