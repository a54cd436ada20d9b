"""Perceptrons: one table and one scale per fold; each subset is trained inside a kernel."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state

from thresher.kernels.perceptron import column_scales, held_out_losses
from thresher.learners import PocketPerceptron, ThermalPerceptron

from ._fitting import FittingEvaluator
from ._folds import Fold
from ._loss import Loss
from ._memory import has_squares
from ._problem import Problem
from ._refitting import seeded
from ._subsets import Subset

__all__ = ["PerceptronEvaluator"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


class PerceptronEvaluator(FittingEvaluator):
    """Exact held-out losses of `ThermalPerceptron` and `PocketPerceptron`.

    Parameters
    ----------
    problem : Problem
        One that `supports` accepts.

    Notes
    -----
    Losses are those of refitting bit for bit. Where neither the learner nor the evaluator has a
    seed, one is drawn for all subsets, so that they differ by their columns alone.
    """

    def __init__(self, problem: Problem):
        super().__init__(problem)
        learner: Any = seeded(clone(problem.estimator), problem.seed)
        self._rule = learner.make_rule()
        self._seed = learner.make_seed()
        self._table: FloatArray = np.ascontiguousarray(problem.columns.matrix)
        self._scales = [column_scales(self._table, fold.train) for fold in problem.folds]
        self._codes = [_codes(problem, fold) for fold in problem.folds]

    @classmethod
    def supports(cls, problem: Problem) -> bool:
        """Whether this class gives exactly what refitting the learner would give."""
        return (
            problem.loss is Loss.ZERO_ONE
            and not problem.folds.leave_one_out
            and _supported_learner(problem)
            and problem.weights is None
            and has_squares(problem)
            and all(len(_classes(problem, fold)) > 1 for fold in problem.folds)
        )

    def _held_out(self, subsets: Sequence[Subset], fold: Fold, test: IntArray) -> FloatArray:
        codes, train = self._codes[fold.index], fold.train
        return np.array(
            [
                held_out_losses(
                    self._table,
                    self.problem.columns.columns_of(subset),
                    self._scales[fold.index],
                    train,
                    codes[train],
                    int(codes[train].max()) + 1,
                    test,
                    codes[test],
                    self._rule,
                    self._seed,
                )
                for subset in subsets
            ]
        )


def _classes(problem: Problem, fold: Fold) -> IntArray:
    return np.unique(problem.target.values[fold.train])


def _codes(problem: Problem, fold: Fold) -> IntArray:
    """Number the classes that the training rows have; -1 for all others."""
    known = _classes(problem, fold)
    numbers = np.full(problem.target.n_classes, -1, dtype=np.intp)
    numbers[known] = np.arange(len(known))
    return np.asarray(numbers[problem.target.values])


def _supported_learner(problem: Problem) -> bool:
    if type(problem.estimator) not in (PocketPerceptron, ThermalPerceptron):
        return False
    learner: Any = seeded(clone(problem.estimator), problem.seed)
    try:
        learner.make_rule()
        check_random_state(learner.random_state)
    except ValueError:
        return False  # wrong parameters are for the learner to complain about
    return True
