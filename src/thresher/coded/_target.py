"""The target of a table that is read a part at a time: exact, with 8 bytes for each row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Labels
from thresher.files._names import shown

from ._kinds import as_numbers, as_text, kind_of
from ._sources import DataFile, Dataset

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["read_target"]

#: Whole numbers with at most this many distinct values are taken for classes, as elsewhere.
MAX_CLASSES = 20
#: More labels than this are no classes.
MOST_LABELS = 2**16


def read_target(data: Dataset, task: str, n_rows: int) -> NDArray[np.float64] | Labels:
    """Read the target of all rows.

    Parameters
    ----------
    data : Dataset
        The table.
    task : {"auto", "classification", "regression"}
        "auto" takes labels and few whole numbers for classes.
    n_rows : int
        Rows to be read at a time.
    """
    first = data.files[0]
    kind = kind_of(first.type_of(data.target))
    if kind is None or kind == "datetime":
        raise first.error(
            f"the target {shown(data.target)} has type {first.type_of(data.target)}: neither "
            "classes nor numbers"
        )
    if kind in ("string", "categorical"):
        if task == "regression":
            raise first.error(
                f"the target {shown(data.target)} holds text, but the task is regression"
            )
        return _labels(data, n_rows)
    values = _numbers(data, n_rows)
    if task == "regression" or (task == "auto" and kind != "boolean" and not _are_few(values)):
        return values
    if (values != np.floor(values)).any():
        raise first.error(
            f"the target {shown(data.target)} holds numbers that are not whole, but the task is "
            "classification"
        )
    return _coded(values, boolean=kind == "boolean")


def _numbers(data: Dataset, n_rows: int) -> NDArray[np.float64]:
    values = np.empty(data.n_rows)
    done = 0
    for file, (column,) in data.batches([data.target], n_rows):
        own = as_numbers(column)
        _refuse(file, data.target, np.isnan(own), "missing", done)
        _refuse(file, data.target, np.isinf(own), "infinite", done)
        values[done : done + len(own)] = own
        done += len(own)
    return values


def _labels(data: Dataset, n_rows: int) -> Labels:
    codes = np.empty(data.n_rows, dtype=np.intp)
    number_of: dict[str, int] = {}
    done = 0
    for file, (column,) in data.batches([data.target], n_rows):
        text = as_text(column)
        _refuse(file, data.target, np.asarray(text.is_null()), "missing", done)
        coded: pa.DictionaryArray = text.dictionary_encode()
        for label in coded.dictionary.to_pylist():
            number_of.setdefault(label, len(number_of))
        if len(number_of) > MOST_LABELS:
            raise file.error(
                f"the target {shown(data.target)} has more than {MOST_LABELS} different labels: "
                "these are no classes"
            )
        own = np.array([number_of[label] for label in coded.dictionary.to_pylist()], dtype=np.intp)
        codes[done : done + len(text)] = own[coded.indices.to_numpy(zero_copy_only=False)]
        done += len(text)
    names = sorted(number_of)
    place = np.empty(len(names), dtype=np.intp)
    place[[number_of[name] for name in names]] = np.arange(len(names))
    for start in range(0, len(codes), n_rows):
        codes[start : start + n_rows] = place[codes[start : start + n_rows]]
    return Labels(codes, names)


def _are_few(values: NDArray[np.float64]) -> bool:
    """Whether these are few whole numbers; looks no further than needed."""
    found: NDArray[np.float64] = np.empty(0)
    for start in range(0, len(values), 2**16):
        part = values[start : start + 2**16]
        found = np.union1d(found, part)
        if len(found) > MAX_CLASSES or (part != np.floor(part)).any():
            return False
    return True


def _coded(values: NDArray[np.float64], *, boolean: bool) -> Labels:
    names: NDArray[np.float64] = np.empty(0)
    for start in range(0, len(values), 2**16):
        names = np.union1d(names, values[start : start + 2**16])
    codes = values.view(np.int64)  # in place: there may be no room for both
    for start in range(0, len(values), 2**16):
        codes[start : start + 2**16] = np.searchsorted(names, values[start : start + 2**16].copy())
    plain: list[Any] = [bool(x) if boolean else int(x) for x in names]
    return Labels(codes, plain)


def _refuse(file: DataFile, target: str, wrong: NDArray[Any], what: str, n_before: int) -> None:
    if wrong.any():
        row = n_before + int(np.flatnonzero(wrong)[0]) + 1
        raise file.error(
            f"the target {shown(target)} has {int(wrong.sum())} {what} value(s) among the rows "
            f"looked at, the first in row {row} of all files"
        )
