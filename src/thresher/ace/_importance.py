"""Stage 1: importances of variables and of contrasts that cannot matter."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.lasso import lasso_path, score_products
from thresher.parallel import run_in_threads
from thresher.trees import forest_importances

from ._problem import Problem

__all__ = ["Importances", "measure_importance"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

#: The lasso starts from so many columns and contrasts with the largest products with the target.
MAX_COLUMNS = 500
MAX_ACTIVE = 60
#: From the penalty that lets the first column in down to this share of it.
PENALTIES = np.geomspace(1.0, 0.02, 25)


@dataclass(frozen=True, eq=False)
class Importances:
    """Scores of each variable and of its contrast in each replicate.

    Parameters
    ----------
    scores, contrasts : arrays of shape (n_replicates, n_variables)
        What is tested: the sum of the two measures below, each in units of the mean over replicates
        of the best contrast's.
    forest : array of shape (n_variables,)
        Mean importance in the forests: share of variance explained out of the bag.
    linear : array of shape (n_variables,)
        Mean size of lasso coefficients on normal scores.
    """

    scores: FloatArray
    contrasts: FloatArray
    forest: FloatArray
    linear: FloatArray


def measure_importance(
    problem: Problem,
    target: FloatArray,
    seed: np.random.SeedSequence,
    *,
    n_replicates: int,
    n_trees: int,
    n_jobs: int | None = None,
) -> Importances:
    """Score all variables beside contrasts, permuted anew in each replicate.

    A forest sees any form of influence, but splits it among columns that say the same, and in a few
    hundred rows hardly adds up many small effects. A lasso does the opposite. All columns of a
    replicate are permuted by the same draw, so contrasts are related to each other as columns are.

    Parameters
    ----------
    problem : Problem
        Columns and weights.
    target : array of shape (n_rows, K)
        The residual to explain.
    seed : SeedSequence
        Of the permutations and the forests.
    n_replicates, n_trees : int
        Forests, and trees in each.
    n_jobs : int, optional
        Threads; the result does not depend on it.
    """
    rng = np.random.default_rng(seed)
    permutations = np.array([rng.permutation(problem.n_rows) for _ in range(n_replicates)])
    seeds = rng.integers(2**63, size=n_replicates, dtype=np.uint64)
    forest, forest_contrasts = (
        problem.by_variable(part)
        for part in forest_importances(
            problem.binned,
            target,
            problem.weight,
            permutations,
            seeds,
            n_trees=n_trees,
            n_jobs=n_jobs,
        )
    )
    linear, linear_contrasts = (
        problem.by_variable(part)
        for part in _linear_importances(problem, target, permutations, n_jobs)
    )
    scores = np.zeros_like(forest)
    contrasts = np.zeros_like(forest)
    for measure, null in ((forest, forest_contrasts), (linear, linear_contrasts)):
        unit = null.max(axis=1).mean()
        if unit > 0:
            scores += measure / unit
            contrasts += null / unit
    return Importances(scores, contrasts, forest.mean(axis=0), linear.mean(axis=0))


def _linear_importances(
    problem: Problem, target: FloatArray, permutations: IntArray, n_jobs: int | None
) -> tuple[FloatArray, FloatArray]:
    """Sizes of lasso coefficients of columns and contrasts, of shape (n_replicates, n_columns)."""
    n_columns, n_rows = problem.binned.codes.shape
    weight = problem.weight
    outputs = np.ascontiguousarray(target - weight @ target / weight.sum())
    spread = np.sqrt((weight @ outputs**2).sum() / n_rows)
    if not spread > 0:
        nothing = np.zeros((len(permutations), n_columns))
        return nothing, nothing
    outputs /= spread
    identity = np.arange(n_rows)

    def products(order: IntArray) -> FloatArray:
        found = np.empty((n_columns, outputs.shape[1]))
        score_products(
            problem.binned.codes, problem.scores, outputs * weight[:, None], order, found
        )
        return np.asarray(np.abs(found).max(axis=1))

    of_columns = products(identity)

    def one_replicate(replicate: int) -> FloatArray:
        order = permutations[replicate]
        strength = np.concatenate([of_columns, products(order)])
        chosen = np.sort(np.argsort(-strength, kind="stable")[:MAX_COLUMNS])
        real, contrast = chosen[chosen < n_columns], chosen[chosen >= n_columns] - n_columns
        table = np.vstack([problem.column_scores(real), problem.column_scores(contrast)[:, order]])
        sizes = np.zeros(2 * n_columns)
        sizes[chosen] = _lasso_sizes(table, outputs, weight)
        return sizes

    tasks = [(replicate,) for replicate in range(len(permutations))]
    sizes = np.array(run_in_threads(one_replicate, tasks, n_jobs))
    return sizes[:, :n_columns], sizes[:, n_columns:]


def _lasso_sizes(table: FloatArray, outputs: FloatArray, weight: FloatArray) -> FloatArray:
    n_rows = len(outputs)
    root = np.sqrt(weight)
    scaled = np.ascontiguousarray(table * root)
    length = np.sqrt((scaled**2).mean(axis=1))
    scaled /= np.where(length > 0, length, 1.0)[:, None]
    sizes = np.zeros(len(table))
    for k in range(outputs.shape[1]):
        goal = np.ascontiguousarray(outputs[:, k] * root)
        largest = float(np.abs(scaled @ goal).max()) / n_rows
        found = np.zeros(len(table))
        lasso_path(
            scaled,
            goal,
            largest * PENALTIES,
            min(n_rows // 2, MAX_ACTIVE),
            50,
            1e-3 * largest,
            found,
        )
        sizes += np.abs(found)
    return sizes
