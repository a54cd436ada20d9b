"""One fit of any scikit-learn estimator, and what it is worth on rows held out."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.dummy import DummyClassifier, DummyRegressor

from ._baseline import baseline_losses
from ._finite import described, finite_losses
from ._folds import Fold
from ._loss import Loss, classification_losses, regression_losses
from ._problem import Problem
from ._requirements import names_columns, weight_parameter
from ._subsets import Subset

__all__ = ["refitted_losses", "scored_loss", "seeded"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


def refitted_losses(problem: Problem, subset: Subset, fold: Fold, test: IntArray) -> FloatArray:
    """Losses of some rows of a fold, of a clone fitted on the fold's training rows."""
    if not subset:
        return baseline_losses(problem, fold, test)
    model = _fitted(problem, subset, fold)
    X_test = _table(problem, subset, test)
    truth = problem.target.values[test]
    loss = problem.row_loss
    with _blaming(problem, subset, "predicting"):
        if problem.target.classes is None:
            prediction = np.asarray(model.predict(X_test), dtype=np.float64).reshape(-1)
            return finite_losses(problem, [subset], regression_losses(loss, prediction, truth))
        if loss is Loss.ZERO_ONE:
            predicted = np.asarray(model.predict(X_test))
            return np.asarray(predicted != problem.target.raw[test], dtype=np.float64)
        probability = np.zeros((len(test), problem.target.n_classes))
        known = np.searchsorted(problem.target.classes, model.classes_)
        probability[:, known] = model.predict_proba(X_test)
    return finite_losses(problem, [subset], classification_losses(loss, probability, truth))


def scored_loss(problem: Problem, subset: Subset, fold: Fold) -> float:
    """Loss of a whole fold under the problem's scorer."""
    if problem.scorer is None:
        raise TypeError("this problem has no scorer")
    model = _fitted(problem, subset, fold)
    y_test = problem.target.raw[fold.test]
    X_test = _table(problem, subset, fold.test)
    with _blaming(problem, subset, "scoring"):
        try:
            score = float(problem.scorer(model, X_test, y_test))
        except AttributeError:
            if subset:
                raise
            # the scorer asks for what a model without columns does not have: anything is better
            return np.inf
    if not np.isfinite(score):
        raise ValueError(
            f"the scorer gave {score} for {type(problem.estimator).__name__} in fold {fold.index} "
            f"(cv), which has {len(fold.test)} test row(s), on {described(problem, subset)}"
        )
    return -score


def _fitted(problem: Problem, subset: Subset, fold: Fold) -> Any:
    if fold.train is None:
        raise TypeError("leave-one-out must be spelled out before refitting")
    model = seeded(clone(problem.estimator), problem.seed) if subset else _dummy(problem)
    extra = {}
    if problem.weights is not None:
        extra[weight_parameter(model)] = problem.weights[fold.train]
    X_train = _table(problem, subset, fold.train)
    with _blaming(problem, subset, "fitting"):
        return model.fit(X_train, problem.target.raw[fold.train], **extra)


def _table(problem: Problem, subset: Subset, rows: IntArray) -> Any:
    # frames without columns lose their rows, so the empty subset becomes one constant column
    return problem.columns.take(subset, rows) if subset else np.zeros((len(rows), 1))


def _dummy(problem: Problem) -> Any:
    return DummyRegressor() if problem.target.classes is None else DummyClassifier()


def seeded(model: BaseEstimator, seed: int | None) -> BaseEstimator:
    """Give every open random_state the same seed: subsets then differ by their columns alone."""
    if seed is None:
        return model
    params = model.get_params(deep=True)
    open_seeds = {
        name: seed
        for name, value in params.items()
        if name.split("__")[-1] == "random_state" and value is None
    }
    return model.set_params(**open_seeds) if open_seeds else model


class _blaming:  # noqa: N801 - reads as a statement
    """Add to an estimator's own exception which columns it was given."""

    def __init__(self, problem: Problem, subset: Iterable[int], doing: str):
        self._problem, self._subset, self._doing = problem, subset, doing

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, Exception):
            name = type(self._problem.estimator).__name__
            error.add_note(
                f"raised by {name} while {self._doing} on {described(self._problem, self._subset)}"
            )
            if names_columns(self._problem.estimator):
                error.add_note(
                    "its ColumnTransformer names columns, but subsets without some of them are "
                    "tried: let make_column_selector or another callable choose them"
                )
