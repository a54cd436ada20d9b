"""The lasso the slow way: proximal gradient steps until nothing moves."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def lasso(X: Floats, y: Floats, penalty: float, n_steps: int = 20_000) -> Floats:
    """Minimise mean squared error / 2 + penalty * sum of absolute coefficients."""
    n_rows = len(y)
    length = n_rows / np.linalg.norm(X, 2) ** 2
    coefficients = np.zeros(X.shape[1])
    for _ in range(n_steps):
        moved = coefficients + length * X.T @ (y - X @ coefficients) / n_rows
        new = np.sign(moved) * np.maximum(np.abs(moved) - length * penalty, 0.0)
        if np.abs(new - coefficients).max() < 1e-14:
            break
        coefficients = new
    return coefficients
