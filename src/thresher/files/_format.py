"""The contract between `read_table` and the reader of one format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from numpy.typing import NDArray
from scipy.sparse import csr_array

from ._source import Source

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Contents", "Format", "SparseRows"]


@dataclass(frozen=True, eq=False)
class SparseRows:
    """A file whose features are sparse and whose target stands apart from them."""

    X: csr_array
    y: NDArray[Any]
    feature_names: tuple[str, ...]
    target_name: str


Contents: TypeAlias = "pl.DataFrame | SparseRows"


@dataclass(frozen=True)
class Format:
    """How files of one kind are recognised and read.

    Parameters
    ----------
    name : str
        What ``format=`` calls it.
    suffixes : tuple of str
        The file name endings, lower case, with the dot.
    read : callable
        Takes a `Source`, returns all columns, the target among them. Column names must have passed
        `column_names`; rows may be absent and the target may have gaps: that is checked later.
    text : bool, default True
        Whether it is a text format, which may also come compressed (``.gz`` is added to suffixes).
    needs : tuple of str, default ("polars",)
        The optional packages that the reader imports.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[Source], Contents]
    text: bool = True
    needs: tuple[str, ...] = ("polars",)

    @property
    def endings(self) -> tuple[str, ...]:
        """All file name endings, the compressed ones included."""
        return self.suffixes + tuple(f"{suffix}.gz" for suffix in self.suffixes if self.text)
