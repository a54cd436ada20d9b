"""Discrete columns that depend on one parent, and networks of such columns."""

import numpy as np

from ._generated import IntArray

__all__ = ["draw_child", "draw_noise_network"]

FEWEST_LEVELS, MOST_LEVELS = 2, 4
CHANCE_OF_PARENT = 0.5
FIDELITY = 0.6


def draw_child(
    parent: IntArray, n_levels: int, fidelity: float, rng: np.random.Generator
) -> tuple[IntArray, int]:
    """Draw an image of a column with ``n_levels`` values, noisy in the rest of the rows.

    Parameters
    ----------
    parent : ndarray of int
        Values from 0 to ``n_levels - 1``.
    n_levels : int
        Number of values of the parent.
    fidelity : float
        Chance that a row follows its parent; the others take any value with equal chance.
    rng : numpy.random.Generator
        Source of the image and of the noise.

    Returns
    -------
    child : ndarray of int
        Values from 0 to ``n_values - 1``.
    n_values : int
        Number of values of the child, 2 to 4.
    """
    n_values = int(rng.integers(FEWEST_LEVELS, MOST_LEVELS + 1))
    # The remainder never sends all values to one, so no child loses its parent altogether.
    image = (rng.permutation(n_levels) % n_values)[parent]
    follows = rng.random(len(parent)) < fidelity
    return np.where(follows, image, rng.integers(n_values, size=len(parent))), n_values


def draw_noise_network(
    n_rows: int, n_columns: int, rng: np.random.Generator
) -> tuple[IntArray, list[int]]:
    """Draw columns of which about half follow an earlier one; return them and their sizes."""
    X = np.empty((n_rows, n_columns), dtype=np.int64)
    n_levels = rng.integers(FEWEST_LEVELS, MOST_LEVELS + 1, size=n_columns).tolist()
    for position in range(n_columns):
        if position and rng.random() < CHANCE_OF_PARENT:
            parent = rng.integers(position)
            X[:, position], n_levels[position] = draw_child(
                X[:, parent], n_levels[parent], FIDELITY, rng
            )
        else:
            chances = rng.dirichlet(np.full(n_levels[position], 2.0))
            X[:, position] = rng.choice(n_levels[position], size=n_rows, p=chances)
    return X, n_levels
