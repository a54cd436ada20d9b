"""Naive Bayes on discrete columns: scores are sums of entries of a table, one per column."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from thresher.columns import CodedColumns, bytes_in_words
from thresher.kernels._class_scores import Tested
from thresher.kernels.discrete_nb import table_flips
from thresher.parallel import run_in_threads

from ._base import FastEvaluator
from ._discrete_coding import coding_of
from ._discrete_sums import BaseSums
from ._discrete_tables import MOST_ENTRIES, Coded, Coding
from ._folds import Fold
from ._lists import Lists, chosen, joined
from ._naive_bayes import rows_by_fold
from ._problem import Problem
from ._subsets import Flips, Removals, Subset

__all__ = ["DiscreteNBEvaluator"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


class DiscreteNBEvaluator(FastEvaluator):
    """Exact held-out losses of `DiscreteNB`, and scikit-learn's ``BernoulliNB``, ``CategoricalNB``.

    Parameters
    ----------
    problem : Problem
        One that `supports` accepts.
    coding : Coding, optional
        How it is coded, where that is known already.

    Notes
    -----
    ``CategoricalNB`` refuses to predict a row with a category higher than all those of the training
    part. Here such a category is one that never occurred: its count is zero and the number of
    categories stays what it was.

    An array ``min_categories`` belongs to the columns of the whole table; subsets use their part.

    Log probabilities are rounded to integers (multiples of about 1e-14; for `DiscreteNB`, as the
    learner itself rounds them) and added up as such. So a subset has the same losses, bit for bit,
    in a list and among flips or removals, and classes with the same probabilities tie exactly; then
    the first one is predicted.

    The sums over the base of the latest removals are remembered: the next ones cost little more
    than the columns that are removed, and those by which their base differs.
    """

    def __init__(self, problem: Problem, coding: Coding | None = None):
        super().__init__(problem)
        coding = _coding(problem) if coding is None else coding
        if coding is None:
            raise TypeError(f"{problem.estimator!r} is not supported on this problem")
        coded = coding.coded()
        self._classes = np.asarray(problem.target.values, dtype=np.intp)
        self._variables = joined(problem.columns.variables)
        self._coded, self._position = _by_fold(problem, coded, self._classes)
        self._sums = BaseSums(problem, self._coded, self._position)
        # rows held out in several folds have several losses
        self._in_one_go = len(self._sums.tests) == len(self.held_out)

    @classmethod
    def supports(cls, problem: Problem) -> bool:
        """Whether this class gives exactly what refitting the learner would give."""
        return _coding(problem) is not None

    @classmethod
    def for_problem(cls, problem: Problem) -> Self | None:
        """Return an evaluator, or None if the problem is not supported."""
        coding = _coding(problem)
        return None if coding is None else cls(problem, coding)

    def _held_out(self, subsets: Sequence[Subset], fold: Fold, test: IntArray) -> FloatArray:
        lists = joined(self.problem.columns.columns_of(subset) for subset in subsets)
        return self._losses_of(lists.columns[:0], lists, np.ones(len(subsets), np.intp), fold, test)

    def _held_out_flips(self, flips: Flips, fold: Fold, test: IntArray) -> FloatArray:
        base = self.problem.columns.columns_of(flips.base)
        lists = chosen(self._variables, np.array(flips.variables))
        signs = np.array([-1 if v in flips.base else 1 for v in flips.variables], dtype=np.intp)
        return self._losses_of(base, lists, signs, fold, test)

    def _held_out_removals(self, removals: Removals, fold: Fold, test: IntArray) -> FloatArray:
        return self._sums.losses_in_fold(removals, fold, test)

    def _losses(self, subsets: Sequence[Subset], rows: IntArray | None) -> FloatArray:
        _refuse_large(self.problem, len(subsets), rows)
        if rows is not None or not self._in_one_go:
            return super()._losses(subsets, rows)
        if self._sums.is_new and len(subsets) == 1 and not isinstance(subsets, Flips):
            # where a search begins is the base of its first removals
            subsets = Removals(subsets[0], [frozenset()])
        if isinstance(subsets, Removals):
            size = len(subsets.base)
            if all(len(some) < size for some in subsets.removed):
                return self._removal_losses(subsets)
        return super()._losses(subsets, rows)

    def _removal_losses(self, removals: Removals) -> FloatArray:
        """Losses of all rows, in one go for all folds: one by one, calls would cost the most."""
        folds, tests = self.problem.folds, self._sums.tests
        if len(removals) == 1:
            found = self._sums.losses(removals)
        else:
            tasks = [(removals[part],) for part in self._shares(removals)]
            found = np.concatenate(run_in_threads(self._sums.losses, tasks, self.problem.n_jobs))
        losses = np.full((len(removals), folds.n_rows), np.nan)
        losses[:, tests] = found
        self._count(len(removals), len(tests), len(tests) if folds.leave_one_out else len(folds))
        return losses

    def _losses_of(
        self, base: IntArray, lists: Lists, signs: IntArray, fold: Fold, test: IntArray
    ) -> FloatArray:
        coded, f = self._coded, fold.index
        tested = Tested(
            self._position[test], self._classes[test], coded.priors[f], int(self.problem.row_loss)
        )
        out = np.empty((len(signs), len(test)))
        levels, unit = coded.levels[f], coded.units[f]
        table_flips(coded.codes, levels, coded.offset, tested, unit, base, lists, signs, out)
        return out


def _by_fold(problem: Problem, coded: Coded, classes: IntArray) -> tuple[Coded, IntArray]:
    """Put rows that are tested together side by side, and tell where each one went.

    Codes that were stored beforehand stay as they are: there may be no room for others.
    """
    if isinstance(problem.columns, CodedColumns):
        return coded, np.arange(problem.columns.n_rows)
    order, position = rows_by_fold(problem.folds)
    codes, factor = coded.codes, 1
    if problem.folds.leave_one_out:
        factor = problem.target.n_classes
        codes = codes * np.int32(factor) + classes.astype(np.int32)
    codes, offset = np.take(codes, order, axis=1), coded.offset * factor
    return replace(coded, codes=codes, offset=offset), position


def _refuse_large(problem: Problem, n_subsets: int, rows: IntArray | None) -> None:
    """Refuse losses of all rows of a stored table where memory has no room for them."""
    columns = problem.columns
    if not isinstance(columns, CodedColumns):
        return
    n_rows = columns.n_rows if rows is None else len(rows)
    size = 8 * n_rows * n_subsets
    if n_subsets > 1 and size > columns.memory:
        raise ValueError(
            f"the losses of {n_subsets} subsets on {n_rows} rows would take "
            f"{bytes_in_words(size)}, but memory is limited to {bytes_in_words(columns.memory)}; "
            "let races judge (RVErS does, Stepwise with judge='contest'), take a sample of the "
            "rows, or allow more memory"
        )


def _coding(problem: Problem) -> Coding | None:
    """Code a problem, unless only refitting will do or the tables would be too large."""
    coding = coding_of(problem)
    if coding is None:
        return None
    n_classes = problem.target.n_classes
    n_models = n_classes if problem.folds.leave_one_out else 1
    fits = coding.n_levels * n_classes * n_models <= MOST_ENTRIES
    return coding if fits else None
