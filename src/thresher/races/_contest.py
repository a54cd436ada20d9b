"""The question a search strategy asks, and the answer it is sent."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import Subset

__all__ = ["Contest", "Exit", "Outcome"]


@dataclass(frozen=True, eq=False)
class Contest:
    """Which of these subsets has the lowest loss?

    Parameters
    ----------
    candidates : sequence of subsets
        At least one. `Flips` of the incumbent are judged fastest.
    incumbent : subset, optional
        Where the search stands; it cannot win, but says what a candidate changes.
    challenge : bool, default=False
        Whether the winner must also beat the incumbent. The judge then says what the incumbent
        loses on the same rows, and may stop when no candidate can beat it.
    incumbent_loss : float, optional
        Mean loss of the incumbent, as far as the search knows it.
    give_up : float, optional
        In a challenge, how credible it must be that a candidate beats the incumbent for it to
        go on; as for any other candidate, if None.
    tolerance : float, optional
        In a challenge, what a candidate may lose more than the incumbent and still beat it. It may
        then fail at once, but succeeds only when all rows have been seen: that nothing was lost so
        far proves little.
    ahead : callable, optional
        From a number to as many subsets that will be asked for one after the other if this contest
        is lost, and the next one, and so on; whoever has idle workers may judge them already.
    relevance : callable, optional
        Tells how probable it is by now that each variable is relevant.
    """

    candidates: Sequence[Subset]
    incumbent: Subset | None = None
    challenge: bool = False
    incumbent_loss: float | None = None
    give_up: float | None = None
    tolerance: float | None = None
    ahead: Callable[[int], Sequence[Subset]] | None = None
    relevance: Callable[[], NDArray[np.float64]] | None = None

    def __post_init__(self) -> None:
        if not len(self.candidates):
            raise ValueError("a contest needs at least one candidate")
        if self.challenge and self.incumbent is None:
            raise ValueError("a challenge needs an incumbent")


@dataclass(frozen=True)
class Exit:
    """A candidate that left a race.

    Parameters
    ----------
    candidate : int
        Which of the candidates; their number for the incumbent.
    n_seen : int
        After how many rows.
    leader : int
        Which candidate was ahead.
    p_value : float
        How credible it was that the candidate is better by more than gamma.
    """

    candidate: int
    n_seen: int
    leader: int
    p_value: float


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a judge found.

    Parameters
    ----------
    best : subset
        The candidate with the lowest loss; the first of equals.
    loss : float
        Its mean loss. If the judge did not look at all rows, it is the incumbent's known loss plus
        the difference seen, so that losses along a search can be compared.
    standard_error : float
        Of that mean.
    losses : array of shape (n_candidates,)
        Mean loss of each candidate, on the rows seen of it; NaN if there were none.
    incumbent_loss : float, optional
        Mean loss of the incumbent, in a challenge.
    exits : tuple of Exit
        Who left a race when, in this order.
    """

    best: Subset
    loss: float
    standard_error: float
    losses: NDArray[np.float64]
    incumbent_loss: float | None = None
    exits: tuple[Exit, ...] = ()
