"""How much memory there is, and what it is spent on while a table is coded."""

import re
from dataclasses import dataclass
from typing import Any

from thresher.columns import bytes_in_words

__all__ = ["Plan", "make_plan", "read_memory"]

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY = {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_LEAST = 32 * 10**6
#: What it takes to read a column: pages and dictionaries of a file, and its sketch.
_COLUMN = 4 * 2**20
#: A cell while it is read, turned into a number and sorted; text takes more.
_NUMBER, _TEXT = 40, 120
_MOST_ROWS = 2**19


def read_memory(memory: Any) -> int:
    """Turn a limit such as "2GB", "512 MiB" or a number of bytes into bytes.

    Examples
    --------
    >>> read_memory("1.5GB"), read_memory("64MiB"), read_memory(10**9)
    (1500000000, 67108864, 1000000000)
    """
    wrong = f"memory must be a number of bytes or text such as '2GB' or '512MB'; got {memory!r}"
    if isinstance(memory, str):
        found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?\s*", memory.lower())
        if found is None:
            raise ValueError(wrong)
        number, unit, binary = found.groups()
        size = int(float(number) * (_BINARY if binary and unit else _UNITS)[unit])
    elif isinstance(memory, bool) or not isinstance(memory, (int, float)):
        raise ValueError(wrong)
    else:
        size = int(memory)
    if size < _LEAST:
        raise ValueError(f"memory must be at least {bytes_in_words(_LEAST)}; got {memory!r}")
    return size


@dataclass(frozen=True)
class Plan:
    """How many columns are looked at together, and how many rows at a time."""

    n_columns: int
    n_rows: int


def make_plan(memory: int, n_rows: int, has_text: list[bool]) -> Plan:
    """Share out memory: half for the target, a quarter for columns, a quarter for rows.

    Parameters
    ----------
    memory : int
        Bytes.
    n_rows : int
        Of the whole table.
    has_text : list of bool
        Of each column, whether it holds text.
    """
    if 8 * n_rows > memory // 2:
        raise ValueError(
            f"memory={bytes_in_words(memory)} is not enough for {n_rows} rows: their target alone "
            f"takes {bytes_in_words(8 * n_rows)}, and may take half of it"
        )
    n_columns = max(1, min(len(has_text), memory // 4 // _COLUMN))
    widest = _TEXT if any(has_text) else _NUMBER
    fit = memory // 4 // (n_columns * widest)
    return Plan(n_columns, max(256, min(_MOST_ROWS, fit)))
