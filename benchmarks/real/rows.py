"""Rows drawn at random, with the same share of each class."""

import numpy as np


def sample(y: np.ndarray, n_drawn: int, *, stratified: bool, seed: int) -> np.ndarray:
    """Return the sorted positions of rows that are drawn without replacement.

    Stratified rows are sorted by class, shuffled within, and drawn in equal steps: each class gets
    its share up to one row, however rare it is.

    >>> y = np.repeat([0, 1, 2], [60, 39, 1])
    >>> rows = sample(y, 50, stratified=True, seed=0)
    >>> np.bincount(y[rows])[:2].tolist() in ([30, 19], [30, 20])
    True
    """
    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(y))
    if not stratified:
        return np.sort(rows[:n_drawn])
    rows = rows[np.argsort(y[rows], kind="stable")]
    places = (np.arange(n_drawn) + rng.random()) * len(y) / max(n_drawn, 1)
    return np.sort(rows[places.astype(np.int64)])
