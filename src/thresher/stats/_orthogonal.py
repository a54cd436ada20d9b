"""Ranking columns by what they have in common with a target."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["EPS", "correlation_order", "directions", "gram_schmidt_order"]

FloatArray = NDArray[np.float64]

#: What is left of a column after projections, relative to what it was, to count as something.
EPS = 1e-6


def correlation_order(X: FloatArray, y: FloatArray) -> NDArray[np.intp]:
    """Order columns by their absolute correlation with the target, the highest first.

    Parameters
    ----------
    X : array of shape (n_rows, n_columns)
        Finite numbers.
    y : array of shape (n_rows,) or (n_rows, n_targets)
        Of several targets, squared correlations are added up.

    Examples
    --------
    >>> X = np.array([[0.0, 3.0], [1.0, 1.0], [0.0, 2.0]])
    >>> correlation_order(X, np.array([3.0, 1.0, 2.0])).tolist()
    [1, 0]
    """
    columns, target = directions(X), directions(y)
    return np.argsort(-((columns.T @ target) ** 2).sum(axis=1), kind="stable")


def gram_schmidt_order(
    X: FloatArray, y: FloatArray, n_wanted: int | None = None
) -> NDArray[np.intp]:
    """Order columns by Gram-Schmidt orthogonalisation.

    The next column is the one with the smallest angle to the target after both have been projected
    to the space orthogonal to the columns chosen before: a column that repeats others comes late.

    Parameters
    ----------
    X : array of shape (n_rows, n_columns)
        Finite numbers.
    y : array of shape (n_rows,) or (n_rows, n_targets)
        Of several targets, squared cosines are added up.
    n_wanted : int, optional
        How many columns; all if None. Fewer if the others are linear combinations of those.

    Examples
    --------
    The second column repeats the first one, the third tells something new.

    >>> X = np.array([[0.0, 0.0, 1.0], [1.0, 1.1, 0.0], [2.0, 2.0, 0.0], [3.0, 3.1, 1.0]])
    >>> gram_schmidt_order(X, X[:, 0] + 0.5 * X[:, 2], 2).tolist()
    [0, 2]
    """
    columns, target = directions(X), directions(y)
    most = columns.shape[1] if n_wanted is None else min(n_wanted, columns.shape[1])
    chosen: list[int] = []
    while len(chosen) < most:
        length = np.linalg.norm(columns, axis=0)
        usable = length > EPS
        usable[chosen] = False
        if not usable.any():
            break
        squares = ((columns.T @ target) ** 2).sum(axis=1)
        cosines = np.where(usable, squares / np.where(usable, length, 1.0) ** 2, -1.0)
        best = int(np.argmax(cosines))
        chosen.append(best)
        unit = columns[:, best] / length[best]
        target = target - np.outer(unit, unit @ target)
        columns = columns - np.outer(unit, unit @ columns)
    return np.array(chosen, dtype=np.intp)


def directions(values: FloatArray) -> FloatArray:
    """Columns with mean 0 and length 1; constant ones become 0."""
    matrix = np.asarray(values, dtype=np.float64).reshape(len(values), -1)
    largest = np.abs(matrix).max(axis=0, initial=0.0)
    matrix = matrix / np.where(largest > 0, largest, 1.0)  # so that squares are finite
    centred = matrix - matrix.mean(axis=0)
    length = np.linalg.norm(centred, axis=0)
    constant = length <= 1e-12 * np.sqrt(len(matrix))
    return np.asarray(np.where(constant, 0.0, centred / np.where(constant, 1.0, length)))
