"""The second pass over all rows: codes, column after column, into one file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from thresher.columns import ColumnCodes
from thresher.kernels.binning import assign_codes
from thresher.parallel import run_in_threads

from ._kinds import as_numbers, as_text
from ._memory import Plan
from ._sources import Dataset

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["write_codes"]

#: Bytes after which the system is asked to put them on the disk, so that they do not pile up.
_FLUSH = 64 * 2**20


def write_codes(
    data: Dataset,
    coding: Sequence[ColumnCodes],
    places: NDArray[np.intp],
    path: Path,
    plan: Plan,
    n_jobs: int | None,
) -> tuple[tuple[ColumnCodes, ...], list[int]]:
    """Code all cells; return what codes stand for, now with counts, and a checksum of each column.

    Bytes are written, not mapped: a full disk is then an error, and not the end of the process.

    Parameters
    ----------
    data : Dataset
        The table.
    coding : sequence of ColumnCodes
        From `survey`.
    places : int array of shape (n_columns,)
        Where in the file the codes of each column go.
    path : Path
        The file to be made.
    plan : Plan
        How much to look at together.
    n_jobs : int, optional
        Threads.
    """
    n_rows, n_columns = data.n_rows, len(data.names)
    counts = [np.zeros(own.n_bins + 1, dtype=np.intp) for own in coding]
    sums = [0] * n_columns
    with path.open("w+b", buffering=0) as out:
        _reserve(out.fileno(), n_rows * n_columns)
        n_dirty = 0
        for start in range(0, n_columns, plan.n_columns):
            positions = range(start, min(start + plan.n_columns, n_columns))
            done = 0

            def code(k: int, column: pa.Array) -> NDArray[np.uint8]:
                p = positions[k]  # noqa: B023 - used up before it changes
                codes = _coded(column, coding[p])
                counts[p] += np.bincount(codes, minlength=len(counts[p]))
                sums[p] = crc32(codes.data, sums[p])
                return codes

            for _, arrays in data.batches([data.names[p] for p in positions], plan.n_rows):
                for p, codes in zip(
                    positions, run_in_threads(code, list(enumerate(arrays)), n_jobs), strict=True
                ):
                    _put(out.fileno(), codes, int(places[p]) * n_rows + done)
                    n_dirty += len(codes)
                done += len(arrays[0])
                if n_dirty >= _FLUSH:
                    os.fsync(out.fileno())
                    n_dirty = 0
        os.fsync(out.fileno())
    found = tuple(replace(own, counts=some) for own, some in zip(coding, counts, strict=True))
    return found, sums


def _coded(column: pa.Array, own: ColumnCodes) -> NDArray[np.uint8]:
    codes = np.empty(len(column), dtype=np.uint8)
    if len(own.values):
        assign_codes(as_numbers(column), own.edges, own.n_bins, codes)
        return codes
    import pyarrow as pa
    import pyarrow.compute as pc

    text = as_text(column)
    named = [level for level in own.levels if level is not None]
    found = pc.index_in(text, value_set=pa.array(named, pa.large_string()))
    others = len(named)  # the code of rare levels, if there are any
    codes[:] = found.fill_null(others).to_numpy(zero_copy_only=False)
    if text.null_count:
        codes[np.asarray(text.is_null())] = own.n_bins
    return codes


def _reserve(file: int, size: int) -> None:
    """Have the disk say now whether there is room."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, size)
    else:
        os.ftruncate(file, size)


def _put(file: int, codes: NDArray[np.uint8], where: int) -> None:
    left = codes.data
    while left:
        if hasattr(os, "pwrite"):
            n_written = os.pwrite(file, left, where)
        else:
            os.lseek(file, where, os.SEEK_SET)
            n_written = os.write(file, left)
        left, where = left[n_written:], where + n_written
