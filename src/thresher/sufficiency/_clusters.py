"""Clusters of columns that say nearly the same, and the representative of each."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.ace import Problem

__all__ = ["cluster_variables", "with_representatives"]

IntArray = NDArray[np.intp]

#: Least absolute correlation of the normal scores of two columns that say the same.
SAME = 0.95
#: Least share of rows on which the levels of two categories translate into one another.
SAME_LEVELS = 0.98


def cluster_variables(
    problem: Problem, variables: Iterable[int], n_missing: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    """Cluster some variables with all others that say nearly the same.

    The representative is the variable with the fewest missing cells; of several, the one that says
    nearly the same as most others; of several, the first in the table. No seed has a part in that.
    Variables of several columns are in no cluster.

    Parameters
    ----------
    problem : Problem
        Codes of all variables.
    variables : iterable of int
        Variables for which clusters are wanted.
    n_missing : sequence of int
        Number of missing cells of each variable.

    Returns
    -------
    tuple of tuples of int
        Clusters of two or more variables, the representative of each first.
    """
    single = np.array([len(members) == 1 for members in problem.variables])
    scores = problem.column_scores(problem.columns_of(np.flatnonzero(single)))
    row_of = np.cumsum(single) - 1
    seeds = sorted(v for v in set(variables) if single[v])
    neighbours = {v: _neighbours(problem, scores, single, row_of, v) for v in seeds}
    pool = sorted(set(seeds).union(*neighbours.values())) if seeds else []
    for v in pool:
        if v not in neighbours:
            neighbours[v] = _neighbours(problem, scores, single, row_of, v)
    left = set(pool)
    clusters = []
    for v in sorted(pool, key=lambda v: (n_missing[v], -len(neighbours[v]), v)):
        if v not in left:
            continue
        members = [v, *sorted((neighbours[v] & left) - {v})]
        left -= set(members)
        if len(members) > 1:
            clusters.append(tuple(members))
    return tuple(clusters)


def with_representatives(
    order: Sequence[int],
    size: int,
    clusters: Sequence[Sequence[int]],
    is_as_good: Callable[[Sequence[int]], bool],
) -> tuple[int, ...]:
    """Exchange chosen variables for the representatives of their clusters.

    A variable is exchanged only if it is the only chosen one of its cluster, and if the new set is
    as good. The order with the exchanges is returned.

    Parameters
    ----------
    order : sequence of int
        All variables; the first ``size`` of them are chosen.
    size : int
        How many are chosen.
    clusters : sequence of sequences of int
        Representatives first.
    is_as_good : callable
        From variables to whether they predict as well as the chosen ones.
    """
    place = {v: k for k, v in enumerate(order)}
    swaps: list[tuple[int, int]] = []
    for cluster in clusters:
        inside = [v for v in cluster if place[v] < size]
        first = cluster[: len(inside)]
        going = [v for v in inside if v not in first]
        swaps += zip(going, [v for v in first if v not in inside], strict=True)

    def exchanged(pairs: Sequence[tuple[int, int]]) -> list[int]:
        new = list(order)
        for one, other in pairs:
            new[place[one]], new[place[other]] = other, one
        return new

    if not swaps:
        return tuple(order)
    if is_as_good(exchanged(swaps)[:size]):
        return tuple(exchanged(swaps))
    kept: list[tuple[int, int]] = []
    for swap in swaps if len(swaps) > 1 else ():
        if is_as_good(exchanged([*kept, swap])[:size]):
            kept.append(swap)
    return tuple(exchanged(kept))


def _neighbours(
    problem: Problem,
    scores: NDArray[np.float64],
    single: NDArray[np.bool_],
    row_of: IntArray,
    variable: int,
) -> set[int]:
    """A variable and all others that say nearly the same."""
    own = scores[row_of[variable]]
    candidates = np.flatnonzero(single)
    if not own.any():
        return {variable} | _same_levels(problem, variable, candidates)
    weight = problem.weight
    spread = np.sqrt(((scores**2) @ weight) * (own**2 @ weight))
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = np.abs(scores @ (own * weight)) / spread
    return {variable, *candidates[correlation >= SAME].tolist()}


def _same_levels(problem: Problem, variable: int, candidates: IntArray) -> set[int]:
    """Categories whose levels translate into those of a variable and back, but for a few rows."""
    binned = problem.binned
    j = int(problem.variables[variable][0])
    found = set()
    for v in candidates.tolist():
        i = int(problem.variables[v][0])
        if v == variable or not binned.categorical[i]:
            continue
        n_i, n_j = int(binned.n_bins[i]) + 1, int(binned.n_bins[j]) + 1
        cells = binned.codes[i].astype(np.intp) * n_j + binned.codes[j]
        counts = np.bincount(cells, minlength=n_i * n_j).reshape(n_i, n_j)
        agree = min(counts.max(axis=0).sum(), counts.max(axis=1).sum())
        both_vary = (counts.sum(axis=0) > 0).sum() > 1 and (counts.sum(axis=1) > 0).sum() > 1
        if both_vary and agree >= SAME_LEVELS * problem.n_rows:
            found.add(v)
    return found
