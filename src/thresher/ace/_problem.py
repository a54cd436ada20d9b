"""What all stages look at: coded columns, variables, response and weights."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from thresher.columns import Binned, Columns, bin_columns
from thresher.parallel import Shared
from thresher.trees import Response

__all__ = ["Problem", "make_problem", "shared"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
Source = TypeVar("Source")

#: Finer bins cost time and show no gain; levels of categories are never merged for it.
NUMERIC_BINS = 64
MAX_LEVELS = 255


@dataclass(frozen=True, eq=False)
class Problem:
    """A table of codes and a response.

    Parameters
    ----------
    binned : Binned
        The columns.
    variables : tuple of arrays of int
        Columns of each variable: they are permuted, kept and dropped together.
    response : Response
        The target.
    weight : array of shape (n_rows,)
        Of the rows, with mean 1.
    """

    binned: Binned
    variables: tuple[IntArray, ...]
    response: Response
    weight: FloatArray

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.binned.codes.shape[1])

    @property
    def n_variables(self) -> int:
        """The number of variables."""
        return len(self.variables)

    @cached_property
    def scores(self) -> NDArray[np.float32]:
        """A number for each code of each column, for linear models: standardised normal scores.

        Columns of more than two levels without order have no such numbers: all are zero.
        """
        codes, n_bins = self.binned.codes, self.binned.n_bins
        mass = np.zeros((len(codes), int(n_bins.max()) + 1))
        for j in np.flatnonzero(~self.binned.categorical | (n_bins == 2)).tolist():
            by_code = np.bincount(codes[j], weights=self.weight, minlength=n_bins[j] + 1)
            mass[j, : n_bins[j]] = by_code[: n_bins[j]]
        return _normal_scores(mass)

    def column_scores(self, columns: IntArray) -> FloatArray:
        """Scores of some columns in each row, of shape (n_columns, n_rows)."""
        rows = [self.scores[j, self.binned.codes[j]] for j in columns.tolist()]
        return np.array(rows, dtype=np.float64).reshape(len(columns), self.n_rows)

    def unexplained(self) -> FloatArray:
        """The residual of knowing nothing but the mean, of shape (n_rows, K)."""
        start = self.response.start(self.weight)
        return self.response.residual(np.tile(start, (self.n_rows, 1)))

    def columns_of(self, variables: Iterable[int]) -> IntArray:
        """The columns of some variables, in their order."""
        parts = [self.variables[v] for v in variables]
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.intp)

    def cut_down(self, variables: Iterable[int]) -> Binned:
        """The codes of some variables only."""
        columns = self.columns_of(variables)
        binned = self.binned
        return Binned(
            codes=np.ascontiguousarray(binned.codes[columns]),
            n_bins=binned.n_bins[columns],
            edges=tuple(binned.edges[j] for j in columns),
            levels=tuple(binned.levels[j] for j in columns),
            categorical=binned.categorical[columns],
        )

    def by_variable(
        self, per_column: FloatArray, variables: Iterable[int] | None = None
    ) -> FloatArray:
        """Add up the last axis over the columns of each variable."""
        chosen = range(self.n_variables) if variables is None else variables
        sizes = [len(self.variables[v]) for v in chosen]
        if variables is None:
            per_column = per_column[..., self.columns_of(chosen)]
        if all(size == 1 for size in sizes):
            return per_column
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        return np.asarray(np.add.reduceat(per_column, starts, axis=-1))


def shared(problem: "Source | Shared[Source]") -> "Shared[Source]":
    """The problem as something that workers get once, unless it is already."""
    return problem if isinstance(problem, Shared) else Shared(problem)


def make_problem(
    columns: Columns, response: Response, weight: FloatArray, *, n_jobs: int | None = None
) -> Problem:
    """Code the columns of a table."""
    binned = bin_columns(columns, max_bins=NUMERIC_BINS + 1, max_levels=MAX_LEVELS, n_jobs=n_jobs)
    return Problem(binned, columns.variables, response, weight / weight.mean())


def _normal_scores(mass: FloatArray) -> NDArray[np.float32]:
    """Standardised normal scores of ordered codes, from the weight of each; rows may be all 0."""
    total = np.maximum(mass.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    raw = ndtri(np.clip((np.cumsum(mass, axis=1) - 0.5 * mass) / total, 1e-9, 1 - 1e-9))
    centred = np.where(mass > 0, raw - (mass * raw).sum(axis=1, keepdims=True) / total, 0.0)
    spread = np.sqrt((mass * centred**2).sum(axis=1, keepdims=True) / total)
    return (centred / np.where(spread > 0, spread, 1.0)).astype(np.float32)
