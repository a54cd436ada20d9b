"""Each column as uint8 codes: what trees, filters and naive Bayes count over."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.binning import assign_codes, quantile_edges
from thresher.parallel import effective_n_jobs, run_in_threads, slices

from ._coded import CodedColumns
from ._columns import Columns
from ._stored_bins import frequent_levels, stored_bins

__all__ = ["Binned", "bin_columns"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Rows that quantiles are taken from; more change the edges by less than a bin.
_SAMPLE = 50_000
_TASKS_PER_THREAD = 2


@dataclass(frozen=True, eq=False)
class Binned:
    """Columns as small integers.

    Parameters
    ----------
    codes : uint8 array of shape (n_columns, n_rows)
        Bin or level of each cell; ``n_bins[j]`` marks a missing cell of column j.
    n_bins : int array of shape (n_columns,)
        Codes of column j that stand for values are 0 .. n_bins[j] - 1.
    edges : tuple of arrays
        Numeric columns: code = number of edges below the value. Empty for categories.
    levels : tuple of tuples of str
        Categorical columns: level of each code; the last is None where rare levels share a code.
    categorical : bool array of shape (n_columns,)
        Whether the codes have no order.
    """

    codes: NDArray[np.uint8]
    n_bins: NDArray[np.intp]
    edges: tuple[FloatArray, ...]
    levels: tuple[tuple[str | None, ...], ...]
    categorical: NDArray[np.bool_]


def bin_columns(
    columns: Columns,
    *,
    max_bins: int = 255,
    max_levels: int | None = None,
    n_jobs: int | None = None,
) -> Binned:
    """Turn every column into uint8 codes.

    Parameters
    ----------
    columns : Columns
        Any mixture of kinds.
    max_bins : int, default=255
        Codes per column, the one for missing cells included; 3 to 256. A column with fewer distinct
        values keeps them all. Categories beyond that share the last code, the rarest first.
    max_levels : int, optional
        The same for categorical columns, where it shall be another number.
    n_jobs : int, optional
        Threads.

    Returns
    -------
    Binned
        Of a coded table, its own codes, mapped and not copied, unless columns have too many.

    Examples
    --------
    >>> from thresher.columns import read_columns
    >>> binned = bin_columns(read_columns([[0.5], [7.0], [float("nan")], [0.5]]))
    >>> binned.codes.tolist(), binned.n_bins.tolist(), binned.edges[0].tolist()
    ([[0, 1, 2, 0]], [2], [3.75])
    """
    if max_levels is None:
        max_levels = max_bins
    for name, value in (("max_bins", max_bins), ("max_levels", max_levels)):
        if not 3 <= value <= 256:
            raise ValueError(f"{name} must lie in 3 .. 256; got {value}")
    if isinstance(columns, CodedColumns):
        return _stored(columns, max_bins, max_levels)
    n_columns = columns.n_columns
    codes = np.empty((n_columns, columns.n_rows), dtype=np.uint8)
    edges: list[FloatArray] = [np.empty(0)] * n_columns
    levels: list[tuple[str | None, ...]] = [()] * n_columns
    categorical = columns.has_levels
    sample = _sample_rows(columns.n_rows)

    def bin_numbers(positions: IntArray, block: FloatArray) -> None:
        for position, values in zip(positions, block, strict=True):
            edges[position] = _edges(values if sample is None else values[sample], max_bins - 1)
            assign_codes(values, edges[position], len(edges[position]) + 1, codes[position])

    for positions, block in columns.numeric_blocks(np.flatnonzero(~categorical).tolist()):
        contiguous = np.ascontiguousarray(block.T)
        # several columns to a task: short ones take less time than handing them over
        parts = slices(len(positions), _TASKS_PER_THREAD * effective_n_jobs(n_jobs))
        run_in_threads(bin_numbers, [(positions[p], contiguous[p]) for p in parts], n_jobs)
    for p in np.flatnonzero(categorical).tolist():
        codes[p], levels[p] = _level_bins(*columns.levels(p), max_levels - 1)
    n_bins = [len(levels[p]) if categorical[p] else len(edges[p]) + 1 for p in range(n_columns)]
    return Binned(codes, np.array(n_bins, dtype=np.intp), tuple(edges), tuple(levels), categorical)


def _stored(columns: CodedColumns, max_bins: int, max_levels: int) -> Binned:
    stored = stored_bins(columns, max_bins, max_levels)
    codes = columns.codes.neighbours() if stored.is_as_stored else None
    if codes is None:
        columns.refuse_large(columns.n_rows, columns.n_columns, itemsize=1)
        codes = stored.rows()
    return Binned(codes, stored.n_bins, stored.edges, stored.levels, stored.categorical)


def _sample_rows(n_rows: int) -> NDArray[np.intp] | None:
    if n_rows <= _SAMPLE:
        return None
    # A fixed seed: bins are part of the data, not of the experiment.
    return np.random.default_rng(0).choice(n_rows, _SAMPLE, replace=False)


def _edges(values: FloatArray, max_bins: int) -> FloatArray:
    present = values[~np.isnan(values)]
    present.sort()
    found: FloatArray = quantile_edges(present, max_bins)
    return found


def _level_bins(
    numbers: NDArray[np.int32], levels: tuple[str, ...], max_bins: int
) -> tuple[NDArray[np.uint8], tuple[str | None, ...]]:
    kept: tuple[str | None, ...] = levels
    if len(levels) > max_bins:
        counts = np.bincount(numbers[numbers >= 0], minlength=len(levels))
        frequent, code_of = frequent_levels(counts, max_bins)
        numbers = np.where(numbers >= 0, code_of[numbers], -1)
        kept = (*(levels[level] for level in frequent), None)
    return np.where(numbers >= 0, numbers, len(kept)).astype(np.uint8), kept
