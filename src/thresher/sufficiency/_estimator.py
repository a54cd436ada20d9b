"""The user's own estimator as the judge of sets."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier

from thresher.columns import Columns
from thresher.evaluators import can_take, evaluator_for
from thresher.journal import NO_JOURNAL, Scope

__all__ = ["Estimator", "proper_loss"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Sets = Sequence[Sequence[int]]


def proper_loss(estimator: Any) -> str:
    """A loss that the true probabilities minimise, if the estimator gives probabilities.

    That is the Brier score, not the log loss, which is infinite where nearest neighbours are sure
    and wrong.
    """
    if not is_classifier(estimator):
        return "squared"
    return "brier" if hasattr(estimator, "predict_proba") else "zero_one"


class Estimator:
    """An estimator that predicts held-out rows from the variables of each fold.

    Parameters
    ----------
    estimator : classifier or regressor
        Refitted, unless there is an exact fast evaluator for it.
    columns : Columns
        The table, with the same variables as those of the sets.
    y : array of shape (n_rows,)
        The target.
    fold_of_row : int array of shape (n_rows,)
        The fold that holds each row out.
    seed : int
        Seed of estimators that are random.
    n_jobs : int, optional
        Workers.
    journal : Scope
        Where fits are written down.
    """

    def __init__(
        self,
        estimator: Any,
        columns: Columns,
        y: NDArray[Any],
        fold_of_row: IntArray,
        *,
        seed: int,
        n_jobs: int | None = None,
        journal: Scope = NO_JOURNAL,
    ):
        self.name = type(estimator).__name__
        self.loss = proper_loss(estimator)
        self._rows = [np.flatnonzero(fold_of_row == f) for f in range(fold_of_row.max() + 1)]
        everyone = np.arange(len(fold_of_row))
        self._evaluator = evaluator_for(
            estimator, columns, y,
            cv=[(np.delete(everyone, rows), rows) for rows in self._rows], loss=self.loss,
            encode=not can_take(estimator, columns), n_jobs=n_jobs, random_state=seed,
        )  # fmt: skip
        self._evaluator.journal = journal

    def judge(
        self, sets_by_size: Mapping[int, Sets], told: Callable[[int, int], object]
    ) -> dict[int, FloatArray]:
        """Return the losses of held-out rows by size; each fold has variables of its own.

        ``told`` is called with the number of folds done and of all folds; it may stop the work by
        raising.
        """
        sizes = list(sets_by_size)
        losses = np.empty((len(sizes), sum(map(len, self._rows))))
        for fold, rows in enumerate(self._rows):
            told(fold, len(self._rows))
            subsets = [frozenset(sets_by_size[size][fold]) for size in sizes]
            losses[:, rows] = self._evaluator.losses(subsets, rows=rows)
        told(len(self._rows), len(self._rows))
        return dict(zip(sizes, losses, strict=True))

    @property
    def n_fits(self) -> int:
        """Number of models fitted and tested so far."""
        return self._evaluator.n_fits
