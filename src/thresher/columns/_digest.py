"""Fingerprints of columns, by which a table is known again."""

import narwhals.stable.v2 as nw
import numpy as np

from thresher.journal import digest

from ._coded import CodedColumns
from ._columns import Columns, is_frame

__all__ = ["column_digests"]


def column_digests(columns: Columns) -> dict[str, str]:
    """Fingerprint of the values of each column, by its name and in the order of the table.

    Numbers are compared as numbers and levels as text: the same table from another file or
    library has the same fingerprints.

    Examples
    --------
    >>> from thresher.columns import read_columns
    >>> one, same = (read_columns([[1.0, 2.0], [3.0, x]]) for x in (4.0, 4))
    >>> column_digests(one) == column_digests(same)
    True
    """
    if isinstance(columns, CodedColumns):  # may be larger than memory
        return {
            name: digest(columns.codes.column(p), own.edges, own.values, own.levels).hex()
            for p, (name, own) in enumerate(zip(columns.names, columns.coding, strict=True))
        }
    found: dict[str, str] = {}
    numbers = np.flatnonzero(~columns.has_levels).tolist()
    for positions, block in columns.numeric_blocks(numbers):
        for position, values in zip(positions.tolist(), block.T, strict=True):
            # a learner may compute with single precision what comes with it
            single = _is_single(columns, position)
            found[columns.names[position]] = digest(values, *(["single"] if single else [])).hex()
    for position in np.flatnonzero(columns.has_levels).tolist():
        codes, levels = columns.levels(position)
        found[columns.names[position]] = digest(codes, levels).hex()
    return {name: found[name] for name in columns.names}


def _is_single(columns: Columns, position: int) -> bool:
    if is_frame(columns.table):
        return bool(columns.series(position).dtype == nw.Float32)
    return bool(columns.table.dtype == np.float32)
