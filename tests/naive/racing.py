"""Rules of races the slow way: one comparison at a time, by scipy."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from thresher.stats import Standing, Tally

Floats = NDArray[np.float64]


def leader_of(losses: Floats) -> int:
    """Lowest mean, the first of equals."""
    return int(np.argmin(losses.mean(axis=0)))


def step_of(losses: Floats) -> float:
    """Smallest step between losses, if the leader's repeat so often that there must be one."""
    mine = losses[:, leader_of(losses)].tolist()
    if 2 * len(set(mine)) > len(mine):
        return 0.0
    values = sorted(set(losses.ravel().tolist()))
    return min((b - a for a, b in pairwise(values)), default=1.0)


def hoeffding_stays(losses: Floats, delta: float, gamma: float, span: float) -> list[bool]:
    """Whether the lower end of each interval is within reach of the leader's upper end."""
    n, means = len(losses), losses.mean(axis=0)
    reach = span * np.sqrt(np.log(2 / delta) / (2 * n))
    best = means.min()
    return [
        k == leader_of(losses) or m + gamma - reach <= best + reach for k, m in enumerate(means)
    ]


def welch_p(losses: Floats, gamma: float) -> list[float]:
    """Welch's test of each candidate, gamma worse than it is, against the leader."""
    leader, n, step = leader_of(losses), len(losses), step_of(losses)
    p_values = []
    for k in range(losses.shape[1]):
        mine, best = losses[:, k] + gamma, losses[:, leader]
        if k == leader:
            p_values.append(1.0)
        elif step == 0:
            p_values.append(
                stats.ttest_ind(mine, best, equal_var=False, alternative="greater").pvalue
            )
        else:
            error1, error2 = (
                (((x - x.mean()) ** 2).sum() + step**2) / (n - 1) / n for x in (mine, best)
            )
            freedom = (error1 + error2) ** 2 / ((error1**2 + error2**2) / (n - 1))
            t = (mine.mean() - best.mean()) / np.sqrt(error1 + error2)
            p_values.append(stats.t.sf(t, freedom))
    return p_values


def blocked_p(losses: Floats, gamma: float) -> list[float]:
    """Student's t of the differences between each candidate and the leader, from -gamma."""
    leader, n, step = leader_of(losses), len(losses), step_of(losses)
    p_values = []
    for k in range(losses.shape[1]):
        difference = losses[:, k] - losses[:, leader]
        if k == leader:
            p_values.append(1.0)
        elif step > 0:
            squares = ((difference - difference.mean()) ** 2).sum() + step**2
            t = (difference.mean() + gamma) / np.sqrt(squares / (n - 1) / n)
            p_values.append(stats.t.sf(t, n - 1))
        elif (difference == 0).all():
            p_values.append(0.5**n)
        elif np.ptp(difference) < 1e-12:
            p_values.append(0.0)
        else:
            p_values.append(stats.ttest_1samp(difference, -gamma, alternative="greater").pvalue)
    return p_values


def conover_stays(losses: Floats, delta: float) -> tuple[list[bool], float]:
    """Friedman's test by scipy, then all differences of rank sums against the critical one."""
    n, k = losses.shape
    if (losses == losses[:, :1]).all():
        return [True] * k, 1.0
    p_value = float(stats.friedmanchisquare(*losses.T).pvalue)
    if not p_value < delta:
        return [True] * k, p_value
    ranks = np.array([stats.rankdata(row) for row in losses])
    sums, means = ranks.sum(axis=0), losses.mean(axis=0)
    leader = min(range(k), key=lambda j: (sums[j], means[j], j))
    freedom = (n - 1) * (k - 1)
    spread = 2 * (n * (ranks**2).sum() - (sums**2).sum()) / freedom
    critical = stats.t.isf(delta / 2, freedom) * np.sqrt(max(spread, 0.0))
    stays = [
        j == leader or sums[j] - sums[leader] <= critical or means[j] < means[leader]
        for j in range(k)
    ]
    return stays, p_value


def worst_leave(losses: Floats, delta: float) -> list[bool]:
    """Drop the highest mean until Friedman's test has nothing to say; three candidates or more."""
    means = losses.mean(axis=0)
    alive = list(range(losses.shape[1]))
    while len(alive) >= 3 and stats.friedmanchisquare(*losses[:, alive].T).pvalue < delta:
        alive.remove(max(alive, key=lambda j: (means[j], j)))
    if len(alive) == 2:  # scipy refuses two; the statistic does not
        ranks = np.array([stats.rankdata(row) for row in losses[:, alive]])
        n = len(ranks)
        statistic = ((ranks.sum(axis=0) - 1.5 * n) ** 2).sum() / ((ranks - 1.5) ** 2).sum()
        if stats.chi2.sf(statistic, 1) < delta:
            alive.remove(max(alive, key=lambda j: (means[j], j)))
    return [j in alive for j in range(losses.shape[1])]


def row_by_row(
    losses: Floats,
    rule: Callable[[Tally, int], Standing],
    min_rows: int,
    n_rows: int | None,
) -> tuple[list[tuple[int, int, int]], int]:
    """Race over rows in the order given; all sums are done anew for each look.

    Returns who left after how many rows against whom, and the winner.
    """
    alive = list(range(losses.shape[1]))
    exits = []
    for look, n in enumerate(range(min_rows, len(losses) + 1), start=1):
        tally = Tally(len(alive), n_rows)
        for row in losses[:n]:
            tally.add([row[k] for k in alive])
        standing = rule(tally, look)
        leader = alive[standing.leader]
        exits += [(alive[k], n, leader) for k in range(len(alive)) if not standing.stays[k]]
        alive = [k for k, stays in zip(alive, standing.stays, strict=True) if stays]
        if len(alive) == 1:
            return exits, alive[0]
    means = losses.mean(axis=0)
    return exits, min(alive, key=lambda k: means[k])
