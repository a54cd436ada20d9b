"""The question a search strategy asks, and the answer it is sent."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import Subset

__all__ = ["Contest", "Outcome"]


@dataclass(frozen=True, eq=False)
class Contest:
    """Which of these subsets has the lowest loss?

    Parameters
    ----------
    candidates : sequence of subsets
        At least one. `Flips` of the incumbent are judged fastest.
    incumbent : subset, optional
        Where the search stands; it takes no part in the contest, but says what a candidate changes.
    """

    candidates: Sequence[Subset]
    incumbent: Subset | None = None

    def __post_init__(self) -> None:
        if not len(self.candidates):
            raise ValueError("a contest needs at least one candidate")


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a judge found.

    Parameters
    ----------
    best : subset
        The candidate with the lowest loss; the first of equals.
    loss : float
        Its mean loss.
    standard_error : float
        Of that mean.
    losses : array of shape (n_candidates,)
        Mean loss of each candidate; NaN if the judge gave up on it before it was known.
    """

    best: Subset
    loss: float
    standard_error: float
    losses: NDArray[np.float64]
