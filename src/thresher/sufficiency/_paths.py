"""Paths of nested sets: from all variables down, and from those that are proved up and down."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.journal import Scope

from ._choice import Losses, sizes_to_judge
from ._elimination import (
    Elimination,
    Progress,
    eliminate_everywhere,
    eliminate_in_folds,
)
from ._estimator import Estimator
from ._folds import RepeatedFolds
from ._learners import Learner

__all__ = ["PathLosses", "Workplace", "judged_by", "path_from_all", "path_of_proved"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Sets = Sequence[Sequence[int]]

#: Sizes that an estimator is fitted for; each costs as many fits as there are folds.
MOST_FITTED = 16


@dataclass(frozen=True, eq=False)
class PathLosses:
    """Nested sets, and what they cost on held-out rows.

    Parameters
    ----------
    order : tuple of int
        Variables; the first ones are the set of each size.
    sets : mapping of int to sequence of sequences of int
        By size, the set that each fold has chosen by itself.
    losses : mapping
        For each learner, losses of rows by size.
    """

    order: tuple[int, ...]
    sets: dict[int, Sets]
    losses: Losses

    def without(
        self, size: int, going: Sequence[int], losses: Mapping[str, FloatArray]
    ) -> "PathLosses":
        """The path on which some variables of the set of a size come after the others.

        Sizes in between are left out. ``losses`` are those of the smaller set, by learner.
        """
        kept = tuple(v for v in self.order[:size] if v not in going)
        order = (*kept, *(v for v in self.order if v not in kept))
        is_between = range(len(kept) + 1, size)
        sets = {n: own for n, own in self.sets.items() if n not in is_between}
        by_size = {
            name: {n: row for n, row in own.items() if n not in is_between}
            for name, own in self.losses.items()
        }
        return PathLosses(
            order,
            {**sets, len(kept): (kept,) * len(self.sets[size])},
            {name: {**own, len(kept): losses[name]} for name, own in by_size.items()},
        )

    def continued_by(self, other: "PathLosses") -> "PathLosses":
        """Go on, beyond the largest size, with another path that has more variables.

        The larger sets have the losses of the other path, on which each fold has ordered the
        variables by itself. Those of these variables and the next ones would look too good: all
        rows have ordered them.
        """
        most, inside = len(self.order), set(self.order)
        order = (*self.order, *(v for v in other.order if v not in inside))
        larger = {size: own for size, own in other.sets.items() if size > most}
        losses = {
            name: {**own, **{n: row for n, row in other.losses[name].items() if n > most}}
            for name, own in self.losses.items()
        }
        return PathLosses(order, {**self.sets, **larger}, losses)


@dataclass(frozen=True, eq=False)
class Workplace:
    """What all paths have in common.

    Parameters
    ----------
    learners : sequence of Learner
        Whose losses count.
    quick : sequence of Learner
        Faster ones, which order variables just as well.
    folds : RepeatedFolds
        The folds that hold each row out.
    required : frozenset of int
        Variables that belong to every set.
    progress : callable
        From the name of a stage to what is told how far it is.
    journal : Scope
        Where trials are written down.
    """

    learners: Sequence[Learner]
    quick: Sequence[Learner]
    folds: RepeatedFolds
    required: frozenset[int]
    progress: Callable[[str], Progress]
    journal: Scope

    def eliminate(self, start: Sequence[int], name: str) -> PathLosses:
        """Eliminate within each fold, for honest losses, and on all rows, for the sets."""

        def done(how: Any, learners: Sequence[Learner], where: str) -> Elimination:
            found: Elimination = how(
                learners, self.folds, start, required=self.required,
                progress=self.progress(f"{name}, {where}"),
                journal=self.journal,
            )  # fmt: skip
            return found

        in_folds = done(eliminate_in_folds, self.learners, "fold by fold")
        everywhere = done(eliminate_everywhere, self.quick, "on all rows")
        return PathLosses(everywhere.order, dict(in_folds.sets), in_folds.losses)


def path_from_all(place: Workplace, n_variables: int) -> PathLosses:
    """Eliminate, starting from all variables."""
    return place.eliminate(range(n_variables), "fewer columns")


def path_of_proved(place: Workplace, proved: frozenset[int]) -> PathLosses:
    """Eliminate among proved variables.

    All rows had a say in what is proved, so the losses of these sets are a little too low where
    rows are few and variables many.
    """
    return place.eliminate(sorted(proved | place.required), "proved columns")


def judged_by(path: PathLosses, judge: Estimator, always: int, progress: Progress) -> PathLosses:
    """Replace the losses of a path by those of an estimator, for some sizes and one of them."""
    few = sorted({*sizes_to_judge(sorted(path.sets), MOST_FITTED), always} & set(path.sets))
    losses = judge.judge({size: path.sets[size] for size in few}, progress)
    return replace(path, losses={judge.name: losses})
