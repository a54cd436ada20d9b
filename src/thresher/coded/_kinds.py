"""What columns of Arrow types are, as numbers or as levels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Kind

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["as_numbers", "as_text", "dictionary_of", "kind_of"]

FloatArray = NDArray[np.float64]

_PER_SECOND = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
_SECONDS_PER_DAY = 86_400.0


def kind_of(dtype: pa.DataType) -> Kind | None:
    """Kind of a column; None if it cannot be an input."""
    import pyarrow.types as of

    if of.is_boolean(dtype):
        return "boolean"
    if of.is_integer(dtype) or of.is_floating(dtype) or of.is_decimal(dtype) or of.is_null(dtype):
        return "numeric"
    if of.is_timestamp(dtype) or of.is_date(dtype) or of.is_duration(dtype):
        return "datetime"
    if of.is_dictionary(dtype):
        within = kind_of(dtype.value_type)
        return "categorical" if within in ("string", "numeric", "boolean") else None
    if of.is_string(dtype) or of.is_large_string(dtype) or str(dtype) == "string_view":
        return "string"
    return None


def as_numbers(column: pa.Array) -> FloatArray:
    """Cells as float64, missing ones as NaN; moments as seconds since 1970, as in memory."""
    import pyarrow as pa
    import pyarrow.types as of

    dtype = column.type
    scale = 1.0
    if of.is_timestamp(dtype) or of.is_duration(dtype):
        scale = _PER_SECOND[dtype.unit]
        column = column.cast(pa.int64())
    elif of.is_date32(dtype):
        scale = 1.0 / _SECONDS_PER_DAY
        column = column.cast(pa.int32())
    elif of.is_date64(dtype):
        scale = 1e3
        column = column.cast(pa.int64())
    elif of.is_boolean(dtype):
        column = column.cast(pa.uint8())
    if not of.is_float64(column.type):
        column = column.cast(pa.float64(), safe=False)
    numbers: FloatArray = column.to_numpy(zero_copy_only=False)
    return numbers if scale == 1.0 else numbers / scale


def as_text(column: pa.Array) -> pa.Array:
    """Cells as text; of a dictionary, what its keys stand for."""
    import pyarrow as pa
    import pyarrow.types as of

    if of.is_dictionary(column.type):
        levels = column.dictionary.cast(pa.large_string())
        column = pa.DictionaryArray.from_arrays(column.indices, levels).dictionary_decode()
    return column if of.is_large_string(column.type) else column.cast(pa.large_string())


def dictionary_of(column: pa.Array) -> list[Any]:
    """Levels that a dictionary column declares, as text, in its order."""
    import pyarrow as pa

    return list(column.dictionary.cast(pa.large_string()).to_pylist())
