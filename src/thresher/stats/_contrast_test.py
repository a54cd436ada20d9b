"""Which of many columns score higher than columns that cannot matter."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ._corrections import adjust
from ._paired import paired_t

__all__ = ["ContrastTest", "contrast_test"]

FloatArray = NDArray[np.float64]

#: Gumbel: standard deviation = scale * pi / sqrt(6), mean = location + scale * this.
_EULER = 0.5772156649015329


@dataclass(frozen=True)
class ContrastTest:
    """Outcome of a test of columns against contrasts.

    Parameters
    ----------
    statistic : array of shape (n_columns,)
        What was compared: the mean score of each column.
    p_value : array of shape (n_columns,)
        Adjusted for the number of columns: significant where at most the level.
    threshold : float
        Scores above it are significant.
    """

    statistic: FloatArray
    p_value: FloatArray
    threshold: float


def contrast_test(
    scores: FloatArray,
    contrasts: FloatArray,
    *,
    alpha: float = 0.05,
    correction: Literal["max-t", "bonferroni", "bh", "t"] = "max-t",
) -> ContrastTest:
    """Compare the scores of columns with those of contrasts, drawn afresh in each replicate.

    A column of noise keeps its luck in every replicate, whereas the luck of contrasts averages out:
    the mean score of a column must therefore be compared with single contrasts, not with their
    mean. In each replicate the contrasts are a draw of what columns without influence would score;
    with "max-t" a column is significant if its mean score beats the best contrast in (nearly) all
    replicates. Chance does that to some column of noise with probability at most ``alpha``.

    Parameters
    ----------
    scores, contrasts : arrays of shape (n_replicates, n_columns)
        Scores of the columns, and of their contrasts, in each replicate.
    alpha : float, default=0.05
        Level of the test.
    correction : {"max-t", "bonferroni", "bh", "t"}, default="max-t"
        "max-t": against the best contrast of each replicate (Westfall and Young). "bonferroni",
        "bh": against all contrasts of all replicates, adjusted. "t": the test of the ACE paper, a
        paired t-test against the ``1 - alpha`` percentile of the contrasts, with Bonferroni's
        adjustment. It does not hold its level.

    Notes
    -----
    With R replicates no rank can be rarer than 1 / (R + 1). Smaller p-values of "max-t" come from a
    Gumbel distribution fitted to the maxima; the decision never depends on them.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> scores, contrasts = rng.normal(size=(2, 20, 3))
    >>> scores[:, 0] += 4
    >>> test = contrast_test(scores, contrasts)
    >>> (test.p_value <= 0.05).tolist()
    [True, False, False]
    """
    statistic = scores.mean(axis=0)
    if correction == "t":
        return _paper(scores, contrasts, alpha)
    if correction == "max-t":
        maxima = contrasts.max(axis=1)
        p_value = _against_maxima(statistic, maxima, alpha)
        return ContrastTest(statistic, p_value, _threshold(maxima, alpha))
    pool = np.sort(contrasts.ravel())
    beaten_by = len(pool) - np.searchsorted(pool, statistic, side="left")
    p_value = adjust((1 + beaten_by) / (1 + len(pool)), correction)
    n_passed = int((p_value <= alpha).sum()) if correction == "bh" else 1
    own_level = alpha * max(n_passed, 1) / len(statistic)
    return ContrastTest(statistic, p_value, _threshold(pool, own_level))


def _against_maxima(statistic: FloatArray, maxima: FloatArray, alpha: float) -> FloatArray:
    n = len(maxima)
    beaten_by = n - np.searchsorted(np.sort(maxima), statistic, side="left")
    by_rank = (1 + beaten_by) / (1 + n)
    scale = maxima.std(ddof=1) * np.sqrt(6) / np.pi
    if not scale > 0 or alpha < 1 / (1 + n):
        return by_rank
    height = (statistic - maxima.mean()) / scale + _EULER
    by_tail = -np.expm1(-np.exp(-np.clip(height, -700.0, 700.0)))
    return np.where(beaten_by == 0, np.minimum(by_rank, by_tail), by_rank)


def _threshold(null: FloatArray, alpha: float) -> float:
    """Largest score that is not significant: as many draws as the level allows lie above it."""
    n = len(null)
    allowed = min(int(np.floor(alpha * (n + 1) + 1e-9)), n) - 1
    return float(np.sort(null)[n - 1 - allowed]) if allowed >= 0 else float("inf")


def _paper(scores: FloatArray, contrasts: FloatArray, alpha: float) -> ContrastTest:
    percentile = np.quantile(contrasts, 1 - alpha, axis=1)
    _, p_value = paired_t(scores - percentile[:, None])
    return ContrastTest(
        scores.mean(axis=0), adjust(p_value, "bonferroni"), float(percentile.mean())
    )
