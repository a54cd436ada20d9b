"""Stage 2 and 3's evidence: which important variables can stand in for which."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.stats import paired_t
from thresher.trees import boosted_masking

from ._monitor import NOBODY, CutShort, Monitor, gather
from ._problem import Problem

__all__ = ["Masking", "measure_masking"]

FloatArray = NDArray[np.float64]

#: Fewer replicates cannot be tested.
MIN_REPLICATES = 2


@dataclass(frozen=True, eq=False)
class Masking:
    """Masking among some variables.

    Parameters
    ----------
    variables : tuple of int
        The variables, in the order of the arrays.
    importance : array of shape (m,)
        Of each in the boosted ensembles.
    score : array of shape (m, m)
        ``score[i, j]``: how much of what i earned j could have earned in its place.
    p_value : array of shape (m, m)
        Of the hypothesis that a contrast could have done so as well.
    n_replicates : int
        How many it comes from.
    """

    variables: tuple[int, ...]
    importance: FloatArray
    score: FloatArray
    p_value: FloatArray
    n_replicates: int = 0


def measure_masking(
    problem: Problem,
    variables: Sequence[int],
    seed: np.random.SeedSequence,
    *,
    n_replicates: int,
    n_trees: int,
    masking_alpha: float,
    n_jobs: int | None = None,
    monitor: Monitor = NOBODY,
    stage: str = "masking",
) -> Masking:
    """Boost trees on the variables and their contrasts; compare surrogates of both.

    Trees are shared by all classes, so that masking in one class is not diluted by the others.

    Parameters
    ----------
    problem : Problem
        Columns, response and weights.
    variables : sequence of int
        The important ones.
    seed : SeedSequence
        Of contrasts and ensembles.
    n_replicates, n_trees : int
        Ensembles, and trees in each.
    masking_alpha : float
        Contrasts are represented by the ``1 - masking_alpha`` percentile of their scores.
    n_jobs : int, optional
        Threads; the result does not depend on it.
    monitor : Monitor
        If it cuts the work short, the result comes from fewer replicates; with less than two of
        them, `CutShort` is raised.
    stage : str
        What the monitor is told that this is.
    """
    binned = problem.cut_down(variables)
    n_columns = len(binned.n_bins)

    def one_replicate(own: np.random.SeedSequence) -> tuple[FloatArray, FloatArray, FloatArray]:
        permutation = np.random.default_rng(own).permutation(problem.n_rows)
        found = boosted_masking(
            binned, problem.response, problem.weight, permutation, own, n_trees=n_trees
        )
        rows = problem.by_variable(found.masking[:n_columns, :n_columns].T, variables).T
        real = problem.by_variable(rows, variables)
        null = problem.by_variable(found.masking[:n_columns, n_columns:], variables)
        null = problem.by_variable(null.T, variables).T
        earned = problem.by_variable(found.earned[:n_columns], variables)
        return earned, real, np.quantile(null, 1 - masking_alpha, axis=1)

    results = gather(
        one_replicate, [(own,) for own in seed.spawn(n_replicates)], n_jobs, monitor,
        lambda done: monitor.tick(stage, done, n_replicates),
    )  # fmt: skip
    if len(results) < min(MIN_REPLICATES, n_replicates):
        raise CutShort
    scores = np.array([real for _, real, _ in results])
    thresholds = np.array([threshold for _, _, threshold in results])
    _, p_value = paired_t(scores - thresholds[:, :, None])
    np.fill_diagonal(p_value, 1.0)
    return Masking(
        variables=tuple(variables),
        importance=np.mean([earned for earned, _, _ in results], axis=0),
        score=scores.mean(axis=0),
        p_value=p_value,
        n_replicates=len(results),
    )
