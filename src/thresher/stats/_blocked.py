"""BRACE: losses of two candidates are compared row by row, so that hard rows are no noise."""

from typing import Any

import numpy as np
from scipy.special import stdtr

from ._standing import Standing, check_levels, leave_below
from ._tally import tally_of

__all__ = ["blocked"]


def blocked(losses: Any, *, delta: float = 0.001, gamma: float = 0.0) -> Standing:
    """Drop candidates that hardly beat the leader, by Student's t of paired differences (BRACE).

    Parameters
    ----------
    losses : array of shape (n_rows_seen, n_candidates) or Tally
        What has been seen: two rows at least.
    delta : float, default=0.001
        Credibility below which a candidate leaves.
    gamma : float, default=0.0
        Differences that do not matter.

    Notes
    -----
    Where no row has told two candidates apart yet, the t distribution is no help. Had they
    different losses on every other row, n ties in a row would come with probability 2^-n, and this
    is taken for the p-value. Losses that come in steps, such as errors, tie all the time: there one
    step is added to the squared deviations, so that neither ties nor a run of equal
    differences is ever taken for certainty.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> hard = rng.exponential(10.0, (12, 1))
    >>> seen = hard + rng.normal([0.0, 0.5, 0.01], 0.1, (12, 3))
    >>> blocked(seen).stays.tolist()
    [True, False, True]
    """
    check_levels(delta, gamma)
    tally = tally_of(losses)
    n = tally.n
    if n < 2:
        raise ValueError(f"blocked needs at least 2 rows; got {n}")
    mean, deviations, squares = tally.differences()
    grain = tally.grain()
    error = np.sqrt((deviations + grain**2) / (n - 1) / n * tally.left)
    gap = mean + gamma
    with np.errstate(divide="ignore", invalid="ignore"):
        p_values = np.where(error > 0, stdtr(n - 1, -gap / error), 0.0)
    tied = (squares == 0) & (grain == 0)
    p_values[tied] = 0.5**n
    return leave_below(p_values, tally.leader, delta)
