"""Set the target apart from the features and bring both into their final form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._format import SparseRows
from ._names import shown, unknown_column
from ._source import Source
from ._table import Table

if TYPE_CHECKING:
    import polars as pl

__all__ = ["split_frame", "split_sparse"]

_NO_ROWS = "there are columns but no rows"


def split_frame(
    frame: pl.DataFrame, source: Source, target: str | None, drop: tuple[str, ...]
) -> Table:
    """Return the table for a data frame that holds the target among its columns."""
    import polars as pl

    if not frame.height:
        raise source.error(_NO_ROWS)
    names = frame.columns
    if target is None:
        raise source.error(f"say which column is the target, {shown(names[-1])} for instance")
    _check_names(names, source, target, drop)
    left_out = {target, *drop}
    features = [series for series in frame.get_columns() if series.name not in left_out]
    if not features:
        raise source.error(f"no column is left besides the target {shown(target)}")
    X = pl.DataFrame([_plain(series, source) for series in features])
    y = _target_array(_plain(frame.get_column(target), source), source)
    return Table(X, y, tuple(X.columns), target)


def split_sparse(
    rows: SparseRows, source: Source, target: str | None, drop: tuple[str, ...]
) -> Table:
    """Return the table for sparse rows, whose target has a fixed name."""
    if not len(rows.y):
        raise source.error("no rows")
    label = rows.target_name
    if target not in (None, label):
        raise source.error(f"the target of such files is called {label!r}, not {target!r}")
    _check_names((*rows.feature_names, label), source, label, drop)
    gaps = np.flatnonzero(np.isnan(rows.y))
    _check_gaps(label, gaps, source)
    kept = [i for i, name in enumerate(rows.feature_names) if name not in set(drop)]
    if not kept:
        raise source.error(f"no column is left besides the target {label!r}")
    X = rows.X if len(kept) == len(rows.feature_names) else rows.X[:, kept]
    return Table(X, rows.y, tuple(rows.feature_names[i] for i in kept), label)


def _check_names(names: Sequence[str], source: Source, target: str, drop: tuple[str, ...]) -> None:
    known = set(names)
    if target not in known:
        raise unknown_column("target", target, names, source)
    for name in drop:
        if name not in known:
            raise unknown_column("dropped", name, names, source)
        if name == target:
            raise source.error(f"the target {shown(target)} cannot be dropped")


def _plain(series: pl.Series, source: Source) -> pl.Series:
    """Return a column of a type that the library works with, missing values being null."""
    import polars as pl

    dtype = series.dtype
    if dtype.is_float():
        # The look through numpy is far cheaper than fill_nan when there are 100,000 columns.
        any_nan = np.isnan(series.to_numpy()).sum() > series.null_count()
        return series.fill_nan(None) if any_nan else series
    if dtype.is_decimal() or dtype == pl.Null:
        return series.cast(pl.Float64)
    text = (pl.Boolean, pl.String, pl.Categorical, pl.Enum)
    if dtype.is_integer() or dtype.is_temporal() or dtype in text:
        return series
    what = "nested" if dtype.is_nested() else "unsupported"
    raise source.error(f"column {shown(series.name)} holds {what} values ({dtype}); drop it")


def _target_array(series: pl.Series, source: Source) -> NDArray[Any]:
    import polars as pl

    if series.dtype.is_temporal():
        raise source.error(
            f"the target {shown(series.name)} holds dates or times ({series.dtype}): "
            "neither classes nor numbers"
        )
    _check_gaps(series.name, np.flatnonzero(series.is_null().to_numpy()), source)
    if series.dtype.is_float():
        return series.cast(pl.Float64).to_numpy()
    if series.dtype.is_integer() or series.dtype == pl.Boolean:
        return series.to_numpy()
    return np.array(series.to_list(), dtype=object)


def _check_gaps(target: str, gaps: NDArray[np.intp], source: Source) -> None:
    if gaps.size:
        values = "value" if gaps.size == 1 else "values"
        raise source.error(
            f"the target {shown(target)} has {gaps.size} missing {values}, "
            f"the first in data row {gaps[0] + 1}; drop these rows or fill them in"
        )
