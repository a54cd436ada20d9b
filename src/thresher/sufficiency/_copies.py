"""Of chosen columns that say nearly the same, one will do if the rest is enough."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ._choice import Choice
from ._paths import PathLosses

__all__ = ["copies_in", "without_copies"]

FloatArray = NDArray[np.float64]

#: Most copies that are left out one by one, if the set is not enough without all of them.
MOST_COPIES = 8


def copies_in(chosen: Sequence[int], clusters: Sequence[Sequence[int]]) -> list[int]:
    """Chosen variables that say nearly the same as one that is needed more, the last one first.

    Examples
    --------
    >>> copies_in([4, 1, 3, 2], [[1, 2, 9], [3, 8]])
    [2]
    """
    place = {v: k for k, v in enumerate(chosen)}
    inside = (sorted((v for v in own if v in place), key=lambda v: place[v]) for own in clusters)
    copies = [v for own in inside for v in own[1:]]
    return sorted(copies, key=lambda v: -place[v])


def without_copies(
    path: PathLosses,
    choice: Choice,
    copies: Sequence[int],
    losses_of: Callable[[Sequence[int]], Mapping[str, FloatArray]],
    choose: Callable[[PathLosses], Choice],
) -> tuple[PathLosses, Choice]:
    """Drop copies from the chosen set if what is left is enough: all of them, or one by one.

    Parameters
    ----------
    path, choice
        The chosen set.
    copies : sequence of int
        Those of its variables that may go, the one that is needed least first.
    losses_of : callable
        From variables to the losses of rows, by learner.
    choose : callable
        From a path to the choice of a size.
    """

    def attempt(going: Sequence[int]) -> tuple[PathLosses, Choice] | None:
        kept = [v for v in path.order[: choice.chosen] if v not in going]
        shorter = path.without(choice.chosen, going, losses_of(kept))
        new = choose(shorter)
        is_enough = new.at(len(kept)).verdict == "enough" and new.chosen <= len(kept)
        return (shorter, new) if is_enough else None

    if not copies:
        return path, choice
    found = attempt(copies)
    if found is not None or len(copies) == 1:
        return found or (path, choice)
    found, gone = (path, choice), list[int]()
    for copy in copies[:MOST_COPIES]:
        if (shorter := attempt([*gone, copy])) is not None:
            found = shorter
            gone.append(copy)
    return found
