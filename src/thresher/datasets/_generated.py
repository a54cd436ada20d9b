"""The record that every generator returns: a table, its target and the truth about the columns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["FloatArray", "Generated", "IntArray", "Task"]

Task = Literal["classification", "regression"]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


# Comparing arrays gives arrays, so a generated equality could only fail: identity is used instead.
@dataclass(frozen=True, eq=False, repr=False)
class Generated:
    """Generated data and the part that each column plays in it.

    The three parts are disjoint and together name every column.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_columns), or pandas DataFrame
        The inputs; a frame with ``category`` columns only where the generator says so.
    y : ndarray of shape (n_rows,)
        The target.
    relevant : tuple of int
        Columns from which the target was computed, in ascending order.
    redundant : dict of int to tuple of int
        Columns that tell about the target only what the named relevant columns tell already.
    irrelevant : tuple of int
        Columns that are independent of the target, alone and in any company.
    feature_names : tuple of str
        One name per column.
    description : str
        One line on where the target comes from.
    task : {"classification", "regression"}
        The kind of target.
    equivalence_classes : tuple of tuple of int
        Groups of columns of which any one member replaces the others without loss; each group holds
        one relevant column. Empty where the generator makes none.
    """

    X: Any
    y: NDArray[Any]
    relevant: tuple[int, ...]
    redundant: Mapping[int, tuple[int, ...]]
    irrelevant: tuple[int, ...]
    feature_names: tuple[str, ...]
    description: str
    task: Task
    equivalence_classes: tuple[tuple[int, ...], ...] = field(default=())

    def __post_init__(self) -> None:
        n_rows, n_columns = self.X.shape
        named = sorted((*self.relevant, *self.redundant, *self.irrelevant))
        if named != list(range(n_columns)):
            raise ValueError(
                f"relevant, redundant and irrelevant must name each of the {n_columns} columns "
                f"exactly once, got {named}"
            )
        repeated = {position for sources in self.redundant.values() for position in sources}
        if strangers := sorted(repeated.difference(self.relevant)):
            raise ValueError(f"redundant must point to relevant columns, got {strangers}")
        if len(self.feature_names) != n_columns:
            raise ValueError(
                f"feature_names must hold {n_columns} names, got {len(self.feature_names)}"
            )
        if self.y.shape != (n_rows,):
            raise ValueError(f"y must have shape ({n_rows},), got {self.y.shape}")

    def __repr__(self) -> str:
        n_rows, n_columns = self.X.shape
        return (
            f"<Generated {self.task}: {n_rows} rows, {n_columns} columns "
            f"({len(self.relevant)} relevant, {len(self.redundant)} redundant, "
            f"{len(self.irrelevant)} irrelevant)>"
        )
