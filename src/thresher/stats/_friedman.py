"""Friedman's test of all candidates at once, by their ranks within rows (F-race)."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, chdtri, ndtr, stdtr

from thresher.kernels.ranks import drop_worst

from ._standing import Standing, check_levels
from ._tally import Tally, tally_of

__all__ = ["friedman"]

FloatArray = NDArray[np.float64]


def friedman(
    losses: Any,
    *,
    delta: float = 0.05,
    gamma: float = 0.0,
    posthoc: Literal["conover", "worst"] = "conover",
) -> Standing:
    """Drop candidates if Friedman's test says that not all are alike.

    Parameters
    ----------
    losses : array of shape (n_rows_seen, n_candidates) or Tally
        What has been seen: two rows at least.
    delta : float, default=0.05
        Level of the test.
    gamma : float, default=0.0
        Not used: ranks know no distance. All rules have the same signature.
    posthoc : {"conover", "worst"}, default="conover"
        Who goes: everyone whose ranks are further from the best than chance allows (Conover), or
        the one with the highest mean loss, again and again until the rest is alike (RACSAM).

    Returns
    -------
    Standing
        With the p-value of the test of all candidates. Two candidates are compared by
        Wilcoxon's signed ranks instead, in the normal approximation with continuity correction.

    Notes
    -----
    A candidate whose mean loss is lower than that of the one with the best ranks always stays.

    Examples
    --------
    >>> import numpy as np
    >>> seen = np.random.default_rng(0).normal([0.0, 3.0, 0.1], 1.0, (20, 3))
    >>> standing = friedman(seen)
    >>> standing.stays.tolist(), standing.p_value < 1e-6
    ([True, False, True], True)
    """
    check_levels(delta, gamma)
    if posthoc not in ("conover", "worst"):
        raise ValueError(f"posthoc must be 'conover' or 'worst'; got {posthoc!r}")
    tally = tally_of(losses)
    if tally.n < 2:
        raise ValueError(f"friedman needs at least 2 rows; got {tally.n}")
    if tally.n_candidates == 1:
        return Standing(0, np.array([True]), np.ones(1), 1.0)
    if posthoc == "worst":
        return _worst_first(tally, delta)
    if tally.n_candidates == 2:
        return _signed_ranks(tally, delta)
    sums, squares = tally.rank_sums()
    p_value = _test(sums, squares, tally.n)
    means = tally.means
    # of equal ranks the lower mean leads
    leader = int(np.lexsort((means, sums))[0])
    p_values = np.ones(tally.n_candidates)
    if p_value < delta:
        p_values = _conover(sums, squares, tally.n, leader)
    stays = (p_values >= delta) | (means < means[leader])
    stays[leader] = True
    return Standing(leader, stays, p_values, p_value)


def _test(sums: FloatArray, squares: float, n: int) -> float:
    k = len(sums)
    spread = squares - n * k * (k + 1) ** 2 / 4.0
    if not spread > 1e-9 * squares:
        return 1.0  # every row is one big tie
    statistic = (k - 1) * ((sums - n * (k + 1) / 2.0) ** 2).sum() / spread
    return float(chdtrc(k - 1, statistic))


def _conover(sums: FloatArray, squares: float, n: int, leader: int) -> FloatArray:
    """Two-sided p-values of the difference between each sum of ranks and the leader's."""
    freedom = (n - 1) * (len(sums) - 1)
    error = np.sqrt(max(2.0 * (n * squares - (sums**2).sum()) / freedom, 0.0))
    gap = sums - sums[leader]
    with np.errstate(divide="ignore", invalid="ignore"):
        p_values = 2.0 * stdtr(freedom, -gap / error)
    # all rows rank alike: whatever differs is certain
    p_values = np.where(error > 0, p_values, np.where(gap > 0, 0.0, 1.0))
    p_values[leader] = 1.0
    return np.asarray(p_values)


def _signed_ranks(tally: Tally, delta: float) -> Standing:
    difference = tally.history[:, 1] - tally.history[:, 0]
    p_value, first_better = _wilcoxon(difference[difference != 0])
    leader = 0 if first_better else 1
    means = tally.means
    p_values = np.full(2, p_value)
    p_values[leader] = 1.0
    stays = (p_values >= delta) | (means < means[leader])
    return Standing(leader, stays, p_values, p_value)


def _wilcoxon(difference: FloatArray) -> tuple[float, bool]:
    """Two-sided p-value, and whether the differences are rather positive."""
    n = len(difference)
    if n == 0:
        return 1.0, True
    _, inverse, counts = np.unique(np.abs(difference), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2.0)[inverse]
    centred = float(ranks[difference > 0].sum()) - n * (n + 1) / 4.0
    variance = n * (n + 1) * (2 * n + 1) / 24.0 - float((counts**3 - counts).sum()) / 48.0
    distance = max(abs(centred) - 0.5, 0.0) / np.sqrt(variance)
    return float(min(1.0, 2.0 * ndtr(-distance))), centred >= 0


def _worst_first(tally: Tally, delta: float) -> Standing:
    """Test, drop the highest mean, and test the others again."""
    n_candidates = tally.n_candidates
    freedom = np.maximum(np.arange(n_candidates + 1.0) - 1.0, 1.0)
    dropped, statistics = drop_worst(
        np.ascontiguousarray(tally.history), tally.means, chdtri(freedom, delta)
    )
    tested = chdtrc(freedom[n_candidates - np.arange(len(statistics))], statistics)
    stays = np.ones(n_candidates, dtype=bool)
    stays[dropped] = False
    p_values = np.ones(n_candidates)
    p_values[dropped] = tested[:-1]
    return Standing(tally.leader, stays, p_values, float(tested[0]))
