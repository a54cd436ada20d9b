"""Losses of single rows that are known already: races meet the same subsets again and again."""

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import Evaluator, Subset, some_of

__all__ = ["RowMemory"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Losses held at most; the subset that was asked for longest ago is forgotten first.
_MAX_CELLS = 4_000_000
#: Latest draws looked through for subsets that were drawn on several rows, and how many these are.
_LATEST, _SEVERAL = 20_000, 5


class RowMemory:
    """Asks an evaluator only for what it has not said yet.

    Parameters
    ----------
    n_blocks : int
        Rows of the table.
    """

    def __init__(self, n_blocks: int):
        self._n_blocks = n_blocks
        self._max_subsets = max(2, _MAX_CELLS // max(1, n_blocks))
        self._known: OrderedDict[Subset, FloatArray] = OrderedDict()
        self._noted: list[tuple[NDArray[np.bool_], IntArray, FloatArray]] = []

    def ask(
        self, evaluator: Evaluator, subsets: Sequence[Subset], rows: IntArray
    ) -> tuple[FloatArray, int]:
        """Losses of shape (n_subsets, len(rows)), and how many of them are new."""
        self._read_notes()
        family = list(subsets)
        known = [self._recall(subset) for subset in family]
        missing = np.array([np.isnan(losses[rows]) for losses in known])
        wanted = np.flatnonzero(missing.any(axis=0))
        askers = np.flatnonzero(missing.any(axis=1))
        n_new = len(wanted) * len(askers)
        if n_new:
            found = evaluator.losses(some_of(subsets, askers.tolist()), rows[wanted])
            for k, losses in zip(askers, found, strict=True):
                known[k][rows[wanted]] = losses
        return np.array([losses[rows] for losses in known]), n_new

    def n_missing(self, subsets: Sequence[Subset], rows: IntArray) -> int:
        """How many losses would have to be computed to answer."""
        self._read_notes()
        known = [self._known.get(subset) for subset in subsets]
        missing = np.array(
            [np.ones(len(rows), bool) if own is None else np.isnan(own[rows]) for own in known]
        )
        return int(missing.any(axis=0).sum() * missing.any(axis=1).sum())

    def known(self, subset: Subset) -> FloatArray | None:
        """Losses of a subset, NaN where they are not known; None if none is."""
        losses = self._known.get(subset)
        return None if losses is None or np.isnan(losses).all() else losses

    def note(self, masks: NDArray[np.bool_], units: IntArray, losses: FloatArray) -> None:
        """Take down losses of subsets on single rows; most of them will never be asked for."""
        self._noted.append((masks, units, losses))
        if sum(len(noted[1]) for noted in self._noted) > 2 * _LATEST:
            self._noted = [self._latest()]

    def _latest(self) -> tuple[NDArray[np.bool_], IntArray, FloatArray]:
        masks, units, losses = (
            np.concatenate(parts)[-_LATEST:] for parts in zip(*self._noted, strict=True)
        )
        return masks, units, losses

    def _read_notes(self) -> None:
        if not self._noted:
            return
        masks, units, losses = self._latest()
        self._noted = []
        _, inverse, counts = np.unique(
            np.packbits(masks, axis=1), axis=0, return_inverse=True, return_counts=True
        )
        for which in np.flatnonzero(counts >= _SEVERAL):
            mine = np.flatnonzero(inverse == which)
            subset = frozenset(np.flatnonzero(masks[mine[0]]).tolist())
            self._recall(subset)[units[mine]] = losses[mine]

    def _recall(self, subset: Subset) -> FloatArray:
        losses = self._known.pop(subset, None)
        if losses is None:
            losses = np.full(self._n_blocks, np.nan)
        self._known[subset] = losses
        while len(self._known) > self._max_subsets:
            self._known.popitem(last=False)
        return losses
