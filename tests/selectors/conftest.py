"""Tables with planted columns."""

import numpy as np
import pytest


@pytest.fixture(scope="module")
def classes():
    """Columns 1 and 4 of eight tell the class."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 8))
    return X, np.where(2.0 * X[:, 1] + 2.0 * X[:, 4] > 0, "yes", "no")


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 8))
    return X, 2.0 * X[:, 1] + X[:, 4] + 0.1 * rng.normal(size=200)
