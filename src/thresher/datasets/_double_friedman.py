"""Friedman's first function, twice over, on disjoint sets of five inputs."""

import numpy as np

from ._arguments import Seed, check_count, check_random_state, check_real
from ._generated import FloatArray, Generated

__all__ = ["make_double_friedman"]

N_RELEVANT = 10


def make_double_friedman(
    n_rows: int = 1000,
    *,
    n_features: int = 110,
    noise: float = 1.0,
    random_state: Seed = None,
) -> Generated:
    """Generate the sum of two Friedman-1 functions of five inputs each, plus noise.

    Parameters
    ----------
    n_rows : int, default=1000
        Number of rows.
    n_features : int, default=110
        Number of columns, at least ten; the first ten are relevant.
    noise : float, default=1.0
        Standard deviation of the normal noise on the target.
    random_state : int, numpy Generator or None, default=None
        Source of inputs and noise.

    Returns
    -------
    Generated
        Columns uniform on (0, 1); nothing is redundant.

    Examples
    --------
    >>> from thresher.datasets import make_double_friedman
    >>> data = make_double_friedman(n_rows=50, random_state=0)
    >>> data
    <Generated regression: 50 rows, 110 columns (10 relevant, 0 redundant, 100 irrelevant)>
    """
    n_rows = check_count("n_rows", n_rows, 1)
    n_features = check_count("n_features", n_features, N_RELEVANT)
    noise = check_real("noise", noise, 0)
    rng = check_random_state(random_state)
    X = rng.random((n_rows, n_features))
    error = noise * rng.standard_normal(n_rows)
    return Generated(
        X=X,
        y=_friedman_1(X[:, :5]) + _friedman_1(X[:, 5:N_RELEVANT]) + error,
        relevant=tuple(range(N_RELEVANT)),
        redundant={},
        irrelevant=tuple(range(N_RELEVANT, n_features)),
        feature_names=tuple(f"x{position + 1}" for position in range(n_features)),
        description="f(x1..x5) + f(x6..x10) + noise, f being Friedman's first function",
        task="regression",
    )


def _friedman_1(x: FloatArray) -> FloatArray:
    waves: FloatArray = 10 * np.sin(np.pi * x[:, 0] * x[:, 1])
    return waves + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
