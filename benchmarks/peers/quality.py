"""How well a selection matches the truth about generated data: pure functions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Quality:
    """What a selection got right and wrong.

    Parameters
    ----------
    precision, recall, f1 : float
        Of the relevant columns, a stand-in counting as the column that it stands in for. 0 where
        nothing was selected.
    redundant : float or None
        Share of the redundant columns that was kept without standing in for anything; None where
        there are none.
    noise : int
        Irrelevant columns that were kept.
    size : int
        Columns that were selected.
    """

    precision: float
    recall: float
    f1: float
    redundant: float | None
    noise: int
    size: int


def stand_ins(
    redundant: Mapping[int, Sequence[int]], classes: Sequence[Sequence[int]] = ()
) -> dict[int, int]:
    """Return which redundant column may replace which relevant one.

    Where the generator names classes of columns that replace each other without loss, their members
    do, and the noisy descendants of a class do not. Elsewhere a column that repeats one single
    relevant column does; a mixture of several replaces none of them.

    >>> stand_ins({5: (0,), 6: (0, 1)})
    {5: 0}
    """
    if not classes:
        return {column: sources[0] for column, sources in redundant.items() if len(sources) == 1}
    return {
        column: sources[0]
        for column, sources in redundant.items()
        if any(column in group and sources[0] in group for group in classes)
    }


def judge(
    chosen: Iterable[int],
    relevant: Sequence[int],
    redundant: Mapping[int, Sequence[int]],
    irrelevant: Sequence[int],
    classes: Sequence[Sequence[int]] = (),
) -> Quality:
    """Compare the chosen columns with the truth.

    Of a relevant column and its stand-ins the first that was chosen counts as a hit, the relevant
    one before the others; further ones count as false.

    >>> judge([0, 5, 9], [0, 1], {5: (0,)}, [9]).precision
    0.3333333333333333
    """
    picked = set(chosen)
    replaces = stand_ins(redundant, classes)
    hits = {column: column for column in picked.intersection(relevant)}
    for column in sorted(picked.intersection(replaces)):
        hits.setdefault(replaces[column], column)
    n_hits, n_picked = len(hits), len(picked)
    precision = n_hits / n_picked if n_picked else 0.0
    recall = n_hits / len(relevant) if relevant else 0.0
    wasted = picked.intersection(redundant).difference(hits.values())
    return Quality(
        precision=precision,
        recall=recall,
        f1=2 * n_hits / (n_picked + len(relevant)) if n_hits else 0.0,
        redundant=len(wasted) / len(redundant) if redundant else None,
        noise=len(picked.intersection(irrelevant)),
        size=n_picked,
    )
