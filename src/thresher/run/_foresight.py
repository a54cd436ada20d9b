"""Losses judged before anyone asked for them, or asked for again."""

from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import Subset

__all__ = ["Foresight"]

FloatArray = NDArray[np.float64]
Fetch = Callable[[Sequence[Subset]], FloatArray]

#: Losses held at most; what was used longest ago is forgotten first.
_MAX_CELLS = 4_000_000


class Foresight:
    """Remembers the losses of subsets on parts of the rows, those judged ahead of time included.

    Where a loss costs a fit, workers would idle while one subset is judged after the other. The
    next ones can be judged along with it if it is known what they will be.
    """

    def __init__(self) -> None:
        self._losses: OrderedDict[tuple[Subset, int], FloatArray] = OrderedDict()
        self._asked: set[int] = set()  # hashes: wide subsets are too large to be kept for ever
        self._n_cells = 0

    def ask(
        self, subsets: Sequence[Subset], part: int, ahead: Sequence[Subset], fetch: Fetch
    ) -> tuple[FloatArray, int]:
        """Losses of subsets on a part, and for how many of them this is the first time.

        Parameters
        ----------
        subsets : sequence of subsets
            Whose losses are wanted.
        part : int
            Which part of the rows; -1 for all.
        ahead : sequence of subsets
            What may be wanted next, and is fetched along if anything must be fetched.
        fetch : callable
            From subsets to losses of shape (n_subsets, n_rows).
        """
        if any((subset, part) not in self._losses for subset in subsets):
            wanted = dict.fromkeys([*subsets, *ahead])
            missing = [subset for subset in wanted if (subset, part) not in self._losses]
            for subset, losses in zip(missing, fetch(missing), strict=True):
                self._losses[subset, part] = losses
                self._n_cells += len(losses)
        found, n_new = [], 0
        for subset in subsets:
            self._losses.move_to_end((subset, part))
            found.append(self._losses[subset, part])
            key = hash((subset, part))
            n_new += key not in self._asked
            self._asked.add(key)
        self._forget()
        return np.array(found), n_new

    def known(self, subset: Subset, n_parts: int) -> dict[int, FloatArray]:
        """Losses of a subset on the parts that were asked for, by part.

        Not those that were judged ahead only: which they are depends on the number of workers.
        """
        return {
            part: self._losses[subset, part]
            for part in range(n_parts)
            if (subset, part) in self._losses and hash((subset, part)) in self._asked
        }

    def _forget(self) -> None:
        while self._n_cells > _MAX_CELLS and len(self._losses) > 1:
            # still no news if asked for again: what is forgotten depends on what was judged ahead
            _, losses = self._losses.popitem(last=False)
            self._n_cells -= len(losses)
