"""Parquet; types are those of the file, dictionary columns become Categorical or Enum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._arrow import frame_from_arrow
from ._format import Format
from ._source import Source

if TYPE_CHECKING:
    import polars as pl

__all__ = ["PARQUET"]


def _read_parquet(source: Source) -> pl.DataFrame:
    import pyarrow as pa
    import pyarrow.parquet as pq

    return frame_from_arrow(
        lambda: pq.ParquetFile(pa.BufferReader(source.data)).read(), source, "Parquet"
    )


PARQUET = Format(
    "parquet", (".parquet", ".pq"), _read_parquet, text=False, needs=("polars", "pyarrow")
)
