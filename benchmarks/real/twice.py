"""Whether two seeds choose the same columns, interchangeable ones counting as the same."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from .splits import Split

if TYPE_CHECKING:
    from .run import Answer

OTHER_SEEDS = (101, 102)
#: Training rows that are needed.
ENOUGH = 1000


def enough_rows(split: Split) -> bool:
    return len(split.y_train) >= ENOUGH


def jaccard(
    first: Iterable[int], second: Iterable[int], clusters: Iterable[Sequence[int]] = ()
) -> float:
    """Return how many columns two sets share, as a part of those in either.

    Columns of one cluster count as one column, and so do those of clusters that overlap.

    >>> jaccard([0, 1], [0, 2])
    0.3333333333333333
    >>> jaccard([0, 1], [0, 2], [(1, 3), (3, 2)])
    1.0
    """
    groups: list[set[int]] = []
    for cluster in map(set, clusters):
        apart = [group for group in groups if not group & cluster]
        groups = [*apart, cluster.union(*(group for group in groups if group & cluster))]
    stands_for = {column: min(group) for group in groups for column in group}
    one, other = ({stands_for.get(column, column) for column in each} for each in (first, second))
    return len(one & other) / len(one | other) if one | other else 1.0


def agreement(answers: Sequence["Answer"]) -> float | None:
    """Return the mean Jaccard index of all pairs of answers; None without two of them.

    The clusters that either of a pair names hold.
    """
    given = [answer for answer in answers if not answer.problem]
    if len(given) < 2:
        return None
    return float(
        np.mean(
            [
                jaccard(a.columns, b.columns, (*a.clusters, *b.clusters))
                for a, b in combinations(given, 2)
            ]
        )
    )
