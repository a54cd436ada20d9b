"""Everything an evaluator needs to know: learner, table, target, loss and splits."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from thresher.columns import Columns

from ._folds import Folds
from ._loss import Loss

__all__ = ["Problem", "Scorer", "Target"]

FloatArray = NDArray[np.float64]
Scorer = Callable[[Any, Any, Any], float]


@dataclass(frozen=True, eq=False)
class Target:
    """What is to be predicted.

    Parameters
    ----------
    raw : array of shape (n_rows,)
        As the user gave it; this is what an estimator is fitted on.
    values : array of shape (n_rows,)
        Class codes 0, 1, ... for classification, float64 numbers for regression.
    classes : array or None
        The labels behind the codes; None for regression.
    """

    raw: NDArray[Any]
    values: NDArray[Any]
    classes: NDArray[Any] | None

    @property
    def n_classes(self) -> int:
        """The number of classes, 0 for regression."""
        return 0 if self.classes is None else len(self.classes)


@dataclass(frozen=True, eq=False)
class Problem:
    """One learner on one table: the question that evaluators answer for subsets of its variables.

    Exactly one of ``loss`` and ``scorer`` is given. ``on_error`` tells what becomes of a subset on
    which the estimator fails, ``timeout`` how many seconds it has for a fit.
    """

    estimator: BaseEstimator
    columns: Columns
    target: Target
    folds: Folds
    loss: Loss | None
    scorer: Scorer | None = None
    weights: FloatArray | None = None
    n_jobs: int | None = None
    seed: int | None = None
    on_error: Literal["raise", "skip"] = "raise"
    timeout: float | None = None

    @property
    def row_loss(self) -> Loss:
        """The per-row loss, for evaluators that have no other kind."""
        if self.loss is None:
            raise TypeError("this problem is judged by a scorer, not by a per-row loss")
        return self.loss
