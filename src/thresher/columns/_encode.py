"""Mixed columns as plain numbers, for learners that know nothing else."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ._coded import CodedColumns
from ._columns import Columns, Kind

__all__ = ["encode"]

FloatArray = NDArray[np.float64]


def encode(columns: Columns, *, max_levels: int = 20) -> Columns:
    """Rewrite a table as numbers without missing cells; variables stay what they are.

    Numbers are standardised, with missing cells at the median and flagged in a column of their own.
    Categories become one indicator per level except the most frequent one; of many levels the
    ``max_levels`` most frequent get an indicator and the rest share the reference. Where no level
    repeats, as in a column of identifiers, the place of the level in sorted order is the number. A
    variable may thus become several columns, which stand or fall together. The target is never
    looked at.

    Examples
    --------
    >>> import pandas as pd
    >>> from thresher.columns import read_columns
    >>> table = pd.DataFrame({"size": [1.0, None, 3.0, 2.0], "hue": ["a", "b", "c", "a"]})
    >>> columns = read_columns(table)
    >>> encoded = encode(columns)
    >>> encoded.names
    ('size', 'size is missing', 'hue = b', 'hue = c')
    >>> [variable.tolist() for variable in encoded.variables]
    [[0, 1], [2, 3]]
    """
    if isinstance(columns, CodedColumns):
        columns = columns.plain()
    parts: list[FloatArray] = []
    names: list[str] = []
    made: list[list[int]] = []
    has_levels = columns.has_levels
    for p, name in enumerate(columns.names):
        if has_levels[p]:
            block, labels = _indicators(*columns.levels(p), name, max_levels)
        else:
            block, labels = _numbers(next(columns.numeric_blocks([p]))[1][:, 0], name)
        made.append(list(range(len(names), len(names) + len(labels))))
        parts.append(block)
        names += labels
    table = np.asfortranarray(np.hstack(parts))
    numeric: Kind = "numeric"
    return replace(
        columns,
        table=table,
        names=tuple(names),
        kinds=(numeric,) * len(names),
        n_missing=np.zeros(len(names), dtype=np.intp),
        constant=np.asarray((table == table[0]).all(axis=0)),
        variables=tuple(
            np.array([j for p in variable for j in made[p]], dtype=np.intp)
            for variable in columns.variables
        ),
    )


def _numbers(values: FloatArray, name: str) -> tuple[FloatArray, list[str]]:
    missing = np.isnan(values)
    if missing.all():
        return missing.astype(np.float64)[:, None], [f"{name} is missing"]
    largest = np.abs(values[~missing]).max()
    values = values / max(largest, np.finfo(np.float64).tiny)  # sums and squares stay finite
    filled = np.where(missing, np.median(values[~missing]), values)
    spread = filled.std()
    scaled = (filled - filled.mean()) / (spread if spread > 0 else 1.0)
    if not missing.any():
        return scaled[:, None], [name]
    return np.column_stack([scaled, missing.astype(np.float64)]), [name, f"{name} is missing"]


def _indicators(
    numbers: NDArray[np.int32], levels: tuple[str, ...], name: str, max_levels: int
) -> tuple[FloatArray, list[str]]:
    counts = np.bincount(numbers[numbers >= 0], minlength=len(levels))
    if len(levels) > 2 and counts.max() == 1:
        return _numbers(np.where(numbers < 0, np.nan, numbers), name)
    labels = [f"{name} = {level}" for level in levels]
    if (numbers < 0).any():
        numbers = np.where(numbers < 0, len(levels), numbers)
        labels.append(f"{name} is missing")
        counts = np.append(counts, (numbers == len(levels)).sum())
    by_frequency = np.argsort(-counts, kind="stable")
    if len(labels) <= max_levels + 1:
        shown = np.sort(by_frequency[1:] if len(labels) > 1 else by_frequency)
    else:
        shown = np.sort(by_frequency[:max_levels])
    block = (numbers[:, None] == shown[None, :]).astype(np.float64)
    return block, [labels[level] for level in shown]
