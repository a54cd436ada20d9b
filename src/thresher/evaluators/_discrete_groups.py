"""How often levels occur in every training part, from one look at each cell."""

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.values import count_runs

from ._folds import Folds
from ._problem import Problem

__all__ = ["RowGroups"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
CodeArray = NDArray[np.int32]


class RowGroups:
    """Rows that are in the same training parts, class by class.

    In cross-validation there are as many groups as folds, and each row is in all training parts but
    one: counting in groups and adding up spares counting almost all rows once for each fold.

    Parameters
    ----------
    problem : Problem
        Its folds, and the classes of its rows.
    """

    def __init__(self, problem: Problem):
        classes = np.asarray(problem.target.values, dtype=np.intp)
        group, self._times = _groups(problem.folds)
        self._n_classes = problem.target.n_classes
        run = group * self._n_classes + classes
        self._order = np.argsort(run, kind="stable")
        n_rows = np.bincount(run, minlength=len(self._times.T) * self._n_classes)
        self._starts = np.concatenate([[0], np.cumsum(n_rows)]).astype(np.intp)
        self._group, self._class = np.divmod(np.arange(len(n_rows)), self._n_classes)

    def counts(self, codes: CodeArray, first: IntArray, n_levels: IntArray) -> FloatArray:
        """Rows of each training part with each level, (folds, levels, classes).

        Parameters
        ----------
        codes : array of shape (n_columns, n_rows)
            Codes that are not below the number of levels stand for missing cells.
        first : array of shape (n_columns + 1,)
            Where the levels of each column start among all of them, and where the last ones end.
        n_levels : array of shape (n_columns,)
            How many there are.
        """
        n_groups = len(self._times.T)
        counts = np.zeros((n_groups, int(first[-1]), self._n_classes), dtype=np.intp)
        order, starts = self._order, self._starts
        count_runs(codes, order, starts, self._group, self._class, first[:-1], n_levels, counts)
        flat = self._times @ counts.reshape(n_groups, -1).astype(np.float64)
        return np.asarray(flat.reshape(-1, *counts.shape[1:]))


def _groups(folds: Folds) -> tuple[IntArray, FloatArray]:
    """Group of each row; and how often each training part (first axis) has each group."""
    if folds.leave_one_out:
        return np.zeros(folds.n_rows, dtype=np.intp), np.ones((1, 1))
    times = [np.bincount(fold.train, minlength=folds.n_rows) for fold in folds]  # type: ignore[arg-type]
    group = np.zeros(folds.n_rows, dtype=np.intp)
    for some in times:
        group = np.unique(group * (some.max() + 1) + some, return_inverse=True)[1]
    member = np.zeros(group.max() + 1, dtype=np.intp)
    member[group] = np.arange(folds.n_rows)
    return group, np.array([some[member] for some in times], dtype=np.float64)
