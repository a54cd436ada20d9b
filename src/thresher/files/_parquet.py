"""Parquet; types are those of the file, dictionary columns become Categorical or Enum."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._arrow import frame_from_arrow
from ._format import Format
from ._source import Source

if TYPE_CHECKING:
    import polars as pl

__all__ = ["PARQUET"]


def _read_parquet(source: Source) -> pl.DataFrame:
    import pyarrow as pa
    import pyarrow.parquet as pq

    def table() -> Any:
        file = pq.ParquetFile(pa.BufferReader(source.data))
        # names that occur twice are refused, and threads that read on would outlive the refusal
        names = file.schema_arrow.names
        return file.read(use_threads=len(set(names)) == len(names))

    return frame_from_arrow(table, source, "Parquet")


PARQUET = Format(
    "parquet", (".parquet", ".pq"), _read_parquet, text=False, needs=("polars", "pyarrow")
)
