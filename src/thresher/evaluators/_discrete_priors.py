"""Log priors of `DiscreteNB` in each fold, as its tables want them."""

import numpy as np
from numpy.typing import NDArray

from thresher.learners import DiscreteNB
from thresher.learners._discrete_nb import SCALE, log_prior

from ._discrete_tables import UNSEEN
from ._folds import Fold
from ._naive_bayes import class_counts
from ._problem import Problem

__all__ = ["fold_priors"]


def fold_priors(
    problem: Problem, learner: DiscreteNB, fold: Fold, height: int
) -> NDArray[np.int64]:
    """Whole numbers of ``1 / SCALE``, one row for each class that a tested row may have."""
    counts = class_counts(problem, fold)
    prior = np.zeros((len(counts), height), dtype=np.int64)
    prior[:, : len(counts)] = UNSEEN
    for logs, rows in zip(prior, counts, strict=True):
        seen = np.flatnonzero(rows > 0)
        logs[seen] = np.rint(log_prior(learner.prior, rows[seen]) * SCALE)
    return prior
