"""Tables whose answer is known, for the tests of filters."""

import numpy as np
import pandas as pd

N = 240


def messy(seed=0):
    """A frame of all kinds: ``x`` and ``city`` tell the class, ``copy`` says what ``x`` says."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=N)
    city = rng.choice(["Bonn", "Graz", "Oslo"], N)
    frame = pd.DataFrame(
        {
            "noise": rng.normal(size=N),
            "x": x,
            "copy": 3.0 * x - 7.0,
            "city": pd.Categorical(city),
            "colour": rng.choice(["red", "blue", None], N),
            "flag": rng.random(N) < 0.5,
            "when": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.permutation(N), unit="D"),
            "gaps": np.where(rng.random(N) < 0.3, np.nan, rng.normal(size=N)),
            "level": 5.0,
            "gone": np.nan,
        }
    )
    y = np.where(x + 2.5 * (city == "Oslo") + 0.3 * rng.normal(size=N) > 0.5, "good", "bad")
    return frame, y


def numbers(n_rows=200, n_columns=8, seed=0):
    """Columns 1 and 4 tell the class, and the number."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns))
    signal = 2.0 * X[:, 1] + 1.5 * X[:, 4]
    return X, (signal > 0).astype(int), signal + 0.3 * rng.normal(size=n_rows)


def verdicts(fitted):
    """Verdicts by name."""
    return {verdict.name: verdict for verdict in fitted.selection_.verdicts}
