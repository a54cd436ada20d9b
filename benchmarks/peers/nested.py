"""What a selection is worth on rows that it has not seen, to two very different models."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from .real import Fold
from .results import Results, key_of

N_NEIGHBOURS = 10


def _boosting(kind: str) -> Any:
    classes = kind == "classification"
    model = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    return model(random_state=0)


def _neighbours(kind: str) -> Any:
    model = KNeighborsClassifier if kind == "classification" else KNeighborsRegressor
    return make_pipeline(StandardScaler(), model(N_NEIGHBOURS))


JUDGES: dict[str, Callable[[str], Any]] = {"boosting": _boosting, "k-NN": _neighbours}


def balanced_error(truth: np.ndarray, told: np.ndarray) -> float:
    """Return the mean over classes of the share that is not recognised.

    >>> balanced_error(np.array([0, 0, 0, 1]), np.array([0, 0, 0, 0]))
    0.5
    """
    return float(np.mean([np.mean(told[truth == level] != level) for level in np.unique(truth)]))


def relative_error(truth: np.ndarray, told: np.ndarray, constant: float) -> float:
    """Return the mean absolute error, divided by that of a constant."""
    return float(np.mean(np.abs(truth - told)) / np.mean(np.abs(truth - constant)))


def errors(fold: Fold, columns: Sequence[int]) -> dict[str, float]:
    """Learn from the training rows and these columns alone, and judge by the test rows."""
    X, y, kind = fold.given.X, fold.given.y, fold.given.kind
    at = sorted(columns)
    # a constant stands for all models where there is nothing to learn from
    constant = np.bincount(y).argmax() if kind == "classification" else np.median(y)
    found = {}
    for name, make in JUDGES.items():
        told = np.full(len(fold.y_test), constant)
        if at:
            told = make(kind).fit(X[:, at], y).predict(fold.X_test[:, at])
        if kind == "classification":
            found[name] = balanced_error(fold.y_test, told)
        else:
            found[name] = relative_error(fold.y_test, told, float(np.median(y)))
    return found


def known_errors(fold: Fold, columns: Sequence[int], results: Results) -> dict[str, float]:
    """The same, learned only once for each set of columns, whoever selected it."""
    this_file = hashlib.blake2b(Path(__file__).read_bytes(), digest_size=8).hexdigest()
    about = {"judged": fold.given.task, "part": fold.given.part, "columns": sorted(columns)}
    key = key_of(**about, data=fold.digest(), sklearn=sklearn.__version__, judges=this_file)
    known = results.get(key)
    if known is None:
        with threadpool_limits(1):
            known = results.add(key, {**about, "errors": errors(fold, columns)})
    return known["errors"]
