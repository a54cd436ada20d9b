"""The target, checked once and for all."""

from decimal import Decimal
from typing import Any, Literal

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.utils import column_or_1d

from thresher.columns import Labels, is_missing

from ._problem import Target

__all__ = ["Task", "make_target", "task_of"]

Task = Literal["classification", "regression"]
"""What a target is: classes or numbers."""

#: Whole numbers with at most this many distinct values are taken for classes.
_MAX_CLASSES = 20


def make_target(y: Any, *, classifier: bool, name: str = "y") -> Target:
    """Check the target and code its classes.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Labels or numbers, none missing.
    classifier : bool
        Whether they are labels.
    name : str, default="y"
        What error messages call it.

    Examples
    --------
    >>> make_target(["no", "yes", "no"], classifier=True).values.tolist()
    [0, 1, 0]
    """
    if y is None:
        raise ValueError("This selector requires y to be passed, but the target y is None.")
    if isinstance(y, Labels):
        if classifier:
            return _coded_classes(y, name)
        y = y.labels()
    raw = column_or_1d(_as_array(y, name), warn=True)
    if not len(raw):
        raise ValueError(f"{name} is empty (n_samples = 0)")
    _refuse_missing(raw, name)
    raw = _plain_type(raw, name)
    return _classes(raw, name) if classifier else _numbers(raw, name)


def task_of(y: NDArray[Any]) -> Task:
    """Tell the task from the target: labels and few whole numbers are classes.

    Examples
    --------
    >>> task_of(np.array([0, 1, 1])), task_of(np.array([0.5, 1.25, 3.0]))
    ('classification', 'regression')
    """
    if y.dtype.kind not in "iuf":
        return "classification"
    distinct = np.unique(y)
    whole = bool((distinct == np.floor(distinct)).all())
    return "classification" if whole and len(distinct) <= _MAX_CLASSES else "regression"


def _coded_classes(y: Labels, name: str) -> Target:
    """Take over classes that were coded before, except those that no row has."""
    if not len(y):
        raise ValueError(f"{name} is empty (n_samples = 0)")
    present = np.bincount(y.codes, minlength=len(y.names)) > 0
    if present.sum() < 2:
        only = y.names[int(np.argmax(present))]
        raise ValueError(
            f"{name} has only 1 class, {only!r} (n_samples = {len(y)}); expected at least 2"
        )
    codes = y.codes if present.all() else (np.cumsum(present) - 1)[y.codes]
    return Target(codes, codes, np.arange(int(present.sum())))


def _as_array(y: Any, name: str) -> NDArray[Any]:
    if isinstance(y, np.ma.MaskedArray):
        raise ValueError(f"{name} is a masked array; drop the masked rows first")
    if scipy.sparse.issparse(y):
        raise ValueError(f"{name} is sparse; expected a one-dimensional array")
    if hasattr(y, "to_pylist"):  # pyarrow, whose own conversion refuses text and gaps
        return np.array(y.to_pylist(), dtype=object)
    try:
        array = np.asarray(y.to_numpy() if hasattr(y, "to_numpy") else y)
    except ValueError as error:
        raise ValueError(f"{name} must hold one number or label for each row: {error}") from error
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{y}\n")
    if array.dtype.kind in "Mm":
        raise ValueError(f"{name} holds dates or durations; turn them into numbers or labels first")
    return array


def _refuse_missing(raw: NDArray[Any], name: str) -> None:
    if raw.dtype.kind == "f":
        missing = np.isnan(raw)
    elif raw.dtype.kind == "O":
        missing = np.array([is_missing(cell) for cell in raw])
    else:
        return
    if missing.any():
        first = int(np.flatnonzero(missing)[0])
        raise ValueError(
            f"Input {name} contains NaN: the target is missing in {int(missing.sum())} row(s), "
            f"first in row {first}; drop these rows or fill them in"
        )


def _plain_type(raw: NDArray[Any], name: str) -> NDArray[Any]:
    """Objects as what they are: estimators refuse arrays of objects unless they are text."""
    if raw.dtype.kind != "O":
        return raw
    plain = np.array([float(c) if isinstance(c, Decimal) else c for c in raw.tolist()])
    if plain.ndim != 1 or plain.dtype.kind not in "biufU":
        kinds = sorted({type(cell).__name__ for cell in raw})
        raise ValueError(f"{name} must hold numbers or labels; got {', '.join(kinds)}")
    # text stays an array of objects: estimators that compare labels keep their full length
    return raw.astype(str).astype(object) if plain.dtype.kind == "U" else plain


def _classes(raw: NDArray[Any], name: str) -> Target:
    if raw.dtype.kind == "f" and not np.isfinite(raw).all():
        raise ValueError(
            f"Input {name} contains infinity or a value too large for dtype('float64')"
        )
    if raw.dtype.kind == "f" and (raw != np.floor(raw)).any():
        raise ValueError(
            f"Unknown label type: continuous. The task is classification, but {name} holds "
            "numbers that are not whole; use a regressor or task='regression', or turn them into "
            "classes"
        )
    try:
        classes, codes = np.unique(raw, return_inverse=True)
    except TypeError as error:
        raise ValueError(f"{name} mixes labels that cannot be ordered: {error}") from error
    if len(classes) < 2:
        raise ValueError(
            f"{name} has only 1 class, {classes.tolist()[0]!r} (n_samples = {len(raw)}); expected "
            "at least 2"
        )
    return Target(raw, codes.astype(np.intp), classes)


def _numbers(raw: NDArray[Any], name: str) -> Target:
    try:
        values = raw.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{name} must hold numbers, since the task is regression: {error}"
        ) from error
    if not np.isfinite(values).all():
        first = int(np.flatnonzero(~np.isfinite(values))[0])
        raise ValueError(
            f"Input {name} contains infinity or a value too large for dtype('float64'), "
            f"first in row {first}"
        )
    return Target(values, values, None)
