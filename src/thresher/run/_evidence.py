"""What the search learnt about single variables on its way."""

import math
from dataclasses import dataclass

from thresher.evaluators import Flips, Removals, Subset
from thresher.races import Contest, Outcome

__all__ = ["Evidence", "EvidenceBook"]


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
        self.latest: dict[int, Evidence] = {}
        self._loss_of: dict[Subset, float] = {}

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
        for variable, loss in zip(_flipped(family), outcome.losses.tolist(), strict=True):
            if variable is not None and math.isfinite(loss):
                gain = loss - base_loss if variable in family.base else base_loss - loss
                self.latest[variable] = Evidence(step, gain)


def _flipped(family: Flips | Removals) -> list[int | None]:
    """The one variable in which each subset differs from the base; None if they are several."""
    if isinstance(family, Flips):
        return list(family.variables)
    return [next(iter(removed)) if len(removed) == 1 else None for removed in family.removed]
