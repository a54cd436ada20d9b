"""Stage 3: drop important variables that others make superfluous."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.stats import paired_t

from ._masking import Masking

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
    """

    kept: tuple[int, ...]
    masked_by: Mapping[int, int]
    needed: Mapping[int, float]
    n_trials: int


def remove_masked(
    masking: Masking,
    masking_alpha: float,
    losses: Losses | None = None,
    required: frozenset[int] = frozenset(),
    known: frozenset[int] = frozenset(),
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
        From sets of variables to the loss of each row, held out.
    required : frozenset of int
        Variables that always stay.
    known : frozenset of int
        Variables that were there before the others were found. The others have shown that they add
        to these, so these do not mask them.
    """
    masks = masking.p_value <= masking_alpha
    was_known = np.array([v in known for v in masking.variables])
    masks &= ~(was_known[:, None] & ~was_known[None, :])
    if losses is None:
        kept = _exit_list(masking, masks, required)
        needed: dict[int, float] = {}
        n_trials = 0
    else:
        kept, needed, n_trials = _trials(masking, masks, masking_alpha, losses, required)
    place = {v: k for k, v in enumerate(masking.variables)}
    masked_by = {
        v: _masker(place[v], [place[k] for k in kept], masking, masks)
        for v in masking.variables
        if v not in kept
    }
    order = sorted(kept, key=lambda v: (-masking.importance[place[v]], v))
    return Elimination(tuple(order), masked_by, needed, n_trials)


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
) -> tuple[frozenset[int], dict[int, float], int]:
    """Backward elimination among the masked variables, many at once while that does no harm."""
    place = {v: k for k, v in enumerate(masking.variables)}
    suspects = [v for v in masking.variables if masks[:, place[v]].any() and v not in required]
    suspects.sort(key=lambda v: (masking.importance[place[v]], -v))
    level = masking_alpha / max(len(suspects), 1)
    kept = frozenset(masking.variables)
    state = _State(kept, losses([kept])[0], n_trials=1)
    suspects = _thin_out(state, suspects, level, losses, masks, place)
    needed = _one_by_one(state, suspects, level, losses, masks, place)
    return state.kept, needed, state.n_trials


@dataclass
class _State:
    """Where backward elimination stands: who is left, and the lowest loss so far."""

    kept: frozenset[int]
    lowest: FloatArray
    n_trials: int

    def drop(self, block: list[int], without: FloatArray) -> None:
        self.kept -= set(block)
        # small rises that pass one by one must not add up: the lowest loss stays the measure
        if without.mean() < self.lowest.mean():
            self.lowest = without

    def harmed(self, without: FloatArray, level: float) -> bool:
        return bool(paired_t(without - self.lowest)[1] <= level)


def _thin_out(
    state: _State,
    suspects: list[int],
    level: float,
    losses: Losses,
    masks: NDArray[np.bool_],
    place: Mapping[int, int],
) -> list[int]:
    """Drop blocks of the least important suspects until few are left."""
    size = len(suspects) // 2
    while len(suspects) > FEW_SUSPECTS:
        block = _block(suspects, size, state.kept, masks, place)
        if not block:
            break
        [without] = losses([state.kept - set(block)])
        state.n_trials += 1
        if not state.harmed(without, level):
            state.drop(block, without)
            suspects = [v for v in suspects if v in state.kept]
            size = max(min(2 * len(block), len(suspects) // 2), 1)
        elif len(block) == 1:
            suspects.remove(block[0])
            size = 1
        else:
            size = len(block) // 2
    return suspects


def _one_by_one(
    state: _State,
    suspects: list[int],
    level: float,
    losses: Losses,
    masks: NDArray[np.bool_],
    place: Mapping[int, int],
) -> dict[int, float]:
    """Try each suspect alone; drop the least missed, some at once where that does no harm.

    Returns those that are needed, with Student's t of the rise.
    """
    needed: dict[int, float] = {}
    while suspects:
        alone = dict(zip(suspects, losses([state.kept - {v} for v in suspects]), strict=True))
        state.n_trials += len(alone)
        rises = {v: paired_t(own - state.lowest) for v, own in alone.items()}
        needed |= {v: float(t) for v, (t, p) in rises.items() if p <= level}
        suspects = sorted((v for v in suspects if v not in needed), key=lambda v: alone[v].mean())
        least = _block(suspects, 1, state.kept, masks, place)
        if not least:
            break
        block = _block(suspects, max(len(suspects) // BLOCK, 1), state.kept, masks, place)
        dropped, without = least, alone[least[0]]
        if len(block) > 1:
            [together] = losses([state.kept - set(block)])
            state.n_trials += 1
            if not state.harmed(together, level):
                dropped, without = block, together
        state.drop(dropped, without)
        suspects = [v for v in suspects if v in state.kept]
    return needed


def _block(
    suspects: list[int],
    size: int,
    kept: frozenset[int],
    masks: NDArray[np.bool_],
    place: Mapping[int, int],
) -> list[int]:
    """Up to ``size`` suspects, each masked by a variable that would remain."""
    block: list[int] = []
    for v in suspects:
        remaining = [place[k] for k in kept if k != v and k not in block]
        if masks[remaining, place[v]].any():
            block.append(v)
        if len(block) == size:
            break
    # a later member may have been the only masker of an earlier one
    while block:
        remaining = [place[k] for k in kept if k not in block]
        unmasked = [v for v in block if not masks[remaining, place[v]].any()]
        if not unmasked:
            break
        block = [v for v in block if v not in unmasked]
    return block


def _masker(j: int, kept: list[int], masking: Masking, masks: NDArray[np.bool_]) -> int:
    """The kept variable that masks j most, one whose masking is significant if there is any."""
    best = max(kept, key=lambda i: (masks[i, j], masking.score[i, j], -i))
    return masking.variables[best]
