"""Stage 1: importances of variables and of contrasts that cannot matter."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.lasso import lasso_path, score_products
from thresher.trees import forest_importances

from ._monitor import NOBODY, Monitor, gather
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
    monitor: Monitor = NOBODY,
    stage: str = "importances",
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
    monitor : Monitor
        If it cuts the work short, the result has fewer replicates, but at least one.
    stage : str
        What the monitor is told that this is.
    """
    rng = np.random.default_rng(seed)
    permutations = np.array([rng.permutation(problem.n_rows) for _ in range(n_replicates)])
    seeds = rng.integers(2**63, size=n_replicates, dtype=np.uint64)
    lasso = _lasso(problem, target)

    def one_replicate(replicate: int) -> tuple[FloatArray, FloatArray]:
        # both measures of a replicate in one task: replicates that are done can be used as they are
        own = slice(replicate, replicate + 1)
        forest = forest_importances(
            problem.binned, target, problem.weight, permutations[own], seeds[own], n_trees=n_trees
        )
        return np.concatenate(forest, axis=1)[0], lasso(permutations[replicate])

    found = gather(
        one_replicate, [(replicate,) for replicate in range(n_replicates)], n_jobs, monitor,
        lambda done: monitor.tick(stage, done, n_replicates), n_required=1,
    )  # fmt: skip
    in_forests, in_lassos = (np.array(part) for part in zip(*found, strict=True))
    forest, forest_contrasts = _halves(problem, in_forests)
    linear, linear_contrasts = _halves(problem, in_lassos)
    scores = np.zeros_like(forest)
    contrasts = np.zeros_like(forest)
    for measure, null in ((forest, forest_contrasts), (linear, linear_contrasts)):
        unit = null.max(axis=1).mean()
        if unit > 0:
            scores += measure / unit
            contrasts += null / unit
    return Importances(scores, contrasts, forest.mean(axis=0), linear.mean(axis=0))


def _halves(problem: Problem, earned: FloatArray) -> tuple[FloatArray, FloatArray]:
    """What variables and contrasts earn, from columns and their contrasts side by side."""
    n_columns = len(problem.binned.codes)
    return problem.by_variable(earned[:, :n_columns]), problem.by_variable(earned[:, n_columns:])


def _lasso(problem: Problem, target: FloatArray) -> Callable[[IntArray], FloatArray]:
    """From a permutation to the sizes of lasso coefficients of all columns, then all contrasts."""
    n_columns, n_rows = problem.binned.codes.shape
    weight = problem.weight
    outputs = np.ascontiguousarray(target - weight @ target / weight.sum())
    spread = np.sqrt((weight @ outputs**2).sum() / n_rows)
    if not spread > 0:
        return lambda _: np.zeros(2 * n_columns)
    outputs /= spread

    def products(order: IntArray) -> FloatArray:
        found = np.empty((n_columns, outputs.shape[1]))
        score_products(
            problem.binned.codes, problem.scores, outputs * weight[:, None], order, found
        )
        return np.asarray(np.abs(found).max(axis=1))

    of_columns = products(np.arange(n_rows))

    def sizes_of(order: IntArray) -> FloatArray:
        strength = np.concatenate([of_columns, products(order)])
        chosen = np.sort(np.argsort(-strength, kind="stable")[:MAX_COLUMNS])
        real, contrast = chosen[chosen < n_columns], chosen[chosen >= n_columns] - n_columns
        table = np.vstack([problem.column_scores(real), problem.column_scores(contrast)[:, order]])
        sizes = np.zeros(2 * n_columns)
        sizes[chosen] = _lasso_sizes(table, outputs, weight)
        return sizes

    return sizes_of


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
