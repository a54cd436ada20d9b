"""What `ACE` takes of the rows: their weights, and the target in plain numbers."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.columns import CodedColumns, Columns, read_columns
from thresher.evaluators import Target

__all__ = ["outcome_of", "weights_of", "without_weightless"]

FloatArray = NDArray[np.float64]

MIN_ROWS_PER_CLASS = 3


def weights_of(sample_weight: Any, n_rows: int) -> FloatArray:
    """Check the weights of rows; 1 at most."""
    if sample_weight is None:
        return np.ones(n_rows)
    try:
        weight = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight must hold numbers: {error}") from error
    if weight.shape != (n_rows,):
        raise ValueError(f"sample_weight must have shape ({n_rows},); got {weight.shape}")
    bad = np.flatnonzero(~(np.isfinite(weight) & (weight >= 0)))
    if len(bad):
        raise ValueError(
            f"sample_weight must hold finite numbers that are not negative; row {bad[0]} has "
            f"{weight[bad[0]]}"
        )
    if not weight.any():
        raise ValueError("sample_weight is zero in all rows")
    return np.asarray(weight / weight.max())  # their sum may be too large for a number


def without_weightless(
    table: Columns, target: Target, weight: FloatArray
) -> tuple[Columns, Target, FloatArray]:
    """Rows that count for nothing are left out, as if they were not there."""
    rows = np.flatnonzero(weight)
    if len(rows) == len(weight):
        return table, target, weight
    if isinstance(table, CodedColumns):
        cut: Columns = table.sample(rows)
    else:
        cut = read_columns(table.take(range(table.n_variables), rows), names=list(table.names))
    if cut.constant.all():
        raise ValueError(
            f"all {cut.n_columns} column(s) of X are constant in the {len(rows)} rows whose "
            "sample_weight is not zero: there is nothing to select from"
        )
    cut = replace(
        cut,
        variables=table.variables,
        variable_names=table.variable_names,
        required=table.required,
    )
    return cut, replace(target, values=target.values[rows], raw=target.raw[rows]), weight[rows]


def outcome_of(target: Target, weight: FloatArray) -> tuple[NDArray[Any], int]:
    """The target as numbers of mean 0 and variance 1, or as classes and how many there are."""
    n_rows = len(weight)
    if target.classes is None:
        largest = float(np.abs(target.values).max())
        values = target.values / largest if largest > 0 else target.values
        centred = values - weight @ values / weight.sum()
        spread = np.sqrt(weight @ centred**2 / weight.sum())
        if not spread > 1e-12:
            raise ValueError(
                f"y is constant ({target.values[0]:g} in all {n_rows} rows): nothing can explain it"
            )
        return centred / spread, 0
    present = np.flatnonzero(np.bincount(target.values))
    if len(present) < 2:
        raise ValueError(f"y has only 1 class in the {n_rows} rows with weight; expected 2 or more")
    if n_rows < MIN_ROWS_PER_CLASS * len(present):
        raise ValueError(
            f"y has {len(present)} classes in {n_rows} rows; ACE needs at least "
            f"{MIN_ROWS_PER_CLASS} rows for each class on average. If y is a number, use "
            "task='regression'; else merge rare classes"
        )
    if len(present) <= present[-1]:
        return np.searchsorted(present, target.values), len(present)
    return target.values, len(present)
