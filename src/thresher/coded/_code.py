"""The public function: a folder of files becomes a coded table, once."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.columns import CodedColumns, Codes, Labels

from ._folder import CODES, read_record, workshop
from ._memory import make_plan, read_memory
from ._record import check_belongs, columns_of, make_record, places, target_of, write_record
from ._sources import Dataset, open_dataset
from ._survey import survey
from ._target import read_target
from ._write import write_codes

__all__ = ["CodedTable", "code_dataset"]

_TASKS = ("auto", "classification", "regression")


class CodedTable:
    """A table of codes in a folder, and its target in memory.

    Used as a context manager, or closed, it removes its folder if that is a temporary one; so does
    the end of the program.

    Attributes
    ----------
    X : CodedColumns
        The inputs, as selectors take them.
    y : array or Labels
        The target: numbers, or classes with their names.
    folder : Path
        Where the codes are.
    target_name : str
        The target column.
    """

    def __init__(self, X: CodedColumns, y: NDArray[Any] | Labels, folder: Path, target_name: str):
        self.X = X
        self.y = y
        self.folder = folder
        self.target_name = target_name
        self._keeper = X.codes._keeper

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.X.n_rows

    def close(self) -> None:
        """Remove the folder, if it is a temporary one."""
        if self._keeper is not None:
            self._keeper.remove()

    def __enter__(self) -> CodedTable:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<CodedTable of {self.n_rows} rows x {self.X.n_columns} columns in {self.folder}>"


def code_dataset(
    path: str | os.PathLike[str],
    target: str | None,
    *,
    folder: str | os.PathLike[str] | None = None,
    memory: Any = "1GB",
    max_bins: int = 255,
    drop: Sequence[str] = (),
    task: str = "auto",
    n_jobs: int | None = None,
) -> CodedTable:
    r"""Code a table that may be larger than memory.

    All rows are read twice, a part at a time. First, a sketch of each column is made: its distinct
    values where they are few, its quantiles where they are many, its levels if it holds text. Then
    every cell becomes one byte of a file: the bin or level it belongs to.

    Parameters
    ----------
    path : str or path
        A folder of Parquet or Arrow files with the same columns, or one such file.
    target : str
        The target column.
    folder : str or path, optional
        Where the codes go: one byte for each cell, and eight for the target of each row. If they
        are there already, made from these files in this way, they are used as they are. By default
        a temporary folder, which is removed in the end.
    memory : int or str, default="1GB"
        Bytes that coding may take, and tables that are made from the codes later on; "512MB",
        "2GB" and the like will do. Bins do not depend on it.
    max_bins : int, default=255
        Codes of each column, the one for missing cells included; 3 to 255. A column with fewer
        distinct values keeps them all; of more levels, rare ones share a code.
    drop : sequence of str, default=()
        Columns to leave out.
    task : {"auto", "classification", "regression"}, default="auto"
        What the target is. "auto" takes labels and few whole numbers for classes.
    n_jobs : int, optional
        Threads. The result does not depend on it.

    Returns
    -------
    CodedTable
        With ``X`` and ``y``, to be given to selectors.

    Raises
    ------
    TableError
        For every flaw of the files; the message names the file and the column.
    ValueError
        If ``folder`` holds something else: another table, other files, or damaged codes.
    OSError
        If there is no room for the codes.
    ImportError
        If pyarrow is absent.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import polars as pl
    >>> from thresher.coded import code_dataset
    >>> with tempfile.TemporaryDirectory() as files:
    ...     for k in range(2):
    ...         frame = pl.DataFrame({"a": [1.5, 2.5], "b": ["x", None], "y": [0.5, k]})
    ...         frame.write_parquet(pathlib.Path(files, f"part{k}.parquet"))
    ...     with code_dataset(files, "y") as table:
    ...         print(table.X.names, table.X.kinds, table.X.codes.column(1), table.y)
    ('a', 'b') ('numeric', 'string') [0 1 0 1] [0.5 0.  0.5 1. ]
    """
    size = read_memory(memory)
    if isinstance(max_bins, bool) or not isinstance(max_bins, int) or not 3 <= max_bins <= 255:
        raise ValueError(f"max_bins must lie in 3 .. 255; got {max_bins!r}")
    if task not in _TASKS:
        raise ValueError(f"task must be one of {', '.join(map(repr, _TASKS))}; got {task!r}")
    dropped = (drop,) if isinstance(drop, str) else tuple(drop)
    data = open_dataset(path, target, dropped)
    asked = {"target": target, "drop": sorted(dropped), "max_bins": max_bins, "task": task}
    if folder is None:
        keeper = _Keeper()
        _code(data, keeper.folder, asked, size, n_jobs)
        return _opened(keeper.folder, size, keeper)
    home = Path(folder).absolute()
    record = read_record(home)
    if record is None:
        _code(data, home, asked, size, n_jobs)
    else:
        check_belongs(record, data, asked, home)
    return _opened(home, size, None)


def _code(
    data: Dataset, folder: Path, asked: dict[str, Any], memory: int, n_jobs: int | None
) -> None:
    has_text = [kind in ("categorical", "string") for kind in data.kinds]
    plan = make_plan(memory, data.n_rows, has_text)
    with workshop(folder) as own:
        y = read_target(data, asked["task"], plan.n_rows)
        coding, constant = survey(data, plan, asked["max_bins"], n_jobs)
        coding, sums = write_codes(data, coding, places(constant), own / CODES, plan, n_jobs)
        write_record(own, make_record(data, asked, coding, constant, sums, y), y)


def _opened(folder: Path, memory: int, keeper: _Keeper | None) -> CodedTable:
    record = read_record(folder)
    assert record is not None
    names, kinds, coding, constant = columns_of(record, folder)
    n_columns, n_rows = len(names), int(record["n_rows"])
    X = CodedColumns(
        table=Codes(
            n_columns, n_rows, path=folder / CODES, positions=places(constant), keeper=keeper
        ),
        names=names,
        kinds=kinds,
        n_missing=np.array([own.counts[-1] for own in coding], dtype=np.intp),
        constant=constant,
        variables=tuple(np.array([p], dtype=np.intp) for p in range(n_columns)),
        variable_names=names,
        coding=coding,
        memory=memory,
    )
    return CodedTable(X, target_of(record, folder), folder, record["asked"]["target"])


class _Keeper:
    """Owns a temporary folder, and removes it when nobody needs it any more."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="thresher-"))
        self.remove = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
