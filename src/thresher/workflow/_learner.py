"""Whose losses a validation shows, if the user names nobody."""

from dataclasses import replace
from typing import Any

import numpy as np

from thresher.columns import CodedColumns, Columns, Kind
from thresher.evaluators import Task

__all__ = ["as_numbers", "default_learner"]

#: Boosting learns nothing from the few rows that its leaves ask for.
_FEW_ROWS = 500


def default_learner(task: Task, n_rows: int) -> Any:
    """Return gradient boosting, or a random forest where rows are few."""
    from sklearn import ensemble

    if n_rows >= _FEW_ROWS:
        kinds = ensemble.HistGradientBoostingClassifier, ensemble.HistGradientBoostingRegressor
        return kinds[task == "regression"]()
    if task == "classification":
        return ensemble.RandomForestClassifier()
    return ensemble.RandomForestRegressor(max_features=1 / 3)


def as_numbers(columns: Columns) -> Columns:
    """Number the levels of categorical columns, which is enough for trees; gaps stay gaps."""
    if isinstance(columns, CodedColumns):
        columns = columns.plain()
    if columns.is_numeric:
        return columns
    plain_kind: Kind = "numeric"
    table = np.empty((columns.n_rows, columns.n_columns), order="F")
    plain = np.flatnonzero(~columns.has_levels)
    for positions, block in columns.numeric_blocks(plain.tolist()):
        table[:, positions] = block
    for p in np.flatnonzero(columns.has_levels).tolist():
        codes, _ = columns.levels(p)
        table[:, p] = np.where(codes < 0, np.nan, codes)
    return replace(columns, table=table, kinds=(plain_kind,) * columns.n_columns)
