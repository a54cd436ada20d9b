"""Variables that matter only together: a look at all pairs, in what single ones do not explain."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ._problem import Problem

__all__ = ["PAIRS_SHARE", "Pairs", "find_pairs"]

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.intp]

#: The share of ``alpha`` that pairs are tested at. Of 21 columns that beat all 20 contrasts by
#: luck one is expected at 4.8 percent, so this is about what is left of 5.
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
    scores, owner = _scores(problem)
    n_outputs = target.shape[1]
    if len(scores) < 2 or 3.0 * len(scores) ** 2 * problem.n_rows * n_outputs > MAX_WORK:
        return None
    n_pairs = len(scores) * (len(scores) - 1) / 2 * n_outputs
    needed = math.sqrt(2 * math.log(2 * n_pairs / level))
    found: dict[int, tuple[float, int]] = {}
    weighted = problem.weight[:, None] * (target - np.average(target, axis=0))
    for output in np.ascontiguousarray(weighted.T, dtype=np.float32):
        for first in range(0, len(scores), _BLOCK):
            ratios = _ratios(scores[first : first + _BLOCK], scores, output)
            for a, b in np.argwhere(ratios > needed).tolist():
                one, other = int(owner[first + a]), int(owner[b])
                if one != other and ratios[a, b] > found.get(one, (0.0, 0))[0]:
                    found[one] = (float(ratios[a, b]), other)
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


def _scores(problem: Problem) -> tuple[FloatArray, IntArray]:
    """Numbers that can be multiplied, and the variable that each row of them belongs to.

    Normal scores where there is an order; else an indicator for each level that is not rare.
    """
    binned, rows, owner = problem.binned, [], []
    for variable, members in enumerate(problem.variables):
        for j in members.tolist():
            if problem.scores[j].any():
                rows.append(problem.scores[j, binned.codes[j]])
                owner.append(variable)
                continue
            share = np.bincount(binned.codes[j], problem.weight) / problem.n_rows
            frequent = np.argsort(-share[: binned.n_bins[j]], kind="stable")[:MAX_INDICATORS]
            for level in frequent.tolist():
                if MIN_INDICATED <= share[level] <= 1 - MIN_INDICATED:
                    rows.append(_indicator(binned.codes[j] == level, float(share[level])))
                    owner.append(variable)
    table = np.array(rows, dtype=np.float32).reshape(len(rows), problem.n_rows)
    return table, np.array(owner, dtype=np.intp)


def _indicator(is_level: NDArray[np.bool_], share: float) -> FloatArray:
    return np.asarray((is_level - share) / math.sqrt(share * (1 - share)), dtype=np.float32)
