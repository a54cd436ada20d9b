"""Stage 2 and 3's evidence: which important variables can stand in for which."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.parallel import Shared
from thresher.stats import paired_t
from thresher.trees import boosted_masking

from ._monitor import NOBODY, CutShort, Monitor, gather
from ._problem import Problem, shared
from ._sampling import Population

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


@dataclass(frozen=True, eq=False)
class _Ensembles:
    """What replicates have in common, beside the problem; a seed for each."""

    variables: tuple[int, ...]
    seeds: tuple[np.random.SeedSequence, ...]
    n_trees: int
    masking_alpha: float


def measure_masking(
    problem: Problem | Shared[Problem] | Shared[Population],
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
    problem : Problem, or Shared of it, or Shared of Population
        Columns, response and weights; shared, workers get them once for all stages. From a
        population, each replicate draws rows of its own.
    variables : sequence of int
        The important ones.
    seed : SeedSequence
        Of contrasts and ensembles.
    n_replicates, n_trees : int
        Ensembles, and trees in each.
    masking_alpha : float
        Contrasts are represented by the ``1 - masking_alpha`` percentile of their scores.
    n_jobs : int, optional
        Workers; the result does not depend on them.
    monitor : Monitor
        If it cuts the work short, the result comes from fewer replicates; with less than two of
        them, `CutShort` is raised.
    stage : str
        What the monitor is told that this is.
    """
    ensembles = _Ensembles(
        tuple(variables), tuple(seed.spawn(n_replicates)), n_trees, masking_alpha
    )
    with Shared(ensembles) as common:
        results = gather(
            one_ensemble, [(replicate,) for replicate in range(n_replicates)], n_jobs, monitor,
            lambda done: monitor.tick(stage, done, n_replicates),
            what=(stage,), shared=(shared(problem), common),
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


def one_ensemble(
    problem: Problem | Population, ensembles: _Ensembles, replicate: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """What the variables earned, how they mask each other, and how well contrasts do so."""
    variables, own = ensembles.variables, ensembles.seeds[replicate]
    rng = np.random.default_rng(own)
    if isinstance(problem, Population):
        problem = problem.draw(rng)
    binned = problem.cut_down(variables)
    n_columns = len(binned.n_bins)
    permutation = rng.permutation(problem.n_rows)
    found = boosted_masking(
        binned, problem.response, problem.weight, permutation, own, n_trees=ensembles.n_trees
    )
    rows = problem.by_variable(found.masking[:n_columns, :n_columns].T, variables).T
    real = problem.by_variable(rows, variables)
    null = problem.by_variable(found.masking[:n_columns, n_columns:], variables)
    null = problem.by_variable(null.T, variables).T
    earned = problem.by_variable(found.earned[:n_columns], variables)
    return earned, real, np.quantile(null, 1 - ensembles.masking_alpha, axis=1)
