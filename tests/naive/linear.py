"""Linear and ridge regression the slow way: a fit for every subset and split."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Split = tuple[NDArray[np.intp], NDArray[np.intp]]


def splits_of_leave_one_out(n_rows: int) -> list[Split]:
    everyone = np.arange(n_rows)
    return [(np.delete(everyone, i), everyone[i : i + 1]) for i in everyone]


def squared_losses(
    X: Floats,
    y: Floats,
    subsets: Sequence[Iterable[int]],
    splits: Sequence[Split],
    *,
    alpha: float = 0.0,
    intercept: bool = True,
    weights: Floats | None = None,
) -> Floats:
    """Squared error of each row under each subset; every row must be held out once."""
    out = np.full((len(subsets), len(y)), np.nan)
    for k, subset in enumerate(subsets):
        for train, test in splits:
            w = np.ones(len(train)) if weights is None else weights[train]
            A = X[:, sorted(subset)][train]
            centre = np.average(A, axis=0, weights=w) if intercept else np.zeros(A.shape[1])
            level = np.average(y[train], weights=w) if intercept else 0.0
            coefficients = _fit((A - centre), y[train] - level, w, alpha)
            prediction = level + (X[:, sorted(subset)][test] - centre) @ coefficients
            out[k, test] = (prediction - y[test]) ** 2
    return out


def _fit(A: Floats, y: Floats, w: Floats, alpha: float) -> Floats:
    A, y = A * np.sqrt(w)[:, None], y * np.sqrt(w)
    if alpha == 0:
        return np.linalg.lstsq(A, y, rcond=1e-6)[0]
    return np.linalg.solve(A.T @ A + alpha * np.eye(A.shape[1]), A.T @ y)
