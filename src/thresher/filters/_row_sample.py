"""Rows of a coded table for filters that compare rows, or need its numbers all at once."""

import warnings

import numpy as np

from thresher.columns import CodedColumns, Columns
from thresher.evaluators import Target

__all__ = ["few_rows"]

#: Bytes for each cell while a filter works on a table of numbers: itself, and copies of it.
_BYTES_PER_CELL = 40
_FEWEST = 1000


def few_rows(
    columns: Columns, target: Target, seed: int, *, most: int, who: str
) -> tuple[Columns, Target]:
    """Return a table in memory: the one given, or a random sample of a coded one.

    Parameters
    ----------
    columns : Columns
        The table.
    target : Target
        Of its rows.
    seed : int
        Of the sample.
    most : int
        Rows at most, if the table is a coded one.
    who : str
        Who looks at them, for the warning.
    """
    if not isinstance(columns, CodedColumns):
        return columns, target
    fit = columns.memory // (_BYTES_PER_CELL * columns.n_columns)
    n_rows = min(columns.n_rows, most, max(fit, _FEWEST))
    if n_rows == columns.n_rows:
        return columns.plain(), target
    warnings.warn(
        f"{who} looks at a random sample of {n_rows} of {columns.n_rows} rows: it needs a table of "
        "numbers in memory",
        UserWarning,
        stacklevel=5,
    )
    drawn = np.random.default_rng(seed).choice(columns.n_rows, n_rows, replace=False)
    rows = np.sort(drawn)
    return columns.plain(rows), Target(target.raw[rows], target.values[rows], target.classes)
