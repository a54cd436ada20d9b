"""What the search learnt about single variables on its way."""

import math
from dataclasses import dataclass

from thresher.evaluators import Flips, Subset
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
        flips = contest.candidates
        if not isinstance(flips, Flips) or flips.base not in self._loss_of:
            return
        base_loss = self._loss_of[flips.base]
        if not math.isfinite(base_loss):
            return  # a scorer that cannot score the empty subset
        for variable, loss in zip(flips.variables, outcome.losses.tolist(), strict=True):
            if math.isfinite(loss):
                gain = loss - base_loss if variable in flips.base else base_loss - loss
                self.latest[variable] = Evidence(step, gain)
