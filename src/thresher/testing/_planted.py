"""Small tables whose answer is known."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import KNeighborsRegressor

from thresher.evaluators import Evaluator, evaluator_for

__all__ = ["planted_evaluator", "planted_table"]


def planted_table(
    n_variables: int = 8, *, n_rows: int = 60, classes: bool = False, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Return a table whose first two columns determine the target, but for a little noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_variables))
    signal = 2.0 * X[:, 0] + (X[:, 1] if n_variables > 1 else 0.0)
    y = signal + 0.1 * rng.normal(size=n_rows)
    return X, np.where(y > 0, "yes", "no") if classes else y


def planted_evaluator(n_variables: int = 8) -> Evaluator:
    """Return an evaluator of nearest neighbours, whose losses are bounded, on a planted table."""
    return evaluator_for(KNeighborsRegressor(3), *planted_table(n_variables))
