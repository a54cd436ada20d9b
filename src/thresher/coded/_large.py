"""Whether a table can be read whole."""

import os
from pathlib import Path
from typing import Any

from thresher.files import FORMATS
from thresher.files._source import is_stdin

from ._memory import read_memory
from ._sources import DataFile, check_suffix

__all__ = ["is_large"]

#: Bytes for each cell of a table that is read whole: the file, the table, and what is made of it.
_BYTES_PER_CELL = 24
#: How much larger than its file a table of text is.
_TIMES_TEXT = 4


def is_large(path: str | os.PathLike[str], memory: Any = None) -> bool:
    """Whether a table must be coded to be worked with: a folder, or a file too large for memory.

    Parameters
    ----------
    path : str or path
        The file or folder.
    memory : int or str, optional
        What there is; without it, no file is too large.

    Raises
    ------
    TableError
        If a file is too large, but of a kind that cannot be read a part at a time.
    """
    size = None if memory is None else read_memory(memory)
    if is_stdin(path):
        return False
    place = Path(path)
    if place.is_dir():
        return True
    if size is None or not place.is_file():
        return False
    if place.name.lower().endswith(FORMATS["parquet"].suffixes + FORMATS["arrow"].suffixes):
        file = DataFile(place, str(place))
        return file.n_rows * len(file.names) * _BYTES_PER_CELL > size
    if place.stat().st_size * _TIMES_TEXT > size:
        check_suffix(place, place)
    return False
