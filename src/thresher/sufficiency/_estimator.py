"""The user's own estimator as the judge of sets."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier

from thresher.columns import Columns
from thresher.evaluators import Evaluator, FastEvaluator, can_take, evaluator_for
from thresher.journal import NO_JOURNAL, Scope

from ._folds import RepeatedFolds

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
    folds : RepeatedFolds
        The folds that hold each row out. All repeats count if there is an exact fast evaluator, and
        only the first one where the estimator must be refitted.
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
        folds: RepeatedFolds,
        *,
        seed: int,
        n_jobs: int | None = None,
        journal: Scope = NO_JOURNAL,
    ):
        self.name = type(estimator).__name__
        self.loss = proper_loss(estimator)
        self._rows: list[list[IntArray]] = []
        self._evaluators: list[Evaluator] = []
        everyone = np.arange(len(folds.of_row[0]))
        for number, of_row in enumerate(folds.of_row):
            rows = [np.flatnonzero(of_row == fold) for fold in range(folds.n_folds)]
            evaluator = evaluator_for(
                estimator, columns, y,
                cv=[(np.delete(everyone, held), held) for held in rows], loss=self.loss,
                encode=not can_take(estimator, columns), n_jobs=n_jobs, random_state=seed,
            )  # fmt: skip
            evaluator.journal = journal.part(f"repeat {number}") if number else journal
            self._rows.append(rows)
            self._evaluators.append(evaluator)
            if not isinstance(evaluator, FastEvaluator):
                break

    def judge(
        self, sets_by_size: Mapping[int, Sets], told: Callable[[int, int], object]
    ) -> dict[int, FloatArray]:
        """Return the losses of held-out rows by size; each fold has variables of its own.

        ``told`` is called with the number of folds done and of all folds; it may stop the work by
        raising.
        """
        sizes = list(sets_by_size)
        held_out = [
            (evaluator, rows)
            for evaluator, folds in zip(self._evaluators, self._rows, strict=True)
            for rows in folds
        ]
        losses = np.zeros((len(sizes), sum(map(len, self._rows[0]))))
        for model, (evaluator, rows) in enumerate(held_out):
            told(model, len(held_out))
            subsets = [frozenset(sets_by_size[size][model]) for size in sizes]
            losses[:, rows] += evaluator.losses(subsets, rows=rows)
        told(len(held_out), len(held_out))
        return dict(zip(sizes, losses / len(self._evaluators), strict=True))

    @property
    def n_fits(self) -> int:
        """Number of models fitted and tested so far."""
        return sum(evaluator.n_fits for evaluator in self._evaluators)
