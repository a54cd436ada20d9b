"""An evaluator that writes down what took long, and does not work it out twice."""

import time
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import Evaluator, Flips, Removals, Subset
from thresher.journal import Entry, Scope

__all__ = ["recalling"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Seconds from which on an answer is dear: to look it up takes a hundredth of that.
_DEAR = 0.02
#: Bytes that are worth a second of work.
_WORTH = 20e6


def recalling(evaluator: Evaluator) -> Evaluator:
    """Let an evaluator use its journal, if it has one and does not do so by itself."""
    if not evaluator.journal or evaluator.journals_tasks:
        return evaluator
    return cast(Evaluator, _Recalling(evaluator, evaluator.journal))


class _Recalling:
    """Answers what it finds in the journal, and asks for the rest.

    Fast evaluators answer most questions faster than a file can be read, so only what took long is
    written down. An answer that is recalled counts as many losses and fits as it did when it was
    worked out: whoever looks at the result cannot tell the difference.
    """

    def __init__(self, evaluator: Evaluator, journal: Scope):
        self._evaluator = evaluator
        self._journal = journal
        self._recalled_losses = 0
        self._recalled_fits = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._evaluator, name)

    @property
    def n_losses(self) -> int:
        return self._evaluator.n_losses + self._recalled_losses

    @property
    def n_fits(self) -> int:
        return self._evaluator.n_fits + self._recalled_fits

    def losses(self, subsets: Sequence[Subset], rows: IntArray | None = None) -> FloatArray:
        key = _family(subsets), rows
        return self._ask(lambda: self._evaluator.losses(subsets, rows), "losses", key)

    def part_losses(self, subsets: Sequence[Subset], part: int) -> FloatArray:
        key = _family(subsets), part
        return self._ask(
            lambda: self._evaluator.part_losses(subsets, part), "losses of a part", key
        )

    def sample_losses(
        self, subsets: Sequence[Subset], rows: IntArray, train: IntArray
    ) -> FloatArray:
        key = _family(subsets), rows, train
        return self._ask(
            lambda: self._evaluator.sample_losses(subsets, rows, train), "losses of a sample", key
        )

    def draw_losses(self, masks: NDArray[np.bool_], units: IntArray) -> FloatArray:
        return self._ask(
            lambda: self._evaluator.draw_losses(masks, units), "losses of draws", (masks, units)
        )

    def _ask(self, work: Callable[[], FloatArray], what: str, key: tuple[Any, ...]) -> FloatArray:
        known = self._journal.recall(what, *key)
        if known is not None:
            self._recalled_losses += known.note["losses"]
            self._recalled_fits += known.note["fits"]
            return known.arrays[0]
        losses, fits = self._evaluator.n_losses, self._evaluator.n_fits
        started = time.perf_counter()
        found = work()
        seconds = time.perf_counter() - started
        if seconds >= _DEAR and found.nbytes <= seconds * _WORTH:
            done = {
                "losses": self._evaluator.n_losses - losses,
                "fits": self._evaluator.n_fits - fits,
            }
            self._journal.note(Entry((found,), done), what, *key)
        return found


def _family(subsets: Sequence[Subset]) -> Any:
    """What identifies a family of subsets, without spelling them all out."""
    if isinstance(subsets, Flips):
        return "flips", subsets.base, np.asarray(subsets.variables, dtype=np.int64)
    if isinstance(subsets, Removals):
        return "removals", subsets.base, subsets.removed
    return [frozenset(subset) for subset in subsets]
