"""The target of a selector that needs no estimator to tell the task."""

from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from thresher.columns import Labels
from thresher.evaluators import Target, Task, make_target, task_of

__all__ = ["target_of", "task_from"]


def target_of(y: Any, n_rows: int, task: str = "auto") -> Target:
    """Check a target against the rows of its table, and code its classes.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Labels or numbers, none missing.
    n_rows : int
        Rows of the table.
    task : {"auto", "classification", "regression"}, default="auto"
        "auto" takes labels and few whole numbers for classes.

    Examples
    --------
    >>> target_of(["a", "b", "a"], 3).n_classes, target_of([0.5, 1.5, 2.0], 3).n_classes
    (2, 0)
    """
    known = task_from(y) if task == "auto" else task
    target = make_target(y, classifier=known == "classification")
    if len(target.values) != n_rows:
        raise ValueError(
            f"X and y have inconsistent numbers of samples: {n_rows} and {len(target.values)}"
        )
    return target


def task_from(y: Any) -> Task:
    """Tell the task from a target that has not been checked yet.

    Examples
    --------
    >>> task_from([1.5, 2.5]), task_from(["1.5", "2.5"])
    ('regression', 'classification')
    """
    if isinstance(y, Labels):
        return "classification"
    try:
        raw = np.asarray(y)
        if raw.dtype.kind == "O" and all(isinstance(v, (Real, Decimal)) for v in raw.flat):
            raw = raw.astype(np.float64)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"y must hold one number or label for each row: {error}") from error
    if raw.dtype.kind == "f" and not np.isfinite(raw).all():
        return "regression"  # the check of numbers names the row
    return task_of(raw)
