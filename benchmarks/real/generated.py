"""Four small generated tables, to show that all works where there is no data folder."""

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification, make_friedman1

from thresher.datasets import make_led, make_linear_masked

from .tables import Table

N_ROWS = 200


def generated_tables() -> dict[str, Table]:
    """Return the tables by name."""
    tables = (_digits(), _friedman(), _masked(), _mixed())
    return {table.name: table for table in tables}


def _digits() -> Table:
    made = make_led(N_ROWS, n_irrelevant=8, random_state=0)
    return Table("digits", "classification", pd.DataFrame(made.X).add_prefix("x"), _coded(made.y))


def _friedman() -> Table:
    X, y = make_friedman1(N_ROWS, n_features=10, noise=0.5, random_state=0)
    return Table("friedman", "regression", pd.DataFrame(X).add_prefix("x"), y)


def _masked() -> Table:
    made = make_linear_masked(N_ROWS, n_copies=4, n_irrelevant=4, random_state=0)
    return Table("masked", "regression", pd.DataFrame(made.X).add_prefix("x"), made.y)


def _mixed() -> Table:
    """Two classes, numbers with gaps, and categories with gaps."""
    X, y = make_classification(N_ROWS, 8, n_informative=3, random_state=0)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(X).add_prefix("x")
    frame = frame.mask(rng.random(frame.shape) < 0.05)
    frame["level"] = pd.cut(frame["x0"], 3, labels=["low", "middle", "high"])
    return Table("mixed", "classification", frame, _coded(y))


def _coded(y: np.ndarray) -> np.ndarray:
    return np.unique(y, return_inverse=True)[1].astype(np.int64)
