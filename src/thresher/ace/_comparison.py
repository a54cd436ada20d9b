"""Which variables beat the contrasts, with as many replicates as there are."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from thresher.stats import ContrastTest, adjust, contrast_test

from ._importance import Importances

__all__ = ["Correction", "compare", "compare_few"]

FloatArray = NDArray[np.float64]
Correction = Literal["max-t", "bonferroni", "bh", "t"]


def compare(
    importances: Importances, alpha: float, correction: Correction
) -> tuple[ContrastTest, float]:
    """Test at level ``alpha``; return the test and its level."""
    test = contrast_test(
        importances.scores, importances.contrasts, alpha=alpha, correction=correction
    )
    return test, alpha


def compare_few(
    importances: Importances, alpha: float, correction: Correction
) -> tuple[ContrastTest, float]:
    """Test after fewer replicates than planned; return the test and the lowest level it can hold.

    With R replicates no column can be rarer than 1 among R + 1. Rather than to find nothing, the
    level is raised to the smallest p-value that a column can reach, and p-values say so: none is
    extrapolated. The paired t-test needs no such thing, but two replicates; after a single one,
    ranks decide for it, too.

    Parameters
    ----------
    importances : Importances
        Of the replicates that there are.
    alpha : float
        The level asked for.
    correction : {"max-t", "bonferroni", "bh", "t"}
        See `thresher.stats.contrast_test`.
    """
    scores, contrasts = importances.scores, importances.contrasts
    n_replicates, n_variables = scores.shape
    if correction in ("bonferroni", "bh"):
        best = np.ones(n_variables)
        best[0] = 1 / (1 + contrasts.size)
        level = max(alpha, float(adjust(best, correction)[0]))
        return compare(importances, level, correction)
    lowest = 1 / (1 + n_replicates)
    if lowest <= alpha or (correction == "t" and n_replicates > 1):
        return compare(importances, alpha, correction)
    statistic, maxima = scores.mean(axis=0), contrasts.max(axis=1)
    p_value = (1 + (maxima[:, None] >= statistic).sum(axis=0)) / (1 + n_replicates)
    return ContrastTest(statistic, p_value, float(maxima.max())), lowest
