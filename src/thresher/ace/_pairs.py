"""Variables that matter only together: a look at all pairs, in what single ones do not explain."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ._problem import Problem

__all__ = ["PAIRS_SHARE", "Pairs", "find_pairs"]

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.intp]

#: The share of ``alpha`` that pairs are tested at. With 20 replicates, single columns are tested at
#: 1 / 21, so this is what they leave of 5 percent; under other settings it comes on top.
PAIRS_SHARE = 0.04
#: Levels of a category that have a column of their own: rarer ones meet too seldom in pairs.
MAX_INDICATORS = 8
MIN_INDICATED = 0.05
#: Multiplications beyond which the look is left out: some seconds.
MAX_WORK = 1e11
#: Scores that are looked at in one go, beside all others.
_BLOCK = 256


@dataclass(frozen=True, eq=False)
class Pairs:
    """Variables that take part in a pair which is related to the target.

    Parameters
    ----------
    partner : dict of int to int
        With whom each of them matters most.
    p_value : dict of int to float
        For all pairs that were looked at.
    """

    partner: dict[int, int]
    p_value: dict[int, float]


def find_pairs(problem: Problem, target: NDArray[np.float64], level: float) -> Pairs | None:
    """Find pairs whose product is correlated with what is left to explain.

    A product of two standardised columns has no mean influence of either. Its sum with the target
    is divided by the root of its own sum of squares, so that neither outliers nor rare levels count
    for more than they can show; such a ratio exceeds t with a chance of at most
    ``2 exp(-t^2 / 2)`` if the terms are symmetric. That is multiplied by the number of pairs.

    Parameters
    ----------
    problem : Problem
        Columns and weights.
    target : array of shape (n_rows, K)
        The residual to explain.
    level : float
        Chance that anything is found where nothing matters.

    Returns
    -------
    Pairs or None
        None if there are too many pairs to look at.
    """
    n_outputs = target.shape[1]
    indicators = _indicators(problem)
    n_scores = sum(1 if levels is None else len(levels) for levels in indicators.values())
    # asked before the scores are laid out, which takes four times the memory of the codes
    if n_scores < 2 or 3.0 * n_scores**2 * problem.n_rows * n_outputs > MAX_WORK:
        return None
    scores, owner = _scores(problem, indicators, n_scores)
    n_pairs = len(scores) * (len(scores) - 1) / 2 * n_outputs
    needed = math.sqrt(2 * math.log(2 * n_pairs / level))
    found: dict[int, tuple[float, int]] = {}
    # scores have no mean under the weights, and so must the target, or columns that are alike
    # would seem to matter together
    centre = np.average(target, axis=0, weights=problem.weight)
    weighted = problem.weight[:, None] * (target - centre)
    for output in np.ascontiguousarray(weighted.T, dtype=np.float32):
        for first in range(0, len(scores), _BLOCK):
            few = slice(first, first + _BLOCK)
            ratios = _ratios(scores[few], scores, output)
            ratios[owner[few, None] == owner] = 0.0
            best = ratios.argmax(axis=1)
            for one, ratio, b in zip(owner[few], ratios.max(axis=1), best, strict=True):
                if ratio > max(needed, found.get(int(one), (0.0, 0))[0]):
                    found[int(one)] = (float(ratio), int(owner[b]))
    return Pairs(
        {v: other for v, (_, other) in found.items()},
        {v: 2 * n_pairs * math.exp(-(ratio**2) / 2) for v, (ratio, _) in found.items()},
    )


def _ratios(some: FloatArray, scores: FloatArray, output: FloatArray) -> FloatArray:
    """Sums of products with the target, by the largest of three estimates of their spread.

    Where rare levels meet a rare class, the few rows that would balance the others may be missing:
    then what is there has a small spread by itself, and only the spread to be expected of columns
    that have nothing to do with the target, or with each other, tells how little it means.
    """
    sums = (some * output) @ scores.T
    own = (some * output) ** 2 @ (scores**2).T
    power = np.float32(np.mean(output**2))
    apart = some**2 @ (scores**2).T * power
    expected = np.float32(len(output)) * power
    spread = np.sqrt(np.maximum(np.maximum(own, apart), expected))
    return np.asarray(np.abs(sums) / np.maximum(spread, np.finfo(np.float32).tiny))


def _indicators(problem: Problem) -> dict[int, IntArray | None]:
    """For each column the levels that get an indicator; None where there is an order."""
    binned, found = problem.binned, dict[int, IntArray | None]()
    for j in problem.columns_of(range(problem.n_variables)).tolist():
        if problem.scores[j].any():
            found[j] = None
            continue
        share = np.bincount(binned.codes[j], problem.weight) / problem.n_rows
        frequent = np.argsort(-share[: binned.n_bins[j]], kind="stable")[:MAX_INDICATORS]
        some = (share[frequent] >= MIN_INDICATED) & (share[frequent] <= 1 - MIN_INDICATED)
        found[j] = frequent[some]
    return found


def _scores(
    problem: Problem, indicators: dict[int, IntArray | None], n_scores: int
) -> tuple[FloatArray, IntArray]:
    """Numbers that can be multiplied, and the variable that each row of them belongs to.

    Normal scores where there is an order; else an indicator for each level that is not rare.
    """
    codes = problem.binned.codes
    table = np.empty((n_scores, problem.n_rows), dtype=np.float32)
    owner = np.empty(n_scores, dtype=np.intp)
    row = 0
    for variable, members in enumerate(problem.variables):
        for j in members.tolist():
            levels = indicators[j]
            own = [problem.scores[j, codes[j]]] if levels is None else [
                _indicator(codes[j] == level, problem.weight) for level in levels
            ]  # fmt: skip
            for values in own:
                table[row], owner[row] = values, variable
                row += 1
    return table, owner


def _indicator(is_level: NDArray[np.bool_], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    share = np.average(is_level, weights=weight)
    return np.asarray((is_level - share) / math.sqrt(share * (1 - share)), dtype=np.float64)
