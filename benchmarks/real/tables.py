"""The tables of a folder of Parquet files, and which of two halves each belongs to."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .rows import sample

MOST_ROWS = 5000
SEED = 0
KINDS = ("classification", "regression")
#: Constants of thresher were chosen by looking at the tables of the first half only.
HALVES = ("tuned", "fresh")


@dataclass(frozen=True, eq=False)
class Table:
    """Variables and target.

    Parameters
    ----------
    name : str
        Of the file without its suffix.
    kind : {"classification", "regression"}
        What the target is.
    frame : pandas DataFrame
        The variables, as they are.
    y : array of shape (n_rows,)
        Classes 0, 1, ... or numbers.
    """

    name: str
    kind: str
    frame: Any
    y: np.ndarray


def read_index(folder: Path) -> dict[str, str]:
    """Return the kind of each table that ``INDEX.md`` lists; empty if there is no such file.

    Lines of its table are used whose columns "name" and "task" are filled.
    """
    path = folder / "INDEX.md"
    kinds: dict[str, str] = {}
    headings: list[str] = []
    for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
        if not line.startswith("|"):
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        task = [i for i, heading in enumerate(headings) if heading.startswith("task")]
        if "name" in cells:
            headings = cells
        elif task and cells[task[0]].startswith(KINDS):
            kinds[cells[headings.index("name")]] = cells[task[0]].split()[0]
    return kinds


def names_in(folder: Path) -> list[str]:
    """Return the names of all tables: those of the index, and of files beside it."""
    return sorted({*read_index(folder), *(path.stem for path in folder.glob("*.parquet"))})


def tuned_half(names: Collection[str]) -> frozenset[str]:
    """Return every other one of the sorted names, beginning with the first.

    >>> sorted(tuned_half(["c", "a", "d", "b"]))
    ['a', 'c']
    """
    return frozenset(sorted(names)[::2])


def read(folder: Path, name: str, *, most_rows: int = MOST_ROWS) -> Table | None:
    """Return a table of the folder, with no more rows than asked for; None if it is not there."""
    path = folder / f"{name}.parquet"
    if not path.is_file():
        return None
    import pandas as pd

    table = pd.read_parquet(path)
    table = table[table["target"].notna()]
    kind = read_index(folder).get(name) or kind_of(table["target"])
    y = target_of(table["target"], kind)
    rows = sample(y, min(most_rows, len(y)), stratified=kind == "classification", seed=SEED)
    frame = table.drop(columns=[column for column in ("target", "split") if column in table])
    return Table(name, kind, frame.iloc[rows].reset_index(drop=True), y[rows])


def kind_of(target: Any) -> str:
    """Return what a target is: numbers with fractions are for regression, all others classes."""
    if target.dtype.kind != "f" or bool((target == target.round()).all()):
        return "classification"
    return "regression"


def target_of(target: Any, kind: str) -> np.ndarray:
    """Return a target as classes 0, 1, ... or as numbers."""
    if kind == "regression":
        return target.to_numpy(dtype=np.float64)
    return np.unique(target.astype(str), return_inverse=True)[1].astype(np.int64)
