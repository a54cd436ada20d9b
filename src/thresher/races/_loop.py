"""The race itself: rows come in, candidates leave, and it ends when one is left."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from thresher.stats import Standing, Tally

from ._contest import Exit

__all__ = ["Enough", "Field", "Finish", "race", "row_blocks"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
Losses = Callable[[IntArray, int], FloatArray]
"""From candidates and the number of a heat to losses of shape (n_candidates, n_rows of it)."""
Rule = Callable[["Field", int], Standing]
Skip = Callable[["Field", FloatArray, int], tuple[int, bool]]
"""From those still in, coming losses of shape (n_rows, n_candidates) and the number of looks so far
to how many of these rows to enter next, and whether to ask the rule after them."""


class Enough(Exception):  # noqa: N818 - an end, not an error
    """Raised by a source of losses to end a race here.

    Parameters
    ----------
    losses : array of shape (n_candidates, n_rows of the heat), optional
        Those of the first candidates that it was asked for. In the first heat they decide among
        themselves, and the others never ran; without them there is nothing to decide by, and the
        end is an error.
    """

    def __init__(self, losses: FloatArray | None = None):
        super().__init__()
        self.losses = losses


@dataclass(frozen=True, eq=False)
class Finish:
    """How a race ended.

    Parameters
    ----------
    winner : int
        Lowest mean among the survivors, the first of equals.
    survivors : array of int
        Who was still in, best first.
    exits : tuple of Exit
        Who left when and against whom, in this order.
    seen : list of arrays
        The losses of each candidate, on the rows that it ran. All start with the same rows; none
        are there of a candidate for which the race was over before it began.
    """

    winner: int
    survivors: IntArray
    exits: tuple[Exit, ...]
    seen: list[FloatArray]

    @property
    def n_seen(self) -> IntArray:
        """How many rows each candidate has run."""
        return np.array([len(losses) for losses in self.seen])

    @property
    def means(self) -> FloatArray:
        """Mean loss of each candidate on the rows that it has run."""
        return np.array([losses.mean() if len(losses) else np.nan for losses in self.seen])

    def standard_error(self, candidate: int) -> float:
        """Standard error of the mean of one candidate; NaN if it has not run."""
        losses = self.seen[candidate]
        if not len(losses):
            return float("nan")
        return float(losses.std(ddof=1) / np.sqrt(len(losses))) if len(losses) > 1 else 0.0

    def gaps(self, reference: int) -> FloatArray:
        """Mean loss minus that of ``reference``, each on the rows that both have run."""
        base = self.seen[reference]
        n_common = np.minimum(self.n_seen, len(base))
        return np.array(
            [(losses[:n] - base[:n]).mean() for losses, n in zip(self.seen, n_common, strict=True)]
        )

    def alike(self, delta: float) -> NDArray[np.bool_]:
        """Survivors whose paired differences to the winner could come by chance, at a level."""
        seen = np.array([self.seen[k] for k in self.survivors])
        n = seen.shape[1]
        alike = np.zeros(len(self.seen), dtype=bool)
        if n < 2:  # one row tells nothing
            alike[self.survivors] = True
            return alike
        difference = seen - self.seen[self.winner]
        error = difference.std(axis=1, ddof=1) / np.sqrt(n)
        alike[self.survivors] = difference.mean(axis=1) <= stdtrit(n - 1, 1.0 - delta) * error
        return alike


def race(
    losses: Losses,
    n_candidates: int,
    n_heats: int,
    rule: Rule,
    *,
    min_rows: int,
    n_rows: int | None = None,
    look_within: bool = True,
    skip: Skip | None = None,
    n_winners: int = 1,
    max_rows: int | None = None,
) -> Finish:
    """Race candidates over heats of rows until few enough are left or the heats are over.

    Parameters
    ----------
    losses : callable
        ``losses(candidates, heat)`` gives the losses of some candidates on the rows of a heat.
    n_candidates, n_heats : int
        How many there are.
    rule : callable
        From those still in and the number of the look (1 for the first) to a `Standing`.
    min_rows : int
        Nobody leaves before this many rows have been seen.
    n_rows : int, optional
        All rows of all heats, if each comes once.
    look_within : bool, default=True
        Whether to look after each row of a heat, or only at its end. What was computed of a
        heat beyond the row at which a candidate leaves is not looked at.
    skip : callable, optional
        Tells after which of the coming rows the rule might let someone go, so that it need not be
        asked after each of them.
    n_winners : int, default=1
        How many may be left in the end.
    max_rows : int, optional
        Rows after which it ends in any case; if looks are at the ends of heats only, so is this.
    """
    field = Field(n_candidates, n_rows)
    n_looks = 0
    for heat in range(n_heats):
        entered = field.alive
        try:
            block, at = losses(entered, heat).T, 0
        except Enough as end:
            if not heat:
                if end.losses is None:
                    raise
                field.begin_with(end.losses)
            break
        while at < len(block):
            coming = block[at:, np.searchsorted(entered, field.alive)]
            if look_within and max_rows is not None:
                coming = coming[: max_rows - field.tally.n]
            n_entered, look = len(coming), True
            if look_within:
                before_looks = max(0, min_rows - 1 - field.tally.n)
                n_entered, look = min(before_looks, len(coming)), False
                if not n_entered:
                    n_entered, look = skip(field, coming, n_looks) if skip else (1, True)
            field.tally.extend(coming[:n_entered])
            at += n_entered
            may_end = field.tally.n >= min_rows
            if may_end:
                n_looks += n_entered if look_within else 1
                if look:
                    field.apply(rule(field, n_looks), n_winners)
            over = max_rows is not None and field.tally.n >= max_rows
            if over or (may_end and len(field.alive) <= n_winners):
                return field.finish()
    return field.finish()


class Field:
    """Who is in, who has left, and what is known of them.

    Attributes
    ----------
    alive : array of int
        Who is in.
    tally : Tally
        Of those.
    """

    def __init__(self, n_candidates: int, n_rows: int | None):
        self.alive = np.arange(n_candidates)
        self.tally = Tally(n_candidates, n_rows)
        self.exits: list[Exit] = []
        self.seen: list[FloatArray] = [np.empty(0)] * n_candidates

    def begin_with(self, losses: FloatArray) -> None:
        """Take the losses of the first candidates, before any others; nobody else is in."""
        came = np.arange(len(self.alive)) < len(losses)
        self.alive = self.alive[came]
        self.tally.keep(came)
        self.tally.extend(losses.T)

    def apply(self, standing: Standing, n_winners: int) -> None:
        """Let go who has lost; if too few would be left, the best of them stay."""
        stays = standing.stays.copy()
        lost = np.flatnonzero(~stays)
        n_spared = max(0, n_winners - int(stays.sum()))
        stays[lost[np.argsort(self.tally.means[lost], kind="stable")[:n_spared]]] = True
        leaving = np.flatnonzero(~stays)
        if not len(leaving):
            return
        leader = int(self.alive[standing.leader])
        for k in leaving:
            candidate = int(self.alive[k])
            self.seen[candidate] = self.tally.history[:, k].copy()
            p_value = float(standing.p_values[k])
            self.exits.append(Exit(candidate, self.tally.n, leader, p_value))
        self.alive = self.alive[stays]
        self.tally.keep(stays)

    def finish(self) -> Finish:
        for k, candidate in enumerate(self.alive.tolist()):
            self.seen[candidate] = self.tally.history[:, k].copy()
        survivors = self.alive[np.argsort(self.tally.means, kind="stable")]
        return Finish(int(survivors[0]), survivors, tuple(self.exits), self.seen)


def row_blocks(rows: IntArray, first: int, growth: float) -> Iterator[IntArray]:
    """Cut rows into blocks: the first of its own size, others a share of the rows before them.

    Evaluators work best on many rows at once; but what was computed beyond the row at which a
    candidate leaves was computed for nothing.
    """
    start, size = 0, max(1, first)
    while start < len(rows):
        yield rows[start : start + size]
        start += size
        size = max(1, int(start * growth))
