"""C4.5 trees: the table is coded once, and what is left of a tree is not grown again."""

from collections.abc import Sequence

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from thresher.kernels.c45 import held_out_probabilities
from thresher.kernels.c45_variants import variant_probabilities
from thresher.learners import C45Classifier
from thresher.learners._c45_coding import code_columns, training_on

from ._c45_records import Records
from ._fitting import FittingEvaluator
from ._folds import Fold
from ._lists import joined
from ._loss import classification_losses
from ._problem import Problem
from ._subsets import Flips, Removals, Subset

__all__ = ["C45Evaluator"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Probabilities that are held at a time.
_BLOCK_CELLS = 2**21
#: Where a removal takes this share of the columns, little of a tree is left.
_MUCH = 1 / 4


class C45Evaluator(FittingEvaluator):
    """Held-out losses of `C45Classifier`, a tree grown for each subset and fold.

    What is saved is all but the growing: reading, checking and sorting the table. Where variables
    are removed from one base, only those parts of its tree are grown again that change. The losses
    are those of refitting, bit for bit. Leave-one-out, weighted rows and pruned trees are left to
    refitting.

    Parameters
    ----------
    problem : Problem
        One that `supports` accepts.
    """

    def __init__(self, problem: Problem):
        super().__init__(problem)
        self._least, self._collapse = _parameters(problem)
        self._table = code_columns(problem.columns)[1]
        classes = np.asarray(problem.target.values, dtype=np.intp)
        self._training = [
            training_on(
                self._table,
                _training_rows(fold),
                classes[_training_rows(fold)],
                np.ones(len(_training_rows(fold))),
                problem.target.n_classes,
            )
            for fold in problem.folds
        ]
        self._records = Records(self._table, self._training, self._least)

    @classmethod
    def supports(cls, problem: Problem) -> bool:
        """Whether this class gives exactly what refitting the learner would give."""
        estimator = problem.estimator
        if type(estimator) is not C45Classifier or estimator.prune:
            return False
        try:
            _parameters(problem)
        except ValueError:
            return False  # refitting will complain
        return (
            problem.loss is not None
            and problem.loss.for_classification
            and problem.weights is None
            and not problem.folds.leave_one_out
            and not scipy.sparse.issparse(problem.columns.table)
        )

    def _held_out(self, subsets: Sequence[Subset], fold: Fold, test: IntArray) -> FloatArray:
        losses = np.empty((len(subsets), len(test)))
        truth = self.problem.target.values[test]
        probability = np.empty((len(test), self.problem.target.n_classes))
        for subset, out in zip(subsets, losses, strict=True):
            held_out_probabilities(
                self._table,
                self._training[fold.index],
                self.problem.columns.columns_of(subset),
                self._least,
                self._collapse,
                test,
                probability,
            )
            out[:] = classification_losses(self.problem.row_loss, probability, truth)
        return losses

    def _held_out_flips(self, flips: Flips, fold: Fold, test: IntArray) -> FloatArray:
        base = flips.base
        goes = np.array([v in base for v in flips.variables])
        losses = np.empty((len(flips), len(test)))
        if goes.any():
            gone = [frozenset({v}) for v in flips.variables if v in base]
            losses[goes] = self._held_out_removals(Removals(base, gone), fold, test)
        come = [base | {v} for v in flips.variables if v not in base]
        losses[~goes] = self._held_out(come, fold, test)
        return losses

    def _held_out_removals(self, removals: Removals, fold: Fold, test: IntArray) -> FloatArray:
        columns = self.problem.columns
        base = columns.columns_of(removals.base)
        gone = [np.searchsorted(base, columns.columns_of(some)) for some in removals.removed]
        record = None
        if max(map(len, gone)) <= _MUCH * len(base):
            record = self._records.get(fold.index, removals.base, base, n_asked=len(gone))
        if record is None:
            return self._held_out(list(removals), fold, test)
        losses = np.empty((len(gone), len(test)))
        truth, n_classes = self.problem.target.values[test], self.problem.target.n_classes
        n_at_once = max(1, _BLOCK_CELLS // max(1, len(test) * n_classes))
        whole = np.empty((len(test), n_classes))
        for start in range(0, len(gone), n_at_once):
            few = joined(gone[start : start + n_at_once])
            probability = np.empty((len(few.starts) - 1, len(test), n_classes))
            variant_probabilities(
                self._table,
                self._training[fold.index],
                record,
                few.starts,
                few.columns,
                self._least,
                self._collapse,
                test,
                whole,
                probability,
            )
            for k, found in enumerate(probability, start):
                losses[k] = classification_losses(self.problem.row_loss, found, truth)
        return losses


def _parameters(problem: Problem) -> tuple[float, bool]:
    estimator = problem.estimator
    if not isinstance(estimator, C45Classifier):
        raise TypeError(f"{estimator!r} is not supported")
    return estimator.checked_parameters()[0], bool(estimator.collapse)


def _training_rows(fold: Fold) -> IntArray:
    if fold.train is None:
        raise TypeError("leave-one-out is left to refitting")
    return fold.train
