"""Stage 3: drop important variables that others make superfluous."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.stats import paired_t

from ._masking import Masking
from ._monitor import CutShort

__all__ = ["Elimination", "remove_masked"]

FloatArray = NDArray[np.float64]
Losses = Callable[[list[frozenset[int]]], list[FloatArray]]

#: Up to so many suspects are each tried alone, which orders them better than their importances.
FEW_SUSPECTS = 16
#: Of those that nobody misses alone, one in so many goes at once.
BLOCK = 3


@dataclass(frozen=True)
class Elimination:
    """Who stays, and who went because of whom.

    Parameters
    ----------
    kept : tuple of int
        Variables that stay, most important first.
    masked_by : mapping
        For each variable dropped: the kept variable that masks it most.
    needed : mapping
        For variables that are masked, but stay because the loss would rise: Student's t of it.
    n_trials : int
        How many subsets were tried.
    complete : bool
        Whether it came to its end; if not, more might have gone.
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
    least_rise: float = 0.0,
) -> Elimination:
    """Drop variables that another one masks.

    Surrogates tell who *may* go. Association alone would also drop variables that share only a part
    of what they know, so unless ``losses`` is None, as in the paper, suspects go only if what
    remains predicts rows held out as well as before. Those that matter least are tried first, many
    at once while that works.

    Parameters
    ----------
    masking : Masking
        Scores and p-values among the important variables.
    masking_alpha : float
        Level at which a surrogate is better than contrasts, and at which a loss has risen
        (divided by the number of suspects).
    losses : callable, optional
        From sets of variables to the loss of each row, held out. If it raises `CutShort`, who has
        gone until then has gone, and the others stay.
    required : frozenset of int
        Variables that always stay.
    known : frozenset of int
        Variables that were there before the others were found. The others have shown that they add
        to these, so these do not mask them.
    least_rise : float
        Of the mean loss: smaller ones do no harm, however sure they are.
    """
    masks = masking.p_value <= masking_alpha
    was_known = np.array([v in known for v in masking.variables])
    masks &= ~(was_known[:, None] & ~was_known[None, :])
    if losses is None:
        kept = _exit_list(masking, masks, required)
        rest: tuple[dict[int, float], int, bool] = {}, 0, True
    else:
        trials = _trials(masking, masks, masking_alpha, losses, required, least_rise)
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
    masking_alpha: float,
    losses: Losses,
    required: frozenset[int],
    least_rise: float,
) -> "_Trials":
    """Backward elimination among the masked variables, many at once while that does no harm."""
    place = {v: k for k, v in enumerate(masking.variables)}
    suspects = [v for v in masking.variables if masks[:, place[v]].any() and v not in required]
    suspects.sort(key=lambda v: (masking.importance[place[v]], -v))
    trials = _Trials(
        frozenset(masking.variables), losses, masks, place,
        masking_alpha / max(len(suspects), 1), least_rise,
    )  # fmt: skip
    try:
        trials.begin()
        trials.one_by_one(trials.thin_out(suspects))
    except CutShort:  # where the trials stand is the result
        trials.complete = not suspects
    return trials


class _Trials:
    """Where backward elimination stands: who is left, who is needed, and the lowest loss so far."""

    def __init__(
        self,
        kept: frozenset[int],
        losses: Losses,
        masks: NDArray[np.bool_],
        place: Mapping[int, int],
        level: float,
        least_rise: float,
    ):
        self._losses = losses
        self._masks = masks
        self._place = place
        self._level = level
        self._least_rise = least_rise
        self.n_trials = 0
        self.complete = True
        self.kept = kept
        #: Student's t of the rise without each variable that is masked, but needed.
        self.needed: dict[int, float] = {}

    def begin(self) -> None:
        """Try all of them together, to compare with."""
        [self.lowest] = self._without([])

    def thin_out(self, suspects: list[int]) -> list[int]:
        """Drop blocks of the least important suspects until few are left; return those."""
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
        """Try each suspect alone; drop the least missed, some at once where that does no harm."""
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
        """Losses without each of the blocks."""
        losses = self._losses([self.kept - set(block) for block in blocks])
        self.n_trials += len(blocks)
        return losses

    def _harmed(self, without: FloatArray) -> bool:
        rise = without - self.lowest
        return bool(rise.mean() > self._least_rise and paired_t(rise)[1] <= self._level)

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


def _masker(j: int, kept: list[int], masking: Masking, masks: NDArray[np.bool_]) -> int:
    """The kept variable that masks j most, one whose masking is significant if there is any."""
    best = max(kept, key=lambda i: (masks[i, j], masking.score[i, j], -i))
    return masking.variables[best]
