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
    n_winners : int, default=1
        How many candidates are wanted.
    n_left : int, optional
        With how many still in it a race ends; ``n_winners`` if None. The fewer, the more is known
        of the best.
    max_rows : int, optional
        Rows after which a race ends in any case.
    prefer_small : bool, default=True
        Whether smaller candidates go first among several winners that are alike.
    """

    candidates: Sequence[Subset]
    incumbent: Subset | None = None
    challenge: bool = False
    incumbent_loss: float | None = None
    give_up: float | None = None
    tolerance: float | None = None
    ahead: Callable[[int], Sequence[Subset]] | None = None
    relevance: Callable[[], NDArray[np.float64]] | None = None
    n_winners: int = 1
    n_left: int | None = None
    max_rows: int | None = None
    prefer_small: bool = True

    def __post_init__(self) -> None:
        if not len(self.candidates):
            raise ValueError("a contest needs at least one candidate")
        if self.challenge and self.incumbent is None:
            raise ValueError("a challenge needs an incumbent")
        if self.n_winners < 1:
            raise ValueError(f"a contest has at least one winner; got n_winners={self.n_winners}")
        for name in ("n_left", "max_rows"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1 or None; got {value}")

    def winners(self, outcome: "Outcome") -> list[Subset]:
        """Return as many candidates as are wanted, the best first.

        A single winner is the one with the lowest loss. Several come in turn from the smallest of
        those that are not known to be worse than it, and from those with the lowest losses: a race
        ends among subsets that hardly differ, and some hold variables that do no harm. Where nobody
        tested who is alike, those with the lowest loss are.
        """
        if self.n_winners == 1:
            return [outcome.best]
        places = outcome.places().tolist()
        if not self.prefer_small:
            return [self.candidates[k] for k in places[: self.n_winners]]
        stays = outcome.alike
        if stays is None:
            stays = outcome.losses <= outcome.losses[places[0]]
        alike = [k for k in places if stays[k]]
        alike.sort(key=lambda k: len(self.candidates[k]))
        order = [k for pair in zip(alike, places, strict=False) for k in pair] + places
        return [self.candidates[k] for k in dict.fromkeys(order)][: self.n_winners]


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
    alike : bool array of shape (n_candidates,), optional
        Which candidates stayed in a race to its end and may be as good as the best, for all that
        is known.
    standard_errors : array of shape (n_candidates,), optional
        Of the means of all candidates, where several winners are wanted.
    """

    best: Subset
    loss: float
    standard_error: float
    losses: NDArray[np.float64]
    incumbent_loss: float | None = None
    exits: tuple[Exit, ...] = ()
    alike: NDArray[np.bool_] | None = None
    standard_errors: NDArray[np.float64] | None = None

    def places(self) -> NDArray[np.intp]:
        """Candidates from the first to the last: who left a race latest, and then the lowest loss.

        Examples
        --------
        >>> losses = np.array([0.5, 0.1, 0.3, 0.2])
        >>> left = Exit(candidate=1, n_seen=20, leader=3, p_value=0.001)
        >>> Outcome(frozenset({3}), 0.2, 0.0, losses, exits=(left,)).places().tolist()
        [3, 2, 0, 1]
        """
        stayed = np.full(len(self.losses), np.inf)
        for exit in self.exits:
            if exit.candidate < len(stayed):
                stayed[exit.candidate] = exit.n_seen
        return np.lexsort((self.losses, -stayed))
