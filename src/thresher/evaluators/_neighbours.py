"""Nearest neighbours: nothing is fitted, and a flip changes one term of each distance."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from thresher.kernels.neighbours import Rule, draw_losses, flip_losses, subset_losses

from ._folds import Fold
from ._memory import MemoryEvaluator, has_squares, n_train
from ._problem import Problem
from ._subsets import Subset

__all__ = ["NeighboursEvaluator"]

FloatArray = NDArray[np.float64]

_EUCLIDEAN = ("euclidean", "l2")
_MANHATTAN = ("manhattan", "cityblock", "l1")
_ALGORITHMS = ("auto", "ball_tree", "kd_tree", "brute")
#: What a column can add to the rounding error of a comparison of two distances, times two.
_ROUNDING = 4.0 * float(np.finfo(np.float64).eps)


class NeighboursEvaluator(MemoryEvaluator):
    """Exact held-out losses of scikit-learn's k-nearest-neighbour classifier and regressor.

    Parameters
    ----------
    problem : Problem
        One that `supports` accepts.

    Notes
    -----
    Of training rows at the same distance, those that come first in the training part are the
    neighbours; scikit-learn's own choice depends on its algorithm. Of classes with the same number
    of votes, the first in sorted order is predicted, as in scikit-learn.

    Distances are sums in the order of the table, whichever subset they were updated from: a subset
    has the same losses, bit for bit, in a list and among flips. As in scikit-learn's trees, they
    are made of differences; its brute-force Euclidean search expands the square instead, and so
    loses digits in columns whose mean is large next to their spread, such as datetimes.
    """

    subset_losses = subset_losses
    flip_losses = flip_losses
    drawn_losses = draw_losses

    @classmethod
    def supports(cls, problem: Problem) -> bool:
        """Whether this class gives exactly what refitting the learner would give."""
        return (
            _supported_learner(problem.estimator)
            and problem.loss is not None
            and problem.weights is None
            and _supported_target(problem)
            and has_squares(problem)
            and _enough_rows(problem)
        )

    @property
    def loss_span(self) -> float | None:
        """The largest difference there can be between two losses."""
        return self._span_of_averages()

    def _make_rule(self) -> Rule:
        return _rule(self.problem, self._table)

    def _sample_losses(self, subsets: Sequence[Subset], fold: Fold) -> FloatArray:
        n_rows, wanted = n_train(fold, self.problem.columns.n_rows), self._rule.n_neighbours
        if n_rows < wanted:
            raise ValueError(
                f"{type(self.problem.estimator).__name__} cannot find n_neighbors={wanted} among "
                f"{n_rows} row(s): let it learn from more rows, or lower n_neighbors"
            )
        return super()._sample_losses(subsets, fold)


def _rule(problem: Problem, table: FloatArray) -> Rule:
    estimator: Any = problem.estimator
    manhattan = _is_manhattan(estimator)
    return Rule(
        n_neighbours=int(estimator.n_neighbors),
        manhattan=manhattan,
        by_distance=estimator.weights == "distance",
        n_classes=problem.target.n_classes,
        loss=int(problem.row_loss),
        rounding=0.0 if _sums_are_exact(table, manhattan=manhattan) else _ROUNDING,
    )


def _sums_are_exact(table: FloatArray, *, manhattan: bool) -> bool:
    """Whether all distances are sums of integers that float64 holds without rounding."""
    if not all(np.array_equal(values, np.rint(values)) for values in table):
        return False
    spans = np.ptp(table, axis=1)
    return bool((spans if manhattan else spans**2).sum() < 2.0**53)


def _supported_learner(estimator: Any) -> bool:
    if type(estimator) not in (KNeighborsClassifier, KNeighborsRegressor):
        return False
    if (
        estimator.weights not in ("uniform", "distance", None)
        or estimator.metric_params is not None
    ):
        return False
    # wrong parameters are for scikit-learn to complain about
    counts = (estimator.n_neighbors, estimator.leaf_size)
    if not all(isinstance(count, Integral) and int(count) >= 1 for count in counts):
        return False
    if estimator.algorithm not in _ALGORITHMS:
        return False
    return _is_manhattan(estimator) or _is_euclidean(estimator)


def _is_manhattan(estimator: Any) -> bool:
    metric = estimator.metric
    return metric in _MANHATTAN or (metric == "minkowski" and estimator.p == 1)


def _is_euclidean(estimator: Any) -> bool:
    metric = estimator.metric
    return metric in _EUCLIDEAN or (metric == "minkowski" and estimator.p == 2)


def _supported_target(problem: Problem) -> bool:
    """Whether classifier, classes and loss (or regressor, numbers and loss) go together."""
    if problem.loss is None or problem.target.values.ndim != 1:
        return False
    classifies = type(problem.estimator) is KNeighborsClassifier
    has_classes = problem.target.classes is not None
    return classifies == has_classes == problem.loss.for_classification


def _enough_rows(problem: Problem) -> bool:
    estimator: Any = problem.estimator
    n_rows = problem.columns.n_rows
    return all(n_train(fold, n_rows) >= estimator.n_neighbors for fold in problem.folds)
