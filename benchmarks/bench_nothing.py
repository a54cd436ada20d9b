"""Tables in which nothing matters: how often does ``select`` select a column all the same?

``python -m benchmarks.bench_nothing [n_tables]``: of each kind so many tables, 50 if not told.
"""

import sys
import warnings

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from thresher import select
from thresher.selection import Selection

SEED = 20_261


def numbers(rng):
    return rng.normal(size=(150, 20)), rng.normal(size=150)


def classes(rng):
    return rng.normal(size=(150, 20)), rng.permutation(np.arange(150) % 2)


def wide(rng):
    return rng.normal(size=(80, 300)), rng.permutation(np.arange(80) % 2)


def mixed(rng):
    """Numbers with heavy tails and gaps, and categories; three classes, one of them rare."""
    frame = pd.DataFrame(rng.standard_cauchy(size=(300, 8))).add_prefix("x")
    frame = frame.mask(rng.random(frame.shape) < 0.1)
    for k, n_levels in enumerate((2, 5, 30)):
        frame[f"level {k}"] = pd.Categorical(rng.integers(n_levels, size=300).astype(str))
    return frame, rng.choice(3, 300, p=[0.6, 0.35, 0.05])


KINDS = {make.__name__: make for make in (numbers, classes, wide, mixed)}
GOALS = ("predict", "explain", "all-relevant")


def main() -> None:
    n_tables = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    for name, make in KINDS.items():
        selections: list[Selection] = Parallel(n_jobs=2)(
            delayed(_one)(make, [SEED, number]) for number in range(n_tables)
        )
        shares = (
            f"{goal} {sum(bool(own.view(goal).selected) for own in selections)}" for goal in GOALS
        )
        n_columns = [len(own.selected) for own in selections if own.selected]
        sizes = f"; columns where any: {sorted(n_columns)}" if n_columns else ""
        print(f"{name}: something selected in {n_tables} tables: {', '.join(shares)}{sizes}")


def _one(make, seed) -> Selection:
    X, y = make(np.random.default_rng(seed))
    task = "regression" if y.dtype.kind == "f" else "classification"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return select(X, y, task=task, random_state=0, n_jobs=1)


if __name__ == "__main__":
    main()
