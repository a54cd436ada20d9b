"""What a discrete naive Bayes learner comes down to: codes of cells, and tables to look them up."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["MOST_ENTRIES", "UNSEEN", "Coded", "Coding", "Table", "rounded"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
CodeArray = NDArray[np.integer[Any]]

#: Tables with more entries than this are left to refitting.
MOST_ENTRIES = 2**26
#: Sums stay below two to this power in size, and classes that were not seen start far below them.
_LARGEST_SUM, UNSEEN = 60, -(2**62)


@dataclass(frozen=True, eq=False)
class Table:
    """Log probabilities learned from a training part, in multiples of ``unit``.

    In leave-one-out, a level is split by the class of the row that has it: (level, class of row).
    Where levels can rule classes out, the table is twice as high: see the kernels.
    """

    levels: IntArray  # (height, n_levels), where the height is n_classes or twice that
    prior: IntArray  # (n_classes, height), as in `Tested`
    unit: float


@dataclass(frozen=True, eq=False)
class Coded:
    """A problem as its evaluator needs it.

    Parameters
    ----------
    codes : array of int32 (uint8 if they were stored), shape (n_columns, n_rows)
        The level of each cell, 0, 1, ..., in the table of the fold that tests its row.
    offset : array of int, shape (n_columns + 1,)
        Where the levels of each column start (and the last ones end) in all tables.
    levels : array of int64, shape (n_folds, height, n_levels)
        The log probabilities of all tables.
    priors : array of int64, shape (n_folds, n_classes, height)
        Their log priors.
    units : array of shape (n_folds,)
        What these are multiples of.
    """

    codes: CodeArray
    offset: IntArray
    levels: IntArray
    priors: IntArray
    units: FloatArray

    @classmethod
    def of(cls, codes: CodeArray, offset: IntArray, tables: Iterable[Table]) -> "Coded":
        """Stack the tables of the folds."""
        stack = [(table.levels, table.prior, table.unit) for table in tables]
        return cls(codes, offset, *(np.array(parts) for parts in zip(*stack, strict=True)))


class Coding(ABC):
    """A way to code a problem for its learner."""

    @property
    @abstractmethod
    def n_levels(self) -> int:
        """Levels of all columns together, or a little more."""

    @abstractmethod
    def coded(self) -> Coded:
        """Do the work."""


def rounded(logs: FloatArray, prior: FloatArray, n_columns: int) -> Table:
    """Turn log probabilities into integers so large that no sum over columns overflows."""
    seen = np.isfinite(prior)
    largest = max(n_columns * np.abs(logs).max() + np.abs(prior[seen]).max(), 1024.0)
    scale = 2.0 ** (_LARGEST_SUM - np.ceil(np.log2(largest)))
    whole = np.full(prior.shape, UNSEEN, dtype=np.int64)
    whole[seen] = np.rint(prior[seen] * scale)
    levels = np.ascontiguousarray(np.rint(logs * scale).astype(np.int64))
    return Table(levels, whole, 1.0 / scale)
