"""The error on test rows of models that learn from chosen columns only."""

import hashlib
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from threadpoolctl import threadpool_limits

from benchmarks.peers.results import key_of

from .splits import Split

#: What is added to errors before they are divided: half an error of a test set, or for numbers a
#: thousandth of the variance.
HALF_AN_ERROR, A_THOUSANDTH = 0.5, 0.001


@dataclass(frozen=True)
class Judge:
    """A model for classes, one for numbers, and the form in which both get the columns."""

    view: str
    classifier: Callable[[], Any]
    regressor: Callable[[], Any]


JUDGES: dict[str, Judge] = {
    "boosting": Judge(
        "codes",
        lambda: HistGradientBoostingClassifier(random_state=0),
        lambda: HistGradientBoostingRegressor(random_state=0),
    ),
    "linear": Judge("standardised", lambda: LogisticRegression(max_iter=1000), Ridge),
    "neighbours": Judge("standardised", KNeighborsClassifier, KNeighborsRegressor),
    "forest": Judge(
        "filled",
        lambda: RandomForestClassifier(random_state=0, n_jobs=1),
        lambda: RandomForestRegressor(random_state=0, n_jobs=1),
    ),
}
#: Who judges every method; the forest judges only what was selected for it.
THREE = ("boosting", "linear", "neighbours")


def error_of(split: Split, judge: str, columns: Sequence[int]) -> float:
    """Return the share of wrong classes, or the share of variance that is not explained."""
    classes = split.kind == "classification"
    chosen = np.array(sorted(columns), dtype=np.int64)
    if not len(chosen):
        constant = np.bincount(split.y_train).argmax() if classes else split.y_train.mean()
        return _error(split, np.full(len(split.y_test), constant))
    about = JUDGES[judge]
    train, test = split.numbers(about.view, chosen)
    known = ~np.isnan(train).all(axis=0)  # histograms cannot be made of nothing
    if not known.any():
        return error_of(split, judge, ())
    train, test = train[:, known], test[:, known]
    model = about.classifier() if classes else about.regressor()
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as: did not converge within the iterations
        return _error(split, model.fit(train, split.y_train).predict(test))


def _error(split: Split, predicted: np.ndarray) -> float:
    if split.kind == "classification":
        return float(np.mean(predicted != split.y_test))
    spread = max(float(split.y_test.var()), np.finfo(float).tiny)
    return float(np.mean((predicted - split.y_test) ** 2) / spread)


def constant_for(split: Split) -> float:
    """Return what is added to errors, so that an error of 0 does not make ratios explode."""
    if split.kind == "regression":
        return A_THOUSANDTH
    return HALF_AN_ERROR / len(split.y_test)


def judged_key(split: Split, judge: str, columns: Sequence[int]) -> str:
    """Return a name for all that an error depends on."""
    folder = Path(__file__).parent
    sources = [folder / name for name in ("judges.py", "preparation.py", "splits.py", "rows.py")]
    code = hashlib.blake2b(b"".join(path.read_bytes() for path in sources), digest_size=8)
    return key_of(
        judge=judge,
        split=split.digest,
        columns=sorted(columns),
        code=code.hexdigest(),
        sklearn=sklearn.__version__,
    )
