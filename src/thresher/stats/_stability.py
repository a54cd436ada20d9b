"""How far repeated selections agree."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

__all__ = ["StabilityIndex", "stability_index"]


@dataclass(frozen=True)
class StabilityIndex:
    """The index with its confidence bounds."""

    index: float
    low: float
    high: float


def stability_index(chosen: ArrayLike, *, confidence: float = 0.95) -> StabilityIndex:
    """Measure the agreement of several selections among the same columns.

    Parameters
    ----------
    chosen : bool array of shape (n_selections, n_columns)
        Which columns each selection chose.
    confidence : float, default=0.95
        Of the bounds. They are asymptotic in the number of selections, widened for few of them by
        Student's quantile; two selections bound nothing.

    Returns
    -------
    StabilityIndex
        1 if all selections are the same; 0 on average if each is a random choice of its size. Where
        all choose nothing, or all choose everything, they agree: 1.

    Notes
    -----
    S. Nogueira, K. Sechidis and G. Brown, On the stability of feature selection algorithms,
    JMLR 18, 2018.

    Examples
    --------
    >>> stability_index([[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]]).index
    0.333...
    """
    z = np.asarray(chosen, dtype=np.float64)
    if z.ndim != 2 or z.shape[0] < 2 or not z.shape[1]:
        raise ValueError(f"chosen must have at least 2 rows and a column; got shape {z.shape}")
    n_selections, n_columns = z.shape
    frequency = z.mean(axis=0)
    sizes = z.sum(axis=1)
    share = float(sizes.mean()) / n_columns
    if not 0 < share < 1:
        return StabilityIndex(1.0, 1.0, 1.0)
    by_chance = share * (1 - share)
    spread = n_selections / (n_selections - 1) * (frequency * (1 - frequency)).mean()
    index = 1 - spread / by_chance
    # what each selection contributes; their spread is that of the index
    part = sizes / n_columns
    own = z @ frequency / n_columns - part * share
    own -= index / 2 * (2 * share * part - part - share + 1)
    own /= by_chance
    if n_selections == 2 and index < 1:
        return StabilityIndex(float(index), -1.0, 1.0)
    error = np.sqrt(4 / n_selections * own.var(ddof=1))
    reach = float(stdtrit(n_selections - 1, (1 + confidence) / 2) * error)
    low, high = max(index - reach, -1.0), min(index + reach, 1.0)
    return StabilityIndex(float(index), float(low), float(high))
