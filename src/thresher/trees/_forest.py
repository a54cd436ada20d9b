"""Importances of columns and their contrasts in small random forests."""

import math

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Binned
from thresher.kernels import forest as kernels
from thresher.parallel import run_in_threads

__all__ = ["forest_importances", "n_candidates"]

FloatArray = NDArray[np.float64]

#: Half of the rows choose the cuts, the other half judge them: with less, judging gets too noisy.
SHARE_IN_BAG = 0.5
#: Of longer tables each tree draws so many rows: all trees together still see all of them.
MAX_ROWS = 6000
#: Nodes with fewer rows in either half hardly earn anything and cost most of the time: at least
#: this number, and in long tables this share of a tree's rows.
MIN_NODE = 20
MIN_NODE_SHARE = 0.01
MAX_DEPTH = 64


def n_candidates(n_columns: int) -> int:
    """Columns to try at each node: twice the root of their number.

    More raise the power on few columns a little, but cost in proportion.
    """
    return min(n_columns, math.ceil(2 * math.sqrt(n_columns)))


def forest_importances(
    binned: Binned,
    target: FloatArray,
    weight: FloatArray,
    permutations: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    *,
    n_trees: int,
    n_jobs: int | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Grow a forest for each permutation, on the columns and on their permuted copies.

    Cuts come from the rows in the bag; the winner at a node, and what it earns, from the rows out
    of the bag. A cut whose sides differ the other way round there earns nothing.

    Parameters
    ----------
    binned : Binned
        The columns.
    target : array of shape (n_rows, K)
        One or several outputs; trees are shared by all.
    weight : array of shape (n_rows,)
        Of the rows.
    permutations : int array of shape (n_replicates, n_rows)
        Contrasts of a replicate are all columns with their rows in this order.
    seeds : uint64 array of shape (n_replicates,)
        One for each forest.
    n_trees : int
        Trees in each forest.
    n_jobs : int, optional
        Threads; the result does not depend on it.

    Returns
    -------
    importances, contrasts : arrays of shape (n_replicates, n_columns)
        Share of the target's variance that splits on the column explain, summed over the levels of
        a tree and averaged over trees.
    """
    n_columns, n_rows = binned.codes.shape
    outputs = standardised(target, weight)
    n_used = min(n_rows, MAX_ROWS)
    node = min(max(MIN_NODE, int(MIN_NODE_SHARE * n_used)), max(4, n_used // 8))
    leaf = max(2, node // 3)

    def one_forest(replicate: int) -> FloatArray:
        earned = np.zeros(2 * n_columns)
        kernels.forest_importances(
            binned.codes, binned.n_bins, binned.categorical, outputs, weight,
            permutations[replicate], n_trees, n_candidates(n_columns), SHARE_IN_BAG,
            MAX_ROWS, node, node, float(leaf), MAX_DEPTH, seeds[replicate], earned,
        )  # fmt: skip
        return earned

    rows_out = n_used - int(SHARE_IN_BAG * n_used)
    tasks = [(replicate,) for replicate in range(len(seeds))]
    earned = np.array(run_in_threads(one_forest, tasks, n_jobs)) / (n_trees * rows_out)
    return earned[:, :n_columns], earned[:, n_columns:]


def standardised(target: FloatArray, weight: FloatArray) -> FloatArray:
    """Outputs with weighted mean 0 and variances that sum to 1."""
    centred = target - weight @ target / weight.sum()
    spread = float(np.sqrt((weight @ centred**2).sum() / weight.sum()))
    return np.ascontiguousarray(centred / spread if spread > 0 else centred)
