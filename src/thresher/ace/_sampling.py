"""Tables of more rows than it takes: each replicate draws some of its own."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Binned, CodedColumns, Columns, StoredBins, bin_columns, stored_bins
from thresher.trees import Logistic, Multinomial, Response, Squared

from ._problem import MAX_LEVELS, NUMERIC_BINS, Problem, make_problem

__all__ = ["Population", "make_sample", "response_of"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Population:
    """All rows that there are, and how many of them to look at together.

    What is sent to workers is small: of codes in a file its name, and of the target a byte for each
    row, eight if it is a number.

    Parameters
    ----------
    bins : Binned or StoredBins
        The columns.
    variables : tuple of arrays of int
        Columns of each variable.
    outcome : array of shape (n_rows,)
        The target: numbers of mean 0 and variance 1, or classes 0, 1, ...
    n_classes : int
        How many classes there are; 0 if the target is a number.
    weight : array of shape (n_rows,) or None
        Of the rows; None if all weigh the same.
    n_samples : int
        Rows to draw.
    """

    bins: Binned | StoredBins
    variables: tuple[IntArray, ...]
    outcome: NDArray[Any]
    n_classes: int
    weight: FloatArray | None
    n_samples: int

    def draw(self, rng: np.random.Generator) -> Problem:
        """A random sample of the rows, without replacement."""
        rows = rng.choice(len(self.outcome), self.n_samples, replace=False, shuffle=False)
        return self.problem(np.sort(rows))  # in order, so that files are read from end to end

    def problem(self, rows: IntArray) -> Problem:
        """Some of the rows, in memory."""
        bins = self.bins
        if isinstance(bins, StoredBins):
            codes = bins.rows(rows)
        else:
            codes = np.ascontiguousarray(bins.codes[:, rows])
        weight = np.ones(len(rows)) if self.weight is None else self.weight[rows]
        return Problem(
            Binned(codes, bins.n_bins, bins.edges, bins.levels, bins.categorical),
            self.variables,
            response_of(self.outcome[rows], self.n_classes),
            weight / weight.mean(),
        )


def make_sample(
    columns: Columns,
    outcome: NDArray[Any],
    n_classes: int,
    weight: FloatArray,
    n_samples: int,
    seed: int,
    *,
    n_jobs: int | None = None,
) -> tuple[Problem, Population | None]:
    """Code a table: some of its rows, and a population to draw others from; or all, and none.

    A table that is coded already stays where it is, but for the rows that are drawn.

    Parameters
    ----------
    columns : Columns
        The table.
    outcome, n_classes, weight, n_samples
        As of `Population`.
    seed : int
        Of the sample.
    n_jobs : int, optional
        Threads.
    """
    n_rows = columns.n_rows
    if not isinstance(columns, CodedColumns) and n_samples >= n_rows:
        response = response_of(outcome, n_classes)
        return make_problem(columns, response, weight, n_jobs=n_jobs), None
    bins = (
        stored_bins(columns, NUMERIC_BINS + 1, MAX_LEVELS)
        if isinstance(columns, CodedColumns)
        else bin_columns(columns, max_bins=NUMERIC_BINS + 1, max_levels=MAX_LEVELS, n_jobs=n_jobs)
    )
    population = Population(
        bins,
        columns.variables,
        outcome.astype(np.min_scalar_type(n_classes)) if n_classes else outcome,
        n_classes,
        None if (weight == weight[0]).all() else weight,
        n_samples,
    )
    if n_samples >= n_rows:
        return population.problem(np.arange(n_rows)), None
    # beside the children that the stages have
    own = np.random.SeedSequence(seed, spawn_key=(3,))
    return population.draw(np.random.default_rng(own)), population


def response_of(outcome: NDArray[Any], n_classes: int) -> Response:
    """What trees predict: a number, the second of two classes, or each of several.

    Examples
    --------
    >>> response_of(np.array([0, 2, 1]), 3).values.tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    if not n_classes:
        return Squared(np.ascontiguousarray(outcome, dtype=np.float64)[:, None])
    codes = np.asarray(outcome, dtype=np.intp)
    if n_classes == 2:
        return Logistic(codes[:, None].astype(np.float64))
    return Multinomial(np.eye(n_classes)[codes])
