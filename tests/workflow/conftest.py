import numpy as np
import pandas as pd
import pytest


@pytest.fixture(scope="session")
def table():
    """Two columns matter, one repeats the first, and the rest is noise of all kinds."""
    rng = np.random.default_rng(0)
    n = 160
    first, second = rng.normal(size=(2, n))
    frame = pd.DataFrame(
        {
            "first": first,
            "copy": first + 0.05 * rng.normal(size=n),
            "second": np.where(rng.random(n) < 0.1, np.nan, second),
            "colour": rng.choice(["red", "green", "blue"], n),
            "constant": 1.0,
            "noise": rng.normal(size=n),
        }
    )
    number = 2 * first + 1.5 * second + 0.5 * rng.normal(size=n)
    return frame, number, np.where(number > 0, "high", "low")
