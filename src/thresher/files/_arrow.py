"""Arrow IPC, as a file (Feather version 2) or as a stream; types are those of the file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._format import Format
from ._names import column_names
from ._source import Source

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ARROW", "frame_from_arrow"]

_FILE_MAGIC = b"ARROW1"


def _read_arrow(source: Source) -> pl.DataFrame:
    import pyarrow as pa

    is_file = source.data.startswith(_FILE_MAGIC)
    opened = pa.ipc.open_file if is_file else pa.ipc.open_stream
    kind = "Arrow" if is_file else "Arrow stream"
    return frame_from_arrow(lambda: opened(pa.BufferReader(source.data)).read_all(), source, kind)


ARROW = Format(
    "arrow", (".arrow", ".feather", ".ipc"), _read_arrow, text=False, needs=("polars", "pyarrow")
)


def frame_from_arrow(read: Callable[[], Any], source: Source, kind: str) -> pl.DataFrame:
    """Return the frame for the pyarrow table that ``read`` gives, or raise for a corrupt file."""
    import polars as pl
    import pyarrow as pa

    try:
        table = read()
        # Bytes that were damaged after writing may decode to offsets far outside their buffers.
        table.validate(full=True)
        names = table.schema.names
    except (pa.ArrowException, OSError, ValueError) as problem:
        reason = str(problem).partition("\n")[0]
        raise source.error(f"corrupt, or not a {kind} file ({reason})") from problem
    table = table.rename_columns(column_names(names, source))
    try:
        frame = pl.from_arrow(table)
    except (pl.exceptions.PolarsError, ValueError, TypeError) as problem:
        raise source.error(f"polars cannot take its columns ({problem})") from problem
    assert isinstance(frame, pl.DataFrame)
    return frame
