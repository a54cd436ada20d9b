"""Errors of logistic regression on the hepatitis data, cross-validated."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.files import Table
from thresher.parallel import ONE_BLAS_THREAD

from ._base import Conditions

__all__ = ["Patients", "error_inside_folds", "error_of"]

IntArray = NDArray[np.intp]
N_FOLDS, QUICK_FOLDS = 10, 2


@dataclass(frozen=True, eq=False)
class Patients:
    """All columns as numbers, NaN where missing; which are categories; and the outcome."""

    X: NDArray[np.float64]
    categorical: NDArray[np.bool_]
    y: NDArray[Any]

    @classmethod
    def of(cls, table: Table) -> "Patients":
        """Return the table with the levels of its categories numbered."""
        columns, categorical = [], []
        for series in table.X.get_columns():
            numeric = series.dtype.is_numeric()
            codes = series if numeric else series.cast(str).rank("dense")
            columns.append(codes.cast(float).to_numpy())
            categorical.append(not numeric)
        return cls(np.column_stack(columns), np.array(categorical), table.y)


def error_of(patients: Patients, chosen: IntArray, n_shuffles: int) -> list[float]:
    """Return the error rate with the chosen columns for each shuffle of the folds."""
    X, y = patients.X, patients.y
    with ONE_BLAS_THREAD:  # such small sums wait for other threads longer than they take
        return [
            sum(_n_wrong(patients, chosen, *fold) for fold in _folds(seed).split(X, y)) / len(y)
            for seed in range(n_shuffles)
        ]


def error_inside_folds(
    patients: Patients, select: Callable[[IntArray], NDArray[np.bool_]], conditions: Conditions
) -> list[float]:
    """Return the error rate of each fold, with columns selected on its training rows alone."""

    def one_fold(train: IntArray, test: IntArray) -> float:
        return _n_wrong(patients, np.flatnonzero(select(train)), train, test) / len(test)

    splits = _folds(0).split(patients.X, patients.y)
    folds = list(splits)[: QUICK_FOLDS if conditions.quick else None]
    with ONE_BLAS_THREAD:
        return conditions.map(one_fold, folds, "folds")


def _n_wrong(patients: Patients, chosen: IntArray, train: IntArray, test: IntArray) -> int:
    """How many test rows are taken for the other class; with no columns, those of the rarer one."""
    X, y = patients.X, patients.y
    if not len(chosen):
        labels, counts = np.unique(y[train], return_counts=True)
        return int(np.sum(y[test] != labels[counts.argmax()]))
    model = _model(patients.categorical[chosen]).fit(X[np.ix_(train, chosen)], y[train])
    return int(np.sum(model.predict(X[np.ix_(test, chosen)]) != y[test]))


def _folds(seed: int) -> Any:
    from sklearn.model_selection import StratifiedKFold

    return StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed)


def _model(categorical: NDArray[np.bool_]) -> Any:
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    labels = make_pipeline(
        SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")
    )
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    return make_pipeline(
        make_column_transformer((labels, categorical), (numbers, ~categorical)),
        LogisticRegression(max_iter=1000),
    )
