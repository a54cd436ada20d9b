"""Stage 3: drop important variables that are redundant given others."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.stats import allowed_rise, paired_t

from ._masking import Masking
from ._monitor import CutShort

__all__ = ["Elimination", "Enough", "remove_masked"]

FloatArray = NDArray[np.float64]
Losses = Callable[[list[frozenset[int]]], list[FloatArray]]

#: Least share of masking. A variable that could have earned less of what another has earned is not
#: masked by it, however significant that is.
LEAST_SHARE = 0.1
#: Of this, half is allowed as the estimated rise. There is no bound: with one, most copies
#: would stay in tables of a thousand rows. `select` judges whole sets by bounds later.
TOLERANCE = 0.1
#: Most suspects that are each tried alone, which orders them better than their importances do.
FEW_SUSPECTS = 16
#: Of the suspects that are not needed when dropped alone, a third is dropped at once.
BLOCK = 3


@dataclass(frozen=True)
class Elimination:
    """The variables that stay, and the masker of each one that was dropped.

    Parameters
    ----------
    kept : tuple of int
        Variables that stay, most important first.
    masked_by : mapping
        For each variable dropped: the kept variable that masks it with the largest share.
    needed : mapping
        For masked variables that stay because the loss would rise: Student's t of the rise.
    n_trials : int
        Number of subsets tried.
    complete : bool
        Whether the elimination came to its end; if not, more variables might have been dropped.
    """

    kept: tuple[int, ...]
    masked_by: Mapping[int, int]
    needed: Mapping[int, float]
    n_trials: int
    complete: bool = True


def remove_masked(
    masking: Masking,
    masking_alpha: float,
    losses: Losses | None = None,
    required: frozenset[int] = frozenset(),
    known: frozenset[int] = frozenset(),
    enough: "Enough | None" = None,
) -> Elimination:
    """Drop variables that another one masks.

    Surrogates tell which variables *may* be dropped: the suspects. Dropping all of them, as in the
    paper (``losses=None``), would also drop variables that share only a part of their information.
    With ``losses``, suspects are dropped only while the estimated rise of the held-out loss over
    that of the best set so far is small. The least important are tried first, many at once while
    that works.

    Parameters
    ----------
    masking : Masking
        Scores and p-values among the important variables.
    masking_alpha : float
        Level at which a surrogate is better than contrasts.
    losses : callable, optional
        From sets of variables to the loss of each held-out row. If it raises `CutShort`, the
        variables dropped until then stay dropped, and the others stay.
    required : frozenset of int
        Variables that always stay.
    known : frozenset of int
        Variables kept in earlier rounds. The others were found beside them, so these do not mask
        them.
    enough : Enough, optional
        How far the loss may rise; used with ``losses``.
    """
    masks = masking.p_value <= masking_alpha
    if losses is not None:
        masks &= _shares(masking) >= LEAST_SHARE
    was_known = np.array([v in known for v in masking.variables])
    masks &= ~(was_known[:, None] & ~was_known[None, :])
    if losses is None:
        kept = _exit_list(masking, masks, required)
        rest: tuple[dict[int, float], int, bool] = {}, 0, True
    else:
        trials = _trials(masking, masks, losses, required, enough or Enough())
        kept, rest = trials.kept, (trials.needed, trials.n_trials, trials.complete)
    place = {v: k for k, v in enumerate(masking.variables)}
    masked_by = {
        v: _masker(place[v], [place[k] for k in kept], masking, masks)
        for v in masking.variables
        if v not in kept
    }
    order = sorted(kept, key=lambda v: (-masking.importance[place[v]], v))
    return Elimination(tuple(order), masked_by, *rest)


def _exit_list(
    masking: Masking, masks: NDArray[np.bool_], required: frozenset[int]
) -> frozenset[int]:
    """The paper's rule: take the most important, drop all it masks, and so on."""
    entry = sorted(
        range(len(masking.variables)),
        key=lambda i: (masking.variables[i] not in required, -masking.importance[i], i),
    )
    taken = []
    while entry:
        best = entry.pop(0)
        taken.append(masking.variables[best])
        entry = [i for i in entry if not masks[best, i] or masking.variables[i] in required]
    return frozenset(taken)


def _trials(
    masking: Masking,
    masks: NDArray[np.bool_],
    losses: Losses,
    required: frozenset[int],
    enough: "Enough",
) -> "_Trials":
    """Backward elimination among the masked variables, many at once while the rest is enough."""
    place = {v: k for k, v in enumerate(masking.variables)}
    suspects = [v for v in masking.variables if masks[:, place[v]].any() and v not in required]
    suspects.sort(key=lambda v: (masking.importance[place[v]], -v))
    trials = _Trials(frozenset(masking.variables), losses, masks, place, enough)
    try:
        trials.begin()
        trials.one_by_one(trials.thin_out(suspects))
    except CutShort:  # what the trials have reached is the result
        trials.complete = not suspects
    return trials


@dataclass(frozen=True)
class Enough:
    """How far the loss may rise over that of the best set.

    Parameters
    ----------
    nothing : float
        Mean loss of predictions without any variable.
    negligible : float
        A rise that is allowed in any case.
    """

    nothing: float = np.inf
    negligible: float = 0.0

    def shows(self, losses: FloatArray, best: FloatArray) -> bool:
        """Whether the estimated rise of the losses over the best ones is allowed."""
        allowed = allowed_rise(float(best.mean()), self.nothing, TOLERANCE)
        return float(losses.mean() - best.mean()) <= max(allowed.estimate, self.negligible)


class _Trials:
    """The state of backward elimination: variables kept and needed, and the lowest loss so far."""

    def __init__(
        self,
        kept: frozenset[int],
        losses: Losses,
        masks: NDArray[np.bool_],
        place: Mapping[int, int],
        enough: Enough,
    ):
        self._losses = losses
        self._masks = masks
        self._place = place
        self._enough = enough
        self.n_trials = 0
        self.complete = True
        self.kept = kept
        #: Student's t of the rise without each variable that is masked, but needed.
        self.needed: dict[int, float] = {}

    def begin(self) -> None:
        """Try all variables together, for comparison."""
        [self.lowest] = self._without([])

    def thin_out(self, suspects: list[int]) -> list[int]:
        """Drop blocks of the least important suspects until few are left; return the rest."""
        size = len(suspects) // 2
        while len(suspects) > FEW_SUSPECTS:
            block = self._block(suspects, size)
            if not block:
                break
            [without] = self._without(block)
            if not self._harmed(without):
                self._drop(block, without)
                suspects = [v for v in suspects if v in self.kept]
                size = max(min(2 * len(block), len(suspects) // 2), 1)
            elif len(block) == 1:
                suspects.remove(block[0])
                size = 1
            else:
                size = len(block) // 2
        return suspects

    def one_by_one(self, suspects: list[int]) -> None:
        """Try each suspect alone; drop the least needed, several at once if that is harmless."""
        while suspects:
            alone = dict(zip(suspects, self._without(*([v] for v in suspects)), strict=True))
            self.needed |= {
                v: float(paired_t(own - self.lowest)[0])
                for v, own in alone.items()
                if self._harmed(own)
            }
            suspects = sorted(
                (v for v in suspects if v not in self.needed), key=lambda v: alone[v].mean()
            )
            least = self._block(suspects, 1)
            if not least:
                break
            block = self._block(suspects, max(len(suspects) // BLOCK, 1))
            dropped, without = least, alone[least[0]]
            if len(block) > 1:
                [together] = self._without(block)
                if not self._harmed(together):
                    dropped, without = block, together
            self._drop(dropped, without)
            suspects = [v for v in suspects if v in self.kept]

    def _without(self, *blocks: list[int]) -> list[FloatArray]:
        """Return the losses without each of the blocks."""
        losses = self._losses([self.kept - set(block) for block in blocks])
        self.n_trials += len(blocks)
        return losses

    def _harmed(self, without: FloatArray) -> bool:
        return not self._enough.shows(without, self.lowest)

    def _drop(self, block: list[int], without: FloatArray) -> None:
        self.kept -= set(block)
        # small rises that pass one by one must not add up: the lowest loss stays the measure
        if without.mean() < self.lowest.mean():
            self.lowest = without

    def _block(self, suspects: list[int], size: int) -> list[int]:
        """Up to ``size`` suspects, each masked by a variable that would remain."""
        block: list[int] = []
        for v in suspects:
            if self._masked(v, self.kept - {v, *block}):
                block.append(v)
            if len(block) == size:
                break
        # a later member may have been the only masker of an earlier one
        while block:
            unmasked = [v for v in block if not self._masked(v, self.kept - set(block))]
            if not unmasked:
                break
            block = [v for v in block if v not in unmasked]
        return block

    def _masked(self, v: int, by: frozenset[int]) -> bool:
        return bool(self._masks[[self._place[k] for k in by], self._place[v]].any())


def _shares(masking: Masking) -> FloatArray:
    """Share of what i earned that j could have earned in its place."""
    earned = np.maximum(masking.importance, np.finfo(float).tiny)
    return np.asarray(masking.score / earned[:, None])


def _masker(j: int, kept: list[int], masking: Masking, masks: NDArray[np.bool_]) -> int:
    """The kept variable that masks j with the largest share; a significant one, if there is any."""
    shares = _shares(masking)
    best = max(kept, key=lambda i: (masks[i, j], shares[i, j], -i))
    return masking.variables[best]
