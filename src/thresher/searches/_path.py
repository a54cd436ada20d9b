"""The subsets along a stepwise search, and which of them to return."""

from dataclasses import dataclass, field
from numbers import Integral
from typing import Any, Literal

from thresher.evaluators import Subset
from thresher.races import Outcome

from ._space import Space

__all__ = ["NFeatures", "Path", "Rule", "Sizes", "check_rule", "check_tolerance"]

NFeatures = int | tuple[int, int] | Literal["auto"]
Rule = Literal["best", "one-standard-error"]


@dataclass(frozen=True)
class Sizes:
    """How many variables the result may have; ``auto`` if the losses decide where to stop."""

    least: int
    most: int
    auto: bool

    @classmethod
    def of(cls, n_features: NFeatures, space: Space) -> "Sizes":
        """Read ``n_features`` for a space: a number, a range (both ends included) or "auto"."""
        floor, ceiling = max(1, len(space.required)), space.n_variables
        if isinstance(n_features, str):
            if n_features != "auto":
                raise ValueError(
                    f"n_features must be a number, a range or 'auto'; got {n_features!r}"
                )
            return cls(floor, ceiling, auto=True)
        bounds = n_features if isinstance(n_features, (tuple, list)) else (n_features, n_features)
        if len(bounds) != 2 or not all(_is_whole(bound) for bound in bounds):
            raise ValueError(
                f"n_features must be a whole number, a pair of them or 'auto'; got {n_features!r}"
            )
        least, most = int(bounds[0]), int(bounds[1])
        if not 1 <= least <= most <= ceiling:
            raise ValueError(
                f"n_features must lie in 1 .. {ceiling}, the number of variables that are not "
                f"constant; got {n_features!r}"
            )
        if most < floor:
            raise ValueError(f"n_features={n_features!r} is less than the {floor} columns to keep")
        return cls(max(least, floor), most, auto=False)


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def check_rule(rule: Rule, tolerance: float) -> None:
    """Refuse what `Path` could not work with."""
    if rule not in ("best", "one-standard-error"):
        raise ValueError(f"rule must be 'best' or 'one-standard-error'; got {rule!r}")
    check_tolerance(tolerance)


def check_tolerance(tolerance: float) -> None:
    """Refuse what no gain can be compared with."""
    if not tolerance >= 0:
        raise ValueError(f"tolerance must be a number that is not negative; got {tolerance!r}")


@dataclass
class Path:
    """Best outcome for each size that a search has been through."""

    points: dict[int, Outcome] = field(default_factory=dict)

    def add(self, outcome: Outcome) -> bool:
        """Remember an outcome if no subset of its size was better; return whether it was."""
        size = len(outcome.best)
        if size in self.points and self.points[size].loss <= outcome.loss:
            return False
        self.points[size] = outcome
        return True

    def best(self, sizes: Sizes) -> Outcome:
        """Lowest loss among the sizes allowed; the smallest of equals."""
        allowed = [self.points[size] for size in sorted(self.points) if self._allows(sizes, size)]
        return min(allowed, key=lambda outcome: outcome.loss)

    def choose(self, sizes: Sizes, rule: Rule, tolerance: float = 0.0) -> Subset:
        """Pick the smallest subset within a tolerance, or one error, of the lowest loss."""
        best = self.best(sizes)
        bar = best.loss + (best.standard_error if rule == "one-standard-error" else tolerance)
        return next(
            self.points[size].best
            for size in sorted(self.points)
            if self._allows(sizes, size) and self.points[size].loss <= bar
        )

    @staticmethod
    def _allows(sizes: Sizes, size: int) -> bool:
        return sizes.least <= size <= sizes.most
