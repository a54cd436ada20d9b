"""What is written down about a coded table, and every reason not to believe it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from thresher._version import __version__
from thresher.columns import ColumnCodes, Kind, Labels
from thresher.files._names import shown

from ._folder import CODES, FORMAT, RECORD, TARGET, checksum, fingerprints
from ._sources import Dataset

__all__ = ["check_belongs", "columns_of", "make_record", "places", "target_of", "write_record"]

FloatArray = NDArray[np.float64]
_ROWS = 2**24


def places(constant: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Where in the file each column is: constant ones last, so that all others are neighbours.

    Examples
    --------
    >>> places(np.array([False, True, False])).tolist()
    [0, 2, 1]
    """
    found = np.empty(len(constant), dtype=np.intp)
    found[np.argsort(constant, kind="stable")] = np.arange(len(constant))
    return found


def make_record(
    data: Dataset,
    asked: dict[str, Any],
    coding: Sequence[ColumnCodes],
    constant: NDArray[np.bool_],
    sums: Sequence[int],
    y: FloatArray | Labels,
) -> dict[str, Any]:
    """Write down all there is to know, in the words of JSON."""
    columns = [
        {
            "name": name,
            "kind": kind,
            "constant": bool(same),
            "edges": own.edges.tolist(),
            "values": own.values.tolist(),
            "levels": list(own.levels),
            "counts": own.counts.tolist(),
            "checksum": total,
        }
        for name, kind, same, own, total in zip(
            data.names, data.kinds, constant, coding, sums, strict=True
        )
    ]
    values = y.codes if isinstance(y, Labels) else y
    return {
        "format": FORMAT,
        "thresher": __version__,
        "asked": asked,
        "n_rows": data.n_rows,
        "files": fingerprints(data),
        "target": {
            "classes": list(y.names) if isinstance(y, Labels) else None,
            "checksum": checksum(values),
        },
        "columns": columns,
    }


def write_record(own: Path, record: dict[str, Any], y: FloatArray | Labels) -> None:
    """Write target and record into the folder where the codes are."""
    np.save(own / TARGET, y.codes if isinstance(y, Labels) else y, allow_pickle=False)
    with (own / RECORD).open("w", encoding="utf-8") as file:
        json.dump(record, file, ensure_ascii=True, allow_nan=False)
        file.flush()
        os.fsync(file.fileno())


def check_belongs(
    record: dict[str, Any], data: Dataset, asked: dict[str, Any], folder: Path
) -> None:
    """Refuse a coded table of other files, or one that was asked for in another way."""
    for name, value in asked.items():
        found = record.get("asked", {}).get(name)
        if found != value:
            _refuse(folder, f"it was made with {name}={found!r}, not {value!r}")
    before = {file["name"]: file for file in record.get("files", [])}
    now = {file["name"]: file for file in fingerprints(data)}
    for name in sorted(before.keys() | now.keys()):
        if name not in now:
            _refuse(folder, f"it was made from a file {shown(name)} that is not there")
        if name not in before:
            _refuse(folder, f"the file {shown(name)} is not among those it was made from")
        wrong = [key for key in before[name] if before[name][key] != now[name].get(key)]
        if wrong:
            what = {"size": "has another size", "modified": "was written to since then"}
            _refuse(folder, f"the file {shown(name)} {what.get(wrong[0], 'has other content')}")


def columns_of(
    record: dict[str, Any], folder: Path
) -> tuple[tuple[str, ...], tuple[Kind, ...], tuple[ColumnCodes, ...], NDArray[np.bool_]]:
    """Read names, kinds and codes of all columns, and check every code in the file."""
    with _doubting(folder):
        n_rows, columns = int(record["n_rows"]), record["columns"]
        size = (folder / CODES).stat().st_size
        if n_rows < 1 or not columns or size != n_rows * len(columns):
            _refuse(
                folder,
                f"{CODES} has {size} bytes, not those of {n_rows} rows x {len(columns)} columns",
            )
        coding = tuple(_column(column, n_rows) for column in columns)
        names = tuple(str(column["name"]) for column in columns)
        if len(set(names)) < len(names):
            raise ValueError("names of columns repeat")
        kinds = tuple(column["kind"] for column in columns)
        constant = np.array([bool(column["constant"]) for column in columns])
        codes = np.memmap(folder / CODES, dtype=np.uint8, mode="r", shape=(len(columns), n_rows))
        for name, own, column, place in zip(names, coding, columns, places(constant), strict=True):
            _check_cells(name, own, column["checksum"], codes[place], folder)
    return names, kinds, coding, constant


def target_of(record: dict[str, Any], folder: Path) -> FloatArray | Labels:
    """Read the target: numbers, or classes."""
    with _doubting(folder):
        values = np.load(folder / TARGET, allow_pickle=False)
        classes = record["target"]["classes"]
        kind = np.float64 if classes is None else np.intp
        if values.shape != (int(record["n_rows"]),) or values.dtype != kind:
            raise ValueError(f"{TARGET} has shape {values.shape} and type {values.dtype}")
        if checksum(values) != record["target"]["checksum"]:
            raise ValueError(f"the content of {TARGET} has changed")
        if classes is None:
            return np.asarray(values)
        if not 0 <= values.min() <= values.max() < len(classes):
            raise ValueError(f"{TARGET} holds classes that are not there")
        return Labels(values, classes)


def _column(column: dict[str, Any], n_rows: int) -> ColumnCodes:
    """Read one column; what is inconsistent would lead kernels astray."""
    edges, values = (np.array(column[name], dtype=np.float64) for name in ("edges", "values"))
    levels = tuple(None if level is None else str(level) for level in column["levels"])
    own = ColumnCodes(edges, values, levels, np.array(column["counts"], dtype=np.intp))
    is_text = column["kind"] in ("categorical", "string")
    n_bins = len(levels) if is_text else len(edges) + 1
    sound = (
        column["kind"] in get_args(Kind)
        and own.n_bins == n_bins < 256
        and len(values) == (0 if is_text else n_bins)
        and bool((np.diff(edges) > 0).all() and np.isfinite(values).all())
        and None not in levels[:-1]
        and bool((own.counts >= 0).all())
        and int(own.counts.sum()) == n_rows
    )
    if not sound:
        raise ValueError(f"what it says about column {shown(str(column['name']))} is inconsistent")
    return own


def _check_cells(
    name: str, own: ColumnCodes, wanted: int, cells: NDArray[np.uint8], folder: Path
) -> None:
    total, highest = 0, 0
    for start in range(0, len(cells), _ROWS):
        part = cells[start : start + _ROWS]
        total, highest = crc32(part.data, total), max(highest, int(part.max()))
    if highest > own.n_bins or total != wanted:
        _refuse(folder, f"the codes of column {shown(name)} have changed since they were written")


@contextmanager
def _doubting(folder: Path) -> Iterator[None]:
    try:
        yield
    except _NotOursError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError, OSError) as problem:
        _refuse(folder, f"it is damaged ({problem})", problem)


class _NotOursError(ValueError):
    """A folder that is not to be used."""


def _refuse(folder: Path, why: str, cause: Exception | None = None) -> None:
    raise _NotOursError(
        f"the coded table in {folder} cannot be used: {why}; delete the folder to have it made "
        "anew, or give another"
    ) from cause
