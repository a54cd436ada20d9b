"""Choose a size: the smallest one that is shown to predict as well as the best one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from thresher.stats import (
    CONFIDENCE,
    TOLERANCE,
    Sufficiency,
    Sufficient,
    allowed_rise,
    sufficiency,
)

__all__ = ["Choice", "SizeLoss", "choose_size"]

FloatArray = NDArray[np.float64]
#: By learner, then by size: the loss of each row.
Losses = Mapping[str, Mapping[int, FloatArray]]

#: Largest rise of the mean loss over that with all variables, as a share, for a learner that does
#: not decide: beyond it, the learner starves.
STARVED = 0.15


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
        Loss of the best size plus the lower and the upper bound of the rise over it.
    at_most : float
        Upper bound of the rise as a share of the best loss; infinite if another learner starves.
    verdict : {"enough", "not enough", "cannot tell"}
        Whether the size is shown to predict as well as the best one. "Not enough" as well if
        another learner starves.
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
        The learner whose losses decide: of several, the one with the lowest loss of any size.
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
    n_train: float,
    *,
    tolerance: float = TOLERANCE,
    confidence: float = CONFIDENCE,
    most: int | None = None,
    rival: Mapping[str, FloatArray] | None = None,
) -> Choice:
    """Choose the smallest size that is enough.

    Parameters
    ----------
    losses : mapping
        By learner, then by size: the losses of the same rows. The largest size has all variables.
    n_train : float
        Number of rows that each model learned from.
    tolerance : float
        Largest rise of the mean loss, as a share of the best size's loss; see `allowed_rise`.
    confidence : float
        Of each bound by itself.
    most : int, optional
        The largest size that may be chosen. Where none up to it is enough, it is the one with the
        lowest loss among them.
    rival : mapping, optional
        For each learner, losses of the best set of another path. Where they are lower than those of
        the best size, sizes are compared with them.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> noise = rng.normal(0.0, 0.01, (3, 400)) + 1
    >>> choice = choose_size(
    ...     {"trees": {0: noise[0] + 1, 1: noise[1], 2: noise[2]}}, 320, tolerance=0.05,
    ...     confidence=0.95,
    ... )
    >>> choice.chosen, [own.verdict for own in choice.sizes]
    (1, ['not enough', 'enough', 'enough'])
    """
    lowest = {name: _lowest(by_size) for name, by_size in losses.items()}
    reference = {name: by_size[lowest[name]] for name, by_size in losses.items()}
    for name, own in (rival or {}).items():
        if own.mean() < reference[name].mean():
            reference[name] = own
    learner = min(reference, key=lambda name: reference[name].mean())
    best = lowest[learner]
    nothing = float(losses[learner][0].mean()) if 0 in losses[learner] else inf
    allowed = allowed_rise(float(reference[learner].mean()), nothing, tolerance)
    sizes = []
    for size in sorted(losses[learner]):
        found = sufficiency(
            losses[learner][size], reference[learner], n_train,
            allowed=allowed, confidence=confidence,
        )  # fmt: skip
        others = [by_size for name, by_size in losses.items() if name != learner]
        sizes.append(_entry(size, found, starved=any(_is_starved(o, size) for o in others)))
    within = [own for own in sizes if most is None or own.size <= most]
    enough = [own.size for own in within if own.verdict == "enough"]
    chosen = min(enough) if enough else min(within, key=lambda own: (own.loss, own.size)).size
    return Choice(tuple(sizes), chosen, best, learner)


def _lowest(by_size: Mapping[int, FloatArray]) -> int:
    return min(by_size, key=lambda size: (by_size[size].mean(), size))


def _is_starved(by_size: Mapping[int, FloatArray], size: int) -> bool:
    """Whether a learner that does not decide loses too much at a size."""
    everything = by_size[max(by_size)].mean()
    nothing = by_size[min(by_size)].mean()
    learned = nothing > everything
    return bool(learned and by_size[size].mean() > (1 + STARVED) * everything)


def _entry(size: int, found: Sufficiency, *, starved: bool) -> SizeLoss:
    rise = max(found.high, 0.0)
    at_most = rise / found.best if found.best > 0 else (inf if rise > 0 else 0.0)
    verdict = found.verdict
    if starved:
        at_most, verdict = inf, "not enough"
    return SizeLoss(
        size, found.loss, found.best + found.low, found.best + found.high, at_most, verdict
    )


def sizes_to_judge(sizes: Sequence[int], most: int) -> list[int]:
    """Thin out sizes for slow learners; keep both ends, and others evenly spaced."""
    if len(sizes) <= most:
        return list(sizes)
    places = np.unique(np.linspace(0, len(sizes) - 1, most).round().astype(int))
    return [sizes[k] for k in places.tolist()]
