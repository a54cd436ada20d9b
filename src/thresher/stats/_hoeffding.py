"""Hoeffding's bound: no assumption on the losses but their range."""

from typing import Any

import numpy as np

from ._standing import Standing, check_levels, leave_below
from ._tally import tally_of

__all__ = ["hoeffding"]


def hoeffding(
    losses: Any, *, delta: float = 0.001, gamma: float = 0.0, span: float | None = None
) -> Standing:
    """Drop candidates whose interval lies above the leader's (Maron and Moore).

    Each mean lies within sqrt(span^2 log(2 / delta) / (2 n)) of what it estimates, with
    probability 1 - delta; a candidate leaves when its interval, lowered by the leader's and by
    gamma, is out of reach.

    Parameters
    ----------
    losses : array of shape (n_rows_seen, n_candidates) or Tally
        What has been seen.
    delta : float, default=0.001
        Credibility below which a candidate leaves.
    gamma : float, default=0.0
        Differences that do not matter.
    span : float
        Largest possible difference between two losses of a candidate.

    Examples
    --------
    >>> import numpy as np
    >>> seen = np.tile([[0.0, 1.0, 0.0]], (40, 1))
    >>> hoeffding(seen, span=1.0).stays.tolist()
    [True, False, True]
    """
    check_levels(delta, gamma)
    if span is None:
        raise ValueError(
            "hoeffding needs losses that are bounded: give span, the largest possible difference "
            "between two of them"
        )
    if not 0 < span < np.inf:
        raise ValueError(f"span must be a positive number; got {span!r}")
    tally = tally_of(losses)
    leader = tally.leader
    gap = tally.means - tally.means[leader] + gamma
    # without replacement, all but the share of rows that is left (before the last) is certain
    left = 1.0 if tally.n_rows is None else 1.0 - (tally.n - 1) / tally.n_rows
    return leave_below(
        np.minimum(1.0, 2.0 * np.exp(-tally.n * gap**2 / (2.0 * span**2 * left))), leader, delta
    )
