"""How well each number of columns predicts, read from the path of a selection."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._words import as_number, counted, figure, loss_words, percent

__all__ = ["PathSummary", "SizePoint", "percent_above", "summarise_path"]


@dataclass(frozen=True)
class SizePoint:
    """What is known about the set of one size; bounds that are infinite are None.

    Parameters
    ----------
    n_columns : int
        Size of the set.
    loss, low, high : float or None
        Loss on held-out rows and its band.
    at_most : float or None
        Largest rise over the best set that the rows do not exclude, as a share of its loss.
    verdict : str
        "enough", "not enough" or "cannot tell".
    """

    n_columns: int
    loss: float | None
    low: float | None
    high: float | None
    at_most: float | None
    verdict: str

    @property
    def bound(self) -> str:
        """How much worse than the best set it may be, in words."""
        if self.at_most is None:
            return "no bound"
        return "no worse" if self.at_most <= 0 else f"at most {percent_above(self.at_most)} worse"

    @property
    def words(self) -> str:
        """Everything about the point in one line."""
        size = counted(self.n_columns, "column")
        return f"{size}: {figure(self.loss)}, {self.bound}: {self.verdict}"


@dataclass(frozen=True)
class PathSummary:
    """What the chart of the sizes and the claim need.

    Parameters
    ----------
    points : tuple of SizePoint
        In ascending order of size; the last one is all columns.
    chosen, best : SizePoint
        The chosen point, and the one with the lowest loss.
    limit : float or None
        Loss that is worse than that of the best set, as other folds chose it, by the tolerance.
    measure : str
        The loss in words.
    learner : str
        Whose losses these are.
    tolerance, confidence : float
        Share of the best loss that counts as nothing; confidence of each bound.
    n_rows, n_folds : int
        Rows held out, and folds.
    """

    points: tuple[SizePoint, ...]
    chosen: SizePoint
    best: SizePoint
    limit: float | None
    measure: str
    learner: str
    tolerance: float
    confidence: float
    n_rows: int
    n_folds: int

    @property
    def sure(self) -> str:
        """The confidence in percent."""
        return _as_set(self.confidence)

    @property
    def margin(self) -> str:
        """The tolerance in percent; empty if there is none."""
        return _as_set(self.tolerance) if self.tolerance else ""

    @property
    def all(self) -> SizePoint:
        """The point of all columns."""
        return self.points[-1]

    @property
    def drawable(self) -> tuple[SizePoint, ...]:
        """The points whose loss is known."""
        return tuple(point for point in self.points if point.loss is not None)


def summarise_path(content: Mapping[str, Any]) -> PathSummary | None:
    """Read the path, if there is one."""
    path = content.get("path")
    if not path:
        return None
    points = tuple(
        SizePoint(
            n_columns=point["n_columns"],
            loss=as_number(point["loss"]),
            low=as_number(point["low"]),
            high=as_number(point["high"]),
            at_most=as_number(point["at_most"]),
            verdict=point["verdict"],
        )
        for point in path["points"]
    )
    of_size = {point.n_columns: point for point in points}
    best = of_size[path["best"]]
    reference = _reference_loss(points, best)
    return PathSummary(
        points=points,
        chosen=of_size[path["chosen"]],
        best=best,
        limit=None if reference is None else reference * (1 + path["tolerance"]),
        measure=loss_words(path["loss"]),
        learner=path["learner"],
        tolerance=path["tolerance"],
        confidence=path["confidence"],
        n_rows=path["n_rows"],
        n_folds=path["n_folds"],
    )


def _reference_loss(points: Sequence[SizePoint], best: SizePoint) -> float | None:
    """The loss that all are compared with: of the best set as other folds chose it.

    The upper end of a band is that loss and the share of it that the bound says.
    """
    bounded = [(p.at_most, p.high) for p in points if p.at_most and p.high is not None]
    if not bounded:
        return best.loss
    at_most, high = min(bounded)
    return high / (1 + at_most)


def _as_set(share: float) -> str:
    """A setting in percent, with its decimals: 2.5 % is not 3 %."""
    return f"{100 * share:.4g} %"


def percent_above(share: float) -> str:
    """Write an upper bound in percent, rounded up, so that it remains a bound.

    Examples
    --------
    >>> percent_above(0.03), percent_above(0.0312), percent_above(0.2301)
    ('3 %', '3.2 %', '24 %')
    """
    hundred = 100 * share * (1 - 1e-12)  # 3 % stays 3 % whatever the last bit
    if hundred < 10:
        return f"{math.ceil(round(10 * hundred, 9)) / 10:.1f}".removesuffix(".0") + " %"
    return percent(math.ceil(round(hundred, 9)) / 100) if hundred < 1e6 else "over 1,000,000 %"
