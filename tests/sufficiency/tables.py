"""Small tables, coded and as numbers."""

import numpy as np
import pandas as pd

from thresher.ace import make_sample
from thresher.columns import read_columns
from thresher.sufficiency._design import make_design
from thresher.sufficiency._folds import RepeatedFolds

N_ROWS = 120
FOLD_OF_ROW = np.arange(N_ROWS) % 4
FOLDS = RepeatedFolds((FOLD_OF_ROW,))
#: Kinds of targets, by the number of classes.
KINDS = {"squared": 0, "logistic": 2, "multinomial": 3}


def signals(n_columns=6, seed=0):
    """Columns of which the first three matter, each less than the one before."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, n_columns))
    return X, 2 * X[:, 0] + X[:, 1] + 0.5 * X[:, 2] + 0.3 * rng.normal(size=N_ROWS)


def target(number, n_classes):
    """The number itself, or classes of about as many rows."""
    if not n_classes:
        return number
    return np.digitize(number, np.quantile(number, np.arange(1, n_classes) / n_classes))


def problem_of(X, y, n_classes=0):
    """The problem, and its columns."""
    columns = read_columns(X if isinstance(X, pd.DataFrame) else pd.DataFrame(X).add_prefix("x"))
    problem, _ = make_sample(columns, y, n_classes, np.ones(len(y)), len(y), seed=0)
    return problem, columns


def question(kind, n_columns=6, seed=0):
    """Problem, columns, design and target of a kind."""
    X, number = signals(n_columns, seed)
    y = target(number, KINDS[kind])
    problem, columns = problem_of(X, y, KINDS[kind])
    return problem, columns, make_design(columns), y
