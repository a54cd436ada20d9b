"""From outcomes to the numbers of the pages: pure functions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from benchmarks.peers.comparison import geometric_mean

from .methods import ALL
from .run import Outcome
from .splits import TRAINING


@dataclass(frozen=True)
class Summary:
    """A method over tables.

    Parameters
    ----------
    n_tables : int
        On which it answered on one split at least.
    relative : float or None
        Geometric mean over tables of the error relative to all columns.
    above : tuple of str
        Tables on which that is above a bound.
    worst : tuple of str and float, or None
        The table on which it is highest.
    """

    n_tables: int
    relative: float | None
    above: tuple[str, ...]
    worst: tuple[str, float] | None


def relative_error(
    outcome: Outcome, method: str, judge: str, *, beside: str = ALL.name
) -> float | None:
    """Return the mean error over splits, divided by that of all columns or of another method.

    Splits on which either gave no answer are left out; without any, there is no ratio.
    """
    triples = [
        (mine.errors[judge], theirs.errors[judge], constant)
        for mine, theirs, constant in zip(
            outcome.answers[method], outcome.answers[beside], outcome.constants, strict=True
        )
        if not mine.problem and not theirs.problem
    ]
    if not triples:
        return None
    mine, theirs, constant = np.mean(triples, axis=0)
    return float((mine + constant) / (theirs + constant))


def rise_is_shown(outcome: Outcome, method: str, judge: str) -> bool:
    """Whether the error is above that of all columns by more than chance, at a level of 5 %.

    The corrected t-test of Nadeau and Bengio over splits: they share rows to learn from.
    """
    rises = np.array(
        [
            mine.errors[judge] - theirs.errors[judge]
            for mine, theirs in zip(outcome.answers[method], outcome.answers[ALL.name], strict=True)
            if not mine.problem and not theirs.problem
        ]
    )
    if len(rises) < 2:
        return False
    variance = rises.var(ddof=1) * (1 / len(rises) + (1 - TRAINING) / TRAINING)
    return bool(rises.mean() > stats.t.ppf(0.95, len(rises) - 1) * np.sqrt(variance))


def summary(outcomes: Sequence[Outcome], method: str, judge: str, *, bound: float = 1.1) -> Summary:
    """Return how a method does over tables, to one judge."""
    ratios = {
        outcome.name: ratio
        for outcome in outcomes
        if (ratio := relative_error(outcome, method, judge)) is not None
    }
    worst = max(ratios.items(), key=lambda pair: pair[1], default=None)
    above = tuple(name for name, ratio in ratios.items() if ratio > bound)
    mean = geometric_mean(list(ratios.values())) if ratios else None
    return Summary(len(ratios), mean, above, worst)


def interval(outcomes: Sequence[Outcome], method: str, judge: str) -> tuple[float, float] | None:
    """Return 95 % bounds of the geometric mean of relative errors, tables being drawn at random.

    By the t-distribution of the mean logarithm; None for fewer than two tables.
    """
    ratios = [relative_error(outcome, method, judge) for outcome in outcomes]
    logs = np.log([ratio for ratio in ratios if ratio is not None])
    if len(logs) < 2:
        return None
    reach = stats.t.ppf(0.975, len(logs) - 1) * logs.std(ddof=1) / np.sqrt(len(logs))
    low, high = np.exp([logs.mean() - reach, logs.mean() + reach])
    return float(low), float(high)


def kept(outcome: Outcome, method: str) -> float | None:
    """Return the mean share of columns that a method keeps on a table."""
    sizes = [len(answer.columns) for answer in outcome.answers[method] if not answer.problem]
    return float(np.mean(sizes) / outcome.n_columns) if sizes else None


def median_kept(outcomes: Sequence[Outcome], method: str) -> float | None:
    """Return the median over tables of the share that is kept."""
    shares = [share for each in outcomes if (share := kept(each, method)) is not None]
    return float(np.median(shares)) if shares else None


def mean_seconds(outcomes: Sequence[Outcome], method: str) -> float | None:
    """Return the geometric mean over tables of the mean seconds."""
    means = [
        float(np.mean(seconds))
        for outcome in outcomes
        if (seconds := [one.seconds for one in outcome.answers[method] if one.seconds is not None])
    ]
    return geometric_mean(means) if means else None


@dataclass(frozen=True)
class Beside:
    """A peer beside ``select``, on the tables on which both answered.

    Parameters
    ----------
    n_tables : int
        Such tables.
    relative : float
        Error of the peer relative to ``select``, geometric mean.
    kept, ours : float
        Median share of columns that the peer and ``select`` keep.
    """

    n_tables: int
    relative: float
    kept: float
    ours: float

    @property
    def better(self) -> bool:
        """Whether the peer has the lower error with no more columns, or the same with fewer."""
        no_worse = self.relative <= 1 and self.kept <= self.ours
        return no_worse and (self.relative < 1 or self.kept < self.ours)


def beside(outcomes: Sequence[Outcome], peer: str, ours: str, judge: str) -> Beside | None:
    """Compare a peer with our method; None if there is no table on which both answered."""
    ratios = {
        outcome.name: ratio
        for outcome in outcomes
        if (ratio := relative_error(outcome, peer, judge, beside=ours)) is not None
    }
    common = [outcome for outcome in outcomes if outcome.name in ratios]
    if not common:
        return None
    relative = geometric_mean(list(ratios.values()))
    return Beside(len(common), relative, median_kept(common, peer), median_kept(common, ours))
