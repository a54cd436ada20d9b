"""From typed columns to numbers: all that is learned is learned from the training rows."""

from typing import Any

import numpy as np

Pair = tuple[np.ndarray, np.ndarray]


def codes(train: Any, test: Any) -> Pair:
    """Return a column of numbers for each variable; missing cells and new levels are NaN."""
    pairs = [_codes(train[name], test[name]) for name in train.columns]
    return tuple(np.column_stack(part) for part in zip(*pairs, strict=True))


def standardised(train: Any, test: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return numbers of mean 0 and variance 1, and the variable that each column was made from.

    A number that is missing gets the median; a missing category is a level of its own, and a level
    that no training row has is none of the levels.
    """
    pairs = [
        _filled(train[name], test[name])
        if is_numeric(train[name])
        else _indicators(train[name], test[name])
        for name in train.columns
    ]
    made = np.repeat(np.arange(len(pairs)), [first.shape[1] for first, _ in pairs])
    first, second = (np.column_stack(part) for part in zip(*pairs, strict=True))
    mean, scale = first.mean(axis=0), first.std(axis=0)
    scale[scale < 1e-12] = 1.0
    return (first - mean) / scale, (second - mean) / scale, made


def is_numeric(column: Any) -> bool:
    return column.dtype.kind in "iufb"


def _numbers(column: Any) -> np.ndarray:
    return column.to_numpy(dtype=np.float64, na_value=np.nan)


def _codes(train: Any, test: Any) -> Pair:
    if is_numeric(train):
        return _numbers(train), _numbers(test)
    levels = {level: code for code, level in enumerate(sorted(train.dropna().unique()))}
    return tuple(
        np.array([levels.get(cell, np.nan) for cell in part], dtype=np.float64)
        for part in (train, test)
    )


def _filled(train: Any, test: Any) -> Pair:
    numbers = [_numbers(part) for part in (train, test)]
    present = numbers[0][~np.isnan(numbers[0])]
    median = np.median(present) if len(present) else 0.0
    return tuple(np.where(np.isnan(part), median, part)[:, None] for part in numbers)


def _indicators(train: Any, test: Any) -> Pair:
    """Return a column for each level; the level after the last one is that of missing cells."""
    first, second = _codes(train, test)
    missing = np.isnan(first).any()
    n_levels = int(np.nanmax(first, initial=-1)) + 1
    first = np.where(np.isnan(first), n_levels, first)
    second = np.where(np.asarray(test.isna()), n_levels, second)
    levels = np.arange(max(n_levels + missing, 1))
    return tuple((part[:, None] == levels).astype(np.float64) for part in (first, second))
