"""What the search learnt about single variables on its way."""

import math
from dataclasses import dataclass

from thresher.evaluators import Flips, Removals, Subset
from thresher.races import Contest, Outcome

__all__ = ["Evidence", "EvidenceBook"]


#: Pieces of evidence remembered with the subset that they are about.
_MOST_AROUND = 500_000


@dataclass(frozen=True)
class Evidence:
    """The last contest in which flipping a variable was judged.

    Parameters
    ----------
    step : int
        Number of that contest.
    gain : float
        Loss without the variable minus loss with it, all else equal; positive if it helps.
    """

    step: int
    gain: float


class EvidenceBook:
    """Collects evidence from flips of an incumbent whose own loss is known."""

    def __init__(self) -> None:
        self._latest: dict[int, Evidence] = {}
        self._loss_of: dict[Subset, float] = {}
        self._around: dict[Subset, dict[int, Evidence]] = {}
        self._n_around = 0

    def about(self, subset: Subset) -> dict[int, Evidence]:
        """Return what is known of each variable: next to the given subset, or else last seen.

        A search may go on beyond the subset that it chooses in the end.
        """
        return self._latest | self._around.get(subset, {})

    def read(self, step: int, contest: Contest, outcome: Outcome) -> None:
        """Take what a contest says about each of its variables."""
        self._loss_of[outcome.best] = outcome.loss
        if contest.incumbent is not None and outcome.incumbent_loss is not None:
            self._loss_of[contest.incumbent] = outcome.incumbent_loss
        family = contest.candidates
        if not isinstance(family, (Flips, Removals)):
            return
        base_loss = outcome.incumbent_loss if family.base is contest.incumbent else None
        if base_loss is None:  # comparing large subsets takes time
            base_loss = self._loss_of.get(family.base)
        if base_loss is None or not math.isfinite(base_loss):
            return  # a scorer that cannot score the empty subset
        found: dict[int, Evidence] = {}
        for variable, loss in zip(_flipped(family), outcome.losses.tolist(), strict=True):
            if variable is not None and math.isfinite(loss):
                gain = loss - base_loss if variable in family.base else base_loss - loss
                found[variable] = Evidence(step, gain)
        self._latest |= found
        self._keep(family.base, found)

    def _keep(self, base: Subset, found: dict[int, Evidence]) -> None:
        """Remember what is known around a subset, and forget the oldest if that is too much."""
        self._n_around += len(found) - len(self._around.pop(base, {}))
        self._around[base] = found
        while self._n_around > _MOST_AROUND and len(self._around) > 1:
            self._n_around -= len(self._around.pop(next(iter(self._around))))


def _flipped(family: Flips | Removals) -> list[int | None]:
    """The one variable in which each subset differs from the base; None if they are several."""
    if isinstance(family, Flips):
        return list(family.variables)
    return [next(iter(removed)) if len(removed) == 1 else None for removed in family.removed]
