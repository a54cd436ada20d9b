"""The path of a selection: how well each number of columns predicts."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Any, Literal, get_args

__all__ = ["Enough", "Path", "PathPoint"]

Enough = Literal["enough", "not enough", "cannot tell"]


@dataclass(frozen=True)
class PathPoint:
    """How well the first ``n_columns`` columns of a path predict.

    Parameters
    ----------
    n_columns : int
        Size of the set.
    loss : float
        Mean loss of the deciding learner on held-out rows.
    low, high : float
        Band around the loss: the loss of the best set plus the lower and the upper confidence
        bound of the paired rise over the best set.
    at_most : float
        Upper confidence bound of the rise over the best set, as a share of its loss. Infinite if
        the rows give no bound.
    verdict : {"enough", "not enough", "cannot tell"}
        Whether the set is shown to predict as well as the best set.
    """

    n_columns: int
    loss: float
    low: float
    high: float
    at_most: float
    verdict: Enough

    def __post_init__(self) -> None:
        if self.n_columns < 0:
            raise ValueError(f"path: n_columns must be at least 0; got {self.n_columns}")
        if self.verdict not in get_args(Enough):
            allowed = ", ".join(map(repr, get_args(Enough)))
            raise ValueError(f"path: verdict must be one of {allowed}; got {self.verdict!r}")

    @property
    def estimate(self) -> float:
        """Estimated rise over the best set, as a share of its loss; at least 0."""
        if not 0 < self.at_most < inf or self.high <= 0:
            return 0.0
        best = self.high / (1 + self.at_most)
        return max(self.loss / best - 1, 0.0)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "PathPoint":
        """Rebuild it from plain dicts, where null stands for an infinite number."""
        unbounded = {"loss": inf, "low": -inf, "high": inf, "at_most": inf}
        known = {
            name: bound if content[name] is None else content[name]
            for name, bound in unbounded.items()
        }
        return cls(**{**content, **known})


@dataclass(frozen=True)
class Path:
    """Nested sets of columns with their losses, and the set that was chosen.

    Parameters
    ----------
    order : tuple of str
        Names of the columns; the first n are the set of n columns.
    points : tuple of PathPoint
        One for each size that was tried, in ascending order; the last one is the set of all
        informative columns.
    chosen : int
        ``n_columns`` of the chosen point.
    best : int
        ``n_columns`` of the point with the lowest loss.
    loss : str
        "log", "brier", "squared", "absolute" or "zero_one".
    learner : str
        The learner whose losses these are.
    tolerance : float
        Largest rise over the best loss, as a share of it, with which a set is enough.
    confidence : float
        Of each bound by itself.
    n_rows, n_folds : int
        Number of held-out rows in all folds together, and of folds.

    Examples
    --------
    >>> points = (
    ...     PathPoint(1, 0.30, 0.25, 0.36, 0.4, "not enough"),
    ...     PathPoint(2, 0.26, 0.24, 0.27, 0.02, "enough"),
    ...     PathPoint(3, 0.26, 0.26, 0.26, 0.0, "enough"),
    ... )
    >>> path = Path(("age", "income", "city"), points, chosen=2, best=3, loss="log",
    ...             learner="boosted trees", tolerance=0.02, confidence=0.9, n_rows=500, n_folds=5)
    >>> path.columns(path.chosen)
    ('age', 'income')
    >>> path.point(2).verdict
    'enough'
    """

    order: tuple[str, ...]
    points: tuple[PathPoint, ...]
    chosen: int
    best: int
    loss: str
    learner: str
    tolerance: float
    confidence: float
    n_rows: int
    n_folds: int

    def __post_init__(self) -> None:
        if len(set(self.order)) < len(self.order):
            raise ValueError("path: order names a column twice")
        sizes = [point.n_columns for point in self.points]
        if not sizes:
            raise ValueError("path: points must hold at least one point")
        if any(later <= earlier for earlier, later in pairwise(sizes)):
            raise ValueError("path: points must ascend by n_columns")
        if sizes[-1] > len(self.order):
            raise ValueError(
                f"path: order has {len(self.order)} columns, but a point has {sizes[-1]}"
            )
        for name in ("chosen", "best"):
            if getattr(self, name) not in sizes:
                raise ValueError(
                    f"path: {name} must be the n_columns of a point; got {getattr(self, name)}"
                )

    def point(self, n_columns: int) -> PathPoint:
        """Return the point of a size that was tried."""
        return next(point for point in self.points if point.n_columns == n_columns)

    def columns(self, n_columns: int) -> tuple[str, ...]:
        """Return the names of the set with this many columns."""
        return self.order[:n_columns]

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "Path":
        """Rebuild it from plain dicts."""
        points = tuple(PathPoint.from_dict(point) for point in content["points"])
        return cls(**{**content, "order": tuple(content["order"]), "points": points})
