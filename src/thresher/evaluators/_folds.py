"""Cross-validation as plain index arrays, with leave-one-out kept as the special case it is."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import LeaveOneOut, check_cv

from thresher.journal import digest

__all__ = ["Fold", "Folds", "each_fold", "make_folds", "nth_fold"]

IntArray = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Fold:
    """One split of the rows.

    ``train`` is None for the single fold that stands for leave-one-out: each tested row is
    predicted from all the others, which fast evaluators do in one pass.
    """

    index: int
    train: IntArray | None
    test: IntArray

    @cached_property
    def key(self) -> bytes:
        """Fingerprint of its rows, by which a journal knows it again."""
        return digest(self.train, self.test)


@dataclass(frozen=True, eq=False)
class Folds:
    """All splits of a cross-validation over ``n_rows`` rows."""

    folds: tuple[Fold, ...]
    n_rows: int

    @property
    def leave_one_out(self) -> bool:
        """Whether the one fold stands for leave-one-out."""
        return self.folds[0].train is None

    def __iter__(self) -> Iterator[Fold]:
        return iter(self.folds)

    def __len__(self) -> int:
        return len(self.folds)


def each_fold(folds: Folds) -> Iterator[Fold]:
    """Yield real splits, leave-one-out as one fold per row, made only when they are asked for."""
    n_folds = folds.n_rows if folds.leave_one_out else len(folds)
    for number in range(n_folds):
        yield nth_fold(folds, number)


def nth_fold(folds: Folds, number: int) -> Fold:
    """One real split; of leave-one-out, the one that holds out this row."""
    if not folds.leave_one_out:
        return folds.folds[number]
    everyone = np.arange(folds.n_rows)
    return Fold(number, np.delete(everyone, number), everyone[number : number + 1])


def make_folds(
    cv: Any,
    y: NDArray[Any],
    *,
    classifier: bool,
    groups: Any = None,
    labels: NDArray[Any] | None = None,
) -> Folds:
    """Turn ``cv`` into folds.

    Parameters
    ----------
    cv : int, "loo", splitter, iterable or Folds
        As in scikit-learn, with "loo" for leave-one-out. Integers are stratified for classifiers.
        Folds stay as they are.
    y : array of shape (n_rows,)
        The target.
    classifier : bool
        Whether ``y`` holds classes.
    groups : array of shape (n_rows,), optional
        Handed to the splitter.
    labels : array of shape (n_classes,), optional
        What the user calls the classes, if ``y`` has their numbers.
    """
    n_rows = len(y)
    if isinstance(cv, Folds):
        if cv.n_rows != n_rows:
            raise ValueError(f"cv holds folds of {cv.n_rows} rows, but y has {n_rows}")
        return cv
    if isinstance(cv, str):
        if cv != "loo":
            raise ValueError(f"cv must be 'loo', an integer, a splitter or an iterable; got {cv!r}")
        cv = LeaveOneOut()
    if isinstance(cv, (bool, type)):
        raise ValueError(f"cv must be 'loo', an integer, a splitter or an iterable; got {cv!r}")
    if isinstance(cv, Integral):
        _check_fold_count(int(cv), y, labels, classifier=classifier)
    if isinstance(cv, LeaveOneOut):
        if groups is not None:
            raise ValueError(
                "groups: leave-one-out keeps no rows together; use cv=LeaveOneGroupOut() or "
                "cv=GroupKFold()"
            )
        if n_rows < 2:
            raise ValueError(f"leave-one-out needs at least 2 rows; got n_samples = {n_rows}")
        return Folds((Fold(0, None, np.arange(n_rows)),), n_rows)
    splitter = check_cv(cv, y, classifier=classifier)
    try:
        splits = [(train, test) for train, test in splitter.split(np.zeros(n_rows), y, groups)]
    except TypeError as error:
        raise ValueError(f"cv={cv!r} does not give pairs of training and test rows") from error
    folds = tuple(
        Fold(f, _rows(train, n_rows, f, "training"), _rows(test, n_rows, f, "test"))
        for f, (train, test) in enumerate(splits)
    )
    if not folds:
        raise ValueError(f"cv={cv!r} gives no fold; an iterator can only be used once")
    if not any(len(fold.test) for fold in folds):
        raise ValueError(f"cv={cv!r} holds out no row")
    return Folds(folds, n_rows)


def _rows(rows: Any, n_rows: int, fold: int, part: str) -> IntArray:
    """Check one side of a split."""
    positions = np.asarray(rows)
    if positions.dtype == bool and positions.shape == (n_rows,):
        positions = np.flatnonzero(positions)
    if positions.ndim != 1 or (len(positions) and positions.dtype.kind not in "iu"):
        raise ValueError(f"cv: the {part} rows of fold {fold} must be positions; got {rows!r}")
    if len(positions) and not (0 <= positions.min() and positions.max() < n_rows):
        raise ValueError(
            f"cv: the {part} rows of fold {fold} must lie in 0 .. {n_rows - 1}; found "
            f"{positions.min()} .. {positions.max()}"
        )
    if part == "training" and not len(positions):
        raise ValueError(f"cv: fold {fold} has no training rows")
    return positions.astype(np.intp)


def _check_fold_count(
    cv: int, y: NDArray[Any], labels: NDArray[Any] | None, *, classifier: bool
) -> None:
    if cv < 2:
        raise ValueError(f"cv must be at least 2 folds; got {cv}")
    if cv > len(y):
        raise ValueError(f"cv={cv} needs at least {cv} rows; got n_samples = {len(y)}")
    if classifier:
        classes, counts = np.unique(y, return_counts=True)
        if counts.max() < cv:
            largest = classes[counts.argmax()]
            if labels is not None:
                largest = labels[largest]
            raise ValueError(
                f"cv={cv} needs at least {cv} rows of some class; the largest, {str(largest)!r}, "
                f"has only {counts.max()}. Use fewer folds or cv='loo'"
            )
