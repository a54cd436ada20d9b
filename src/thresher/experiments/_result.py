"""What an experiment returns: a table, its picture, and what a reader must know to judge it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._cells import Cell, cell_of, plain
from ._picture import Picture

__all__ = ["Result"]


@dataclass(frozen=True)
class Result:
    """A table with a title, and what a reader must know to judge it.

    Parameters
    ----------
    title : str
        What was measured.
    columns : tuple of str
        Headings.
    rows : tuple of tuples
        One cell per heading; None where there is nothing to say, a `Spread` where runs differ.
    notes : tuple of str
        Whole sentences on how it was measured.
    deviations : tuple of str
        Whole sentences on what is not as in the paper by our choice, and why.
    picture : Picture, optional
        The figure, where the paper has one or it shows more than the table.

    Examples
    --------
    >>> Result("Sizes", ("name", "size"), (("a", 1),)).to_dict()["rows"]
    [{'name': 'a', 'size': 1}]
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    deviations: tuple[str, ...] = ()
    picture: Picture | None = None

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.title}: expected {len(self.columns)} cells, got {row}")

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain lists and dictionaries."""
        return {
            "title": self.title,
            "columns": list(self.columns),
            "rows": [dict(zip(self.columns, map(plain, row), strict=True)) for row in self.rows],
            "notes": list(self.notes),
            "deviations": list(self.deviations),
            "picture": None if self.picture is None else self.picture.to_dict(),
        }

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> "Result":
        """Return what `to_dict` has told; the picture is left out."""
        columns = tuple(told["columns"])
        rows = tuple(tuple(cell_of(row[name]) for name in columns) for row in told["rows"])
        return cls(told["title"], columns, rows, tuple(told["notes"]), tuple(told["deviations"]))
