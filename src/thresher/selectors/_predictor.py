"""Selectors that predict as well, by models fitted to the columns they chose."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from thresher.columns import Columns
from thresher.evaluators import Problem, Subset, seeded, weight_parameter

from ._base import BaseSelector

__all__ = ["PredictingSelector", "positions_of"]


def _has_probabilities(selector: Any) -> bool:
    check_is_fitted(selector)
    return hasattr(selector, "classes_") and all(
        hasattr(model, "predict_proba") for model in selector.estimators_
    )


class PredictingSelector(BaseSelector):
    """Predicts by the mean of models, each fitted to a subset of the columns.

    Attributes
    ----------
    estimators_ : list of estimators
        The models.
    subsets_ : list of int arrays
        The columns of each.
    classes_ : array
        The classes, if the target has classes.
    """

    def _fit_models(
        self, table: Columns, problem: Problem, subsets: Sequence[Subset], seed: int | None
    ) -> None:
        """Fit a clone of the problem's learner to all rows of each subset."""
        columns = problem.columns
        rows = np.arange(columns.n_rows)
        self.subsets_ = positions_of(subsets, columns, table)
        self.estimators_: list[Any] = []
        for subset in subsets:
            model = seeded(clone(problem.estimator), seed)
            extra = {}
            if problem.weights is not None:
                extra[weight_parameter(model)] = problem.weights
            self.estimators_.append(
                model.fit(columns.take(subset, rows), problem.target.raw, **extra)
            )
        if problem.target.classes is not None:
            self.classes_ = problem.target.classes
        elif hasattr(self, "classes_"):  # of an earlier fit
            del self.classes_

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the target of rows.

        Parameters
        ----------
        X : array, sparse matrix or data frame
            With the columns seen in ``fit``.

        Returns
        -------
        array of shape (n_rows,)
            The mean of the models' predictions; of classes, the one with the highest mean
            probability, or with the most votes if the models know no probabilities.
        """
        check_is_fitted(self)
        if not hasattr(self, "classes_"):
            predicted = [model.predict(part) for model, part in self._parts(X)]
            return np.asarray(np.mean(predicted, axis=0))
        if len(self.estimators_) == 1:
            model, part = self._parts(X)[0]
            return np.asarray(model.predict(part))
        scores = self.predict_proba(X) if _has_probabilities(self) else self._votes(X)
        return np.asarray(self.classes_[scores.argmax(axis=1)])

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the probabilities of classes, the mean over the models.

        Parameters
        ----------
        X : array, sparse matrix or data frame
            With the columns seen in ``fit``.

        Returns
        -------
        array of shape (n_rows, n_classes)
        """
        found = [model.predict_proba(part) for model, part in self._parts(X)]
        return np.asarray(np.mean(found, axis=0))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy of predicted classes, or R^2 of predicted numbers.

        Parameters
        ----------
        X : array, sparse matrix or data frame
            With the columns seen in ``fit``.
        y : array-like of shape (n_rows,)
            The truth.
        sample_weight : array-like of shape (n_rows,), optional
            How much each row counts.
        """
        predicted = self.predict(X)
        metric = accuracy_score if hasattr(self, "classes_") else r2_score
        return float(metric(y, predicted, sample_weight=sample_weight))

    def _votes(self, X: Any) -> NDArray[np.float64]:
        found = [np.asarray(model.predict(part))[:, None] for model, part in self._parts(X)]
        return np.asarray(np.mean([named == self.classes_ for named in found], axis=0))

    def _parts(self, X: Any) -> list[tuple[Any, Any]]:
        """Each model, and the columns it wants."""
        parts = self._some_columns(X, self.subsets_, to_predict=True)
        return list(zip(self.estimators_, parts, strict=True))


def positions_of(
    subsets: Sequence[Subset], columns: Columns, table: Columns
) -> list[NDArray[np.intp]]:
    """Where the columns of subsets are in the whole table, constant columns counted."""
    position = {name: p for p, name in enumerate(table.names)}
    return [
        np.array([position[columns.names[p]] for p in columns.columns_of(subset)], dtype=np.intp)
        for subset in subsets
    ]
