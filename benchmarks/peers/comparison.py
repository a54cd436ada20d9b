"""The statistics of the tables: pure functions of arrays."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata, t, wilcoxon

LEVEL = 0.05


def holm(p_values: ArrayLike) -> np.ndarray:
    """Return p-values adjusted by Holm's step-down procedure.

    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p)
    stepped = p[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate(stepped), 1.0)
    return adjusted


def signed_rank(differences: ArrayLike) -> float:
    """Two-sided p-value of Wilcoxon's signed rank test; 1 where all differences are zero."""
    d = np.asarray(differences, dtype=np.float64)
    d = d[d != 0]
    return float(wilcoxon(d).pvalue) if len(d) else 1.0


@dataclass(frozen=True, eq=False)
class Ranking:
    """How methods compare over data sets: mean ranks, and adjusted p-values against the best."""

    mean_ranks: np.ndarray
    best: int
    p_values: np.ndarray

    @property
    def tied(self) -> np.ndarray:
        """Who cannot be told from the best."""
        return self.p_values >= LEVEL


def rank(scores: ArrayLike) -> Ranking:
    """Compare methods (rows) by their scores on data sets (columns); higher is better.

    >>> rank([[0.9, 0.8], [0.1, 0.2]]).mean_ranks.tolist()
    [1.0, 2.0]
    """
    table = np.asarray(scores, dtype=np.float64)
    best = int(table.mean(axis=1).argmax())
    others = [row for row in range(len(table)) if row != best]
    p_values = np.ones(len(table))
    p_values[others] = holm([signed_rank(table[best] - table[row]) for row in others])
    ranks = np.apply_along_axis(lambda column: rankdata(-column), 0, table)
    return Ranking(ranks.mean(axis=1), best, p_values)


def corrected_t(differences: ArrayLike, n_folds: int) -> float:
    """Two-sided p-value that the mean of differences over folds is zero, after Nadeau and Bengio.

    Models of different folds share most of their training rows, so the variance of the mean is
    taken to be ``s**2 * (1 / n + n_test / n_train)``; in cross-validation the last ratio is
    ``1 / (n_folds - 1)``. Equal differences other than zero give 0.

    >>> round(corrected_t([0.5, 1.0, 1.5], n_folds=3), 3)
    0.161
    """
    d = np.asarray(differences, dtype=np.float64)
    mean, variance = float(d.mean()), float(d.var(ddof=1))
    if variance == 0:
        return 1.0 if mean == 0 else 0.0
    statistic = mean / np.sqrt(variance * (1 / len(d) + 1 / (n_folds - 1)))
    return float(2 * t.sf(abs(statistic), len(d) - 1))


def geometric_mean(values: ArrayLike) -> float:
    """Return the geometric mean; times below a millisecond count as one."""
    return float(np.exp(np.mean(np.log(np.maximum(np.asarray(values, dtype=np.float64), 1e-3)))))
