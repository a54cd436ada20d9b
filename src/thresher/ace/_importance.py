"""Stage 1: importances of variables and of contrasts that cannot matter."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.lasso import lasso_path, score_products
from thresher.parallel import Shared
from thresher.trees import forest_importances

from ._monitor import NOBODY, Monitor, gather
from ._problem import Problem, shared
from ._sampling import Population

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


@dataclass(frozen=True, eq=False)
class _Replicates:
    """What replicates have in common, beside the problem.

    Parameters
    ----------
    target : array of shape (n_rows, K)
        The residual to explain.
    n_trees : int
        Trees in each forest.
    draws : tuple of dict
        For each replicate, the state that the generator draws its permutation from: a few numbers,
        where the permutation has as many as there are rows.
    seeds : uint64 array
        One for each forest.
    lasso : _Lasso or None
        What all lassos start from; None if the target is constant.
    """

    target: FloatArray
    n_trees: int
    draws: tuple[Mapping[str, Any], ...]
    seeds: NDArray[np.uint64]
    lasso: "_Lasso | None"

    def permutation(self, replicate: int, n_rows: int) -> IntArray:
        """The rows in the order of a replicate's contrasts."""
        rng = np.random.default_rng()
        rng.bit_generator.state = self.draws[replicate]
        return rng.permutation(n_rows)


@dataclass(frozen=True, eq=False)
class _Draws:
    """What replicates have in common that draw rows of their own; a seed for each."""

    seeds: tuple[np.random.SeedSequence, ...]
    n_trees: int


@dataclass(frozen=True, eq=False)
class _Lasso:
    """The target in units of its spread, and its products with the columns as they are."""

    outputs: FloatArray
    of_columns: FloatArray


def measure_importance(
    problem: Problem | Shared[Problem],
    target: FloatArray,
    seed: np.random.SeedSequence,
    *,
    n_replicates: int,
    n_trees: int,
    n_jobs: int | None = None,
    monitor: Monitor = NOBODY,
    stage: str = "importances",
    population: Shared[Population] | None = None,
) -> Importances:
    """Score all variables beside contrasts, permuted anew in each replicate.

    A forest sees any form of influence, but splits it among columns that say the same, and in a few
    hundred rows hardly adds up many small effects. A lasso does the opposite. All columns of a
    replicate are permuted by the same draw, so contrasts are related to each other as columns are.

    Parameters
    ----------
    problem : Problem, or Shared of it
        Columns and weights; shared, workers get them once for all stages.
    target : array of shape (n_rows, K)
        The residual to explain.
    seed : SeedSequence
        Of the permutations and the forests.
    n_replicates, n_trees : int
        Forests, and trees in each.
    n_jobs : int, optional
        Workers; the result does not depend on them.
    monitor : Monitor
        If it cuts the work short, the result has fewer replicates, but at least one.
    stage : str
        What the monitor is told that this is.
    population : Shared of Population, optional
        Rows for replicates to draw from, instead of those of the problem and its target.
    """
    common = shared(problem)
    problem = common.value
    tasks = [(replicate,) for replicate in range(n_replicates)]

    def gathered(function: Any, first: Shared[Any], second: Any) -> list[Any]:
        with Shared(second) as replicates:
            return gather(
                function, tasks, n_jobs, monitor,
                lambda done: monitor.tick(stage, done, n_replicates),
                what=(stage,), shared=(first, replicates), n_required=1,
            )  # fmt: skip

    if population is not None:
        draws = _Draws(tuple(seed.spawn(n_replicates)), n_trees)
        return _importances(problem, gathered(one_sampled, population, draws))
    rng = np.random.default_rng(seed)
    states = []
    for _ in range(n_replicates):
        states.append(rng.bit_generator.state)
        rng.permutation(problem.n_rows)
    seeds = rng.integers(2**63, size=n_replicates, dtype=np.uint64)
    lasso = _begin_lasso(problem, target)
    replicates = _Replicates(target, n_trees, tuple(states), seeds, lasso)
    return _importances(problem, gathered(one_replicate, common, replicates))


def _importances(problem: Problem, found: list[tuple[FloatArray, FloatArray]]) -> Importances:
    """What replicates have found, in common units."""
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


def one_replicate(
    problem: Problem, replicates: _Replicates, replicate: int
) -> tuple[FloatArray, FloatArray]:
    """Importances in one forest and in one lasso, of all columns and then all contrasts.

    Both measures of a replicate are one task: replicates that are done can be used as they are.
    """
    order = replicates.permutation(replicate, problem.n_rows)
    forest = forest_importances(
        problem.binned, replicates.target, problem.weight, order[None],
        replicates.seeds[replicate : replicate + 1], n_trees=replicates.n_trees,
    )  # fmt: skip
    if replicates.lasso is None:
        sizes = np.zeros(2 * len(problem.binned.codes))
    else:
        sizes = _lasso_sizes_of(problem, replicates.lasso, order)
    return np.concatenate(forest, axis=1)[0], sizes


def one_sampled(
    population: Population, draws: _Draws, replicate: int
) -> tuple[FloatArray, FloatArray]:
    """Do the same in rows that the replicate draws by itself, when nothing is explained yet."""
    rng = np.random.default_rng(draws.seeds[replicate])
    problem = population.draw(rng)
    target = problem.unexplained()
    seeds = rng.integers(2**63, size=1, dtype=np.uint64)
    own = (rng.bit_generator.state,)
    lasso = _begin_lasso(problem, target)
    return one_replicate(problem, _Replicates(target, draws.n_trees, own, seeds, lasso), 0)


def _halves(problem: Problem, earned: FloatArray) -> tuple[FloatArray, FloatArray]:
    """What variables and contrasts earn, from columns and their contrasts side by side."""
    n_columns = len(problem.binned.codes)
    return problem.by_variable(earned[:, :n_columns]), problem.by_variable(earned[:, n_columns:])


def _begin_lasso(problem: Problem, target: FloatArray) -> _Lasso | None:
    weight = problem.weight
    outputs = np.ascontiguousarray(target - weight @ target / weight.sum())
    spread = np.sqrt((weight @ outputs**2).sum() / problem.n_rows)
    if not spread > 0:
        return None
    outputs /= spread
    return _Lasso(outputs, _products(problem, outputs, np.arange(problem.n_rows)))


def _products(problem: Problem, outputs: FloatArray, order: IntArray) -> FloatArray:
    """The largest product of each column, with its rows in this order, with an output."""
    found = np.empty((len(problem.binned.codes), outputs.shape[1]))
    goal = outputs * problem.weight[:, None]
    score_products(problem.binned.codes, problem.scores, goal, order, found)
    return np.asarray(np.abs(found).max(axis=1))


def _lasso_sizes_of(problem: Problem, lasso: _Lasso, order: IntArray) -> FloatArray:
    """Sizes of lasso coefficients of all columns, then all contrasts."""
    n_columns = len(problem.binned.codes)
    strength = np.concatenate([lasso.of_columns, _products(problem, lasso.outputs, order)])
    chosen = np.sort(np.argsort(-strength, kind="stable")[:MAX_COLUMNS])
    real, contrast = chosen[chosen < n_columns], chosen[chosen >= n_columns] - n_columns
    table = np.vstack([problem.column_scores(real), problem.column_scores(contrast)[:, order]])
    sizes = np.zeros(2 * n_columns)
    sizes[chosen] = _lasso_sizes(table, lasso.outputs, problem.weight)
    return sizes


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
