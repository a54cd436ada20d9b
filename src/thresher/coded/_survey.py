"""The first pass over all rows: where to cut numbers, which levels there are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.columns import ColumnCodes, listed
from thresher.files import TableError
from thresher.parallel import run_in_threads

from ._kinds import as_numbers
from ._level_counts import LevelCounts
from ._memory import Plan
from ._sketch import NumberSketch
from ._sources import Dataset

__all__ = ["survey"]


def survey(
    data: Dataset, plan: Plan, max_bins: int, n_jobs: int | None
) -> tuple[tuple[ColumnCodes, ...], NDArray[np.bool_]]:
    """Look at all cells once; return what codes are to stand for, and which columns are constant.

    Parameters
    ----------
    data : Dataset
        The table.
    plan : Plan
        How much of it to look at together.
    max_bins : int
        Codes of each column, the one for missing cells included.
    n_jobs : int, optional
        Threads.
    """
    coding: list[ColumnCodes] = []
    constant: list[bool] = []
    for start in range(0, len(data.names), plan.n_columns):
        sketches = _sketches(data, range(start, min(start + plan.n_columns, len(data.names))),
                             plan, max_bins, n_jobs)  # fmt: skip
        for sketch in sketches:
            coding.append(sketch.cut(max_bins - 1))
            constant.append(sketch.is_constant)
    return tuple(coding), np.array(constant)


def _sketches(
    data: Dataset, positions: Sequence[int], plan: Plan, max_bins: int, n_jobs: int | None
) -> list[NumberSketch | LevelCounts]:
    sketches: list[NumberSketch | LevelCounts] = [
        LevelCounts(declared=data.kinds[p] == "categorical")
        if data.kinds[p] in ("categorical", "string")
        else NumberSketch(data.n_rows, max_bins - 1)
        for p in positions
    ]
    infinite: list[int] = []

    def look(k: int) -> None:
        sketch = sketches[k]
        if isinstance(sketch, LevelCounts):
            sketch.add(arrays[k])
        elif not sketch.add(as_numbers(arrays[k])):
            infinite.append(k)

    names = [data.names[p] for p in positions]
    for file, arrays in data.batches(names, plan.n_rows):  # noqa: B007 - `look` uses them
        run_in_threads(look, [(k,) for k in range(len(positions))], n_jobs)
        if infinite:
            wrong = listed([names[k] for k in sorted(infinite)])
            raise TableError(
                f"{file.name}: infinity, or a value too large for float64, in column(s) {wrong}; "
                "replace it, for instance by a missing value"
            )
    return sketches
