"""Choose a size: the smallest one that is shown to predict as well as the best one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from thresher.stats import (
    CONFIDENCE,
    ESTIMATED,
    TOLERANCE,
    AllowedRise,
    Sufficiency,
    Sufficient,
    allowed_rise,
    sufficiency,
)

__all__ = ["Choice", "Losses", "Reference", "SizeLoss", "choose_size", "reference_of"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
#: By learner, then by size: the loss of each row.
Losses = Mapping[str, Mapping[int, FloatArray]]


@dataclass(frozen=True, eq=False)
class Reference:
    """What sets are compared with.

    Parameters
    ----------
    learner : str
        The learner whose losses decide: the one that predicts best.
    best : array of shape (n_rows,)
        Its losses with the best set: of the size that the other folds found to be best, or with
        all variables if that is lower.
    everything : mapping of str to array of shape (n_rows,)
        For each learner, losses with all variables.
    nothing : mapping of str to array of shape (n_rows,)
        For each learner, losses with the fewest variables.
    """

    learner: str
    best: FloatArray
    everything: Mapping[str, FloatArray]
    nothing: Mapping[str, FloatArray]

    def allowed(self, tolerance: float) -> AllowedRise:
        """How far losses may rise over those of the best set."""
        nothing = float(self.nothing[self.learner].mean())
        return allowed_rise(float(self.best.mean()), nothing, tolerance)


def reference_of(losses: Losses, fold_of_row: IntArray) -> Reference:
    """Find the best set of a path that starts from all variables.

    The lowest of many losses is too low, and a size that has it by luck would be compared with
    itself. So other folds choose the size whose losses count for a fold.

    Parameters
    ----------
    losses : mapping
        By learner, then by size: the losses of the same rows. The largest size has all variables.
    fold_of_row : int array of shape (n_rows,)
        The fold that holds each row out.

    Examples
    --------
    >>> losses = {"trees": {0: np.full(4, 3.0), 1: np.array([1.0, 1, 2, 2]), 2: np.full(4, 1.75)}}
    >>> reference_of(losses, np.array([0, 0, 1, 1])).best.tolist()
    [1.75, 1.75, 1.75, 1.75]
    """
    everything = {name: by_size[max(by_size)] for name, by_size in losses.items()}
    best = {}
    for name, by_size in losses.items():
        chosen_by_others = _chosen_by_others(by_size, fold_of_row)
        best[name] = min(everything[name], chosen_by_others, key=lambda own: own.mean())
    learner = min(best, key=lambda name: best[name].mean())
    nothing = {name: by_size[min(by_size)] for name, by_size in losses.items()}
    return Reference(learner, best[learner], everything, nothing)


def _chosen_by_others(by_size: Mapping[int, FloatArray], fold_of_row: IntArray) -> FloatArray:
    losses = np.empty(len(fold_of_row))
    for fold in range(int(fold_of_row.max()) + 1):
        is_held = fold_of_row == fold
        best = min(by_size, key=lambda size: (by_size[size][~is_held].mean(), size))
        losses[is_held] = by_size[best][is_held]
    return losses


@dataclass(frozen=True)
class SizeLoss:
    """How well sets of one size predict.

    Parameters
    ----------
    size : int
        Variables in the set.
    loss : float
        Mean loss of the deciding learner on held-out rows.
    low, high : float
        Loss of the best set plus the lower bound of the rise over it, and plus the upper bound of
        the rise over it or over all variables, whichever is higher.
    at_most : float
        That upper bound as a share of the best loss; infinite if another learner starves.
    verdict : {"enough", "not enough", "cannot tell"}
        Whether the size is shown to predict as well as the best set and as all variables. "Not
        enough" as well if another learner starves.
    """

    size: int
    loss: float
    low: float
    high: float
    at_most: float
    verdict: Sufficient


@dataclass(frozen=True)
class Choice:
    """All sizes, and the chosen one.

    Parameters
    ----------
    sizes : tuple of SizeLoss
        In ascending order.
    chosen, best : int
        The smallest size that is enough, and the one of the lowest loss.
    learner : str
        The learner whose losses decide.
    """

    sizes: tuple[SizeLoss, ...]
    chosen: int
    best: int
    learner: str

    def at(self, size: int) -> SizeLoss:
        """Return the entry of a size that was tried."""
        return next(own for own in self.sizes if own.size == size)


def choose_size(
    losses: Losses,
    reference: Reference,
    n_train: float,
    *,
    tolerance: float = TOLERANCE,
    confidence: float = CONFIDENCE,
    most: int | None = None,
) -> Choice:
    """Choose the smallest size that is enough: beside the best set, and beside all variables.

    Parameters
    ----------
    losses : mapping
        By learner, then by size: the losses of the same rows. The largest size has all variables.
    reference : Reference
        What to compare with.
    n_train : float
        Number of rows that each model learned from.
    tolerance : float
        Largest rise of the mean loss, as a share of the best set's loss; see `allowed_rise`.
    confidence : float
        Of each bound by itself.
    most : int, optional
        The largest size that may be chosen.

    Returns
    -------
    Choice
        Where no size is enough, all variables stay, unless they are shown to be worse than the best
        set, or are too many: then it is the size with the lowest loss.

    Examples
    --------
    >>> noise = np.random.default_rng(0).normal(0.0, 0.01, (3, 400)) + 1
    >>> losses = {"trees": {0: noise[0] + 1, 1: noise[1], 2: noise[2]}}
    >>> choice = choose_size(losses, reference_of(losses, np.arange(400) % 5), 320)
    >>> choice.chosen, [own.verdict for own in choice.sizes]
    (1, ['not enough', 'enough', 'enough'])
    """
    own_losses = losses[reference.learner]
    allowed = reference.allowed(tolerance)
    sizes = []
    for size in sorted(own_losses):
        beside_best, beside_all = (
            sufficiency(own_losses[size], other, n_train, allowed=allowed, confidence=confidence)
            for other in (reference.best, reference.everything[reference.learner])
        )
        starved = any(
            _starves(by_size[size], reference.everything[name], reference.nothing[name], tolerance)
            for name, by_size in losses.items()
            if name != reference.learner
        )
        sizes.append(_entry(size, beside_best, beside_all, starved=starved))
    within = [own for own in sizes if most is None or own.size <= most]
    enough = [own.size for own in within if own.verdict == "enough"]
    lowest = min(within, key=lambda own: (own.loss, own.size)).size
    if enough:
        chosen = min(enough)
    elif within[-1] is sizes[-1] and sizes[-1].verdict == "cannot tell":
        chosen = sizes[-1].size
    else:
        chosen = lowest
    best = min(sizes, key=lambda own: (own.loss, own.size)).size
    return Choice(tuple(sizes), chosen, best, reference.learner)


def _starves(
    losses: FloatArray, everything: FloatArray, nothing: FloatArray, tolerance: float
) -> bool:
    """Whether a learner that does not decide loses more than is allowed, as far as is estimated."""
    with_all = everything.mean()
    largest = (1 + ESTIMATED * tolerance) * with_all
    return bool(nothing.mean() > with_all and losses.mean() > largest)


def _entry(
    size: int, beside_best: Sufficiency, beside_all: Sufficiency, *, starved: bool
) -> SizeLoss:
    """What both comparisons say together: the one that says less counts."""
    best = beside_best.best
    high = max(beside_best.high, beside_all.high)
    at_most = max(high, 0.0) / best if best > 0 else (inf if high > 0 else 0.0)
    verdicts = {beside_best.verdict, beside_all.verdict}
    verdict: Sufficient = next(
        word for word in ("not enough", "cannot tell", "enough") if word in verdicts
    )
    if starved:
        at_most, verdict = inf, "not enough"
    return SizeLoss(size, beside_best.loss, best + beside_best.low, best + high, at_most, verdict)


def sizes_to_judge(sizes: Sequence[int], most: int) -> list[int]:
    """Thin out sizes for slow learners; keep both ends, and others evenly spaced."""
    if len(sizes) <= most:
        return list(sizes)
    places = np.unique(np.linspace(0, len(sizes) - 1, most).round().astype(int))
    return [sizes[k] for k in places.tolist()]
