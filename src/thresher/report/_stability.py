"""How far the selection would change with the rows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from ._columns import Column
from ._words import as_number

__all__ = ["Chosen", "StabilitySummary", "summarise_stability"]


@dataclass(frozen=True)
class Chosen:
    """How often one column was chosen."""

    name: str
    kind: str
    share: float


@dataclass(frozen=True)
class StabilitySummary:
    """What the bars and sentences of the stability need.

    Parameters
    ----------
    index, low, high : float or None
        Agreement of the repetitions, 1 if complete and about 0 if by chance, with its interval.
    words : str
        What that means.
    bars : tuple of Chosen
        Columns chosen most often.
    n_left_out : int
        Columns chosen at least once that are not among the bars.
    sizes : tuple of (int, int)
        Number of columns, and how many repetitions chose so many.
    median_size : float
        Half of the repetitions chose no more.
    n_resamples : int
        Repetitions.
    share : float
        Of the rows in each.
    """

    index: float | None
    low: float | None
    high: float | None
    words: str
    bars: tuple[Chosen, ...]
    n_left_out: int
    sizes: tuple[tuple[int, int], ...]
    median_size: float
    n_resamples: int
    share: float


def summarise_stability(
    content: Mapping[str, Any], columns: Sequence[Column], n_columns: int = 30
) -> StabilitySummary | None:
    """Read the stability, if there is one."""
    found = content.get("stability")
    if not found or not found.get("sizes"):
        return None
    chosen = [c for c in columns if c.is_selected or (c.chosen_in or 0) > 0]
    chosen.sort(key=lambda c: (-(c.chosen_in or 0.0), not c.is_selected))
    index = as_number(found["index"].get("mean"))
    sizes = [int(size) for size in found["sizes"]]
    return StabilitySummary(
        index=index,
        low=as_number(found["index"].get("low")),
        high=as_number(found["index"].get("high")),
        words=_agreement(index),
        bars=tuple(Chosen(c.name, c.kind, c.chosen_in or 0.0) for c in chosen[:n_columns]),
        n_left_out=max(len(chosen) - n_columns, 0),
        sizes=tuple(sorted(Counter(sizes).items())),
        median_size=median(sizes),
        n_resamples=len(sizes),
        share=as_number(found.get("share")) or 1.0,
    )


def _agreement(index: float | None) -> str:
    """Words for the index, at the bounds that its authors give."""
    if index is None:
        return "cannot be told: the repetitions chose no columns, or all of them"
    if index > 0.75:
        return "excellent agreement"
    if index >= 0.4:
        return "fair to good agreement"
    return "poor agreement: with other rows, other columns would be chosen"
