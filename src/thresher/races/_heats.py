"""Which rows a race asks for, heat by heat."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._judge import LossSource
from ._loop import row_blocks
from ._subsamples import Subsamples

__all__ = ["Heats", "heats_of"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


class Heats(ABC):
    """The heats of one race.

    Attributes
    ----------
    n_rows : int or None
        How many rows there are in all, if each comes once and has but one loss.
    look_within : bool
        Whether anyone may leave after a row in the middle of a heat.
    """

    n_rows: int | None = None
    look_within: bool = True

    def __init__(self, source: LossSource):
        self.source = source

    @abstractmethod
    def __len__(self) -> int:
        """How many there are at most."""

    @abstractmethod
    def losses(self, candidates: Sequence[Any], heat: int) -> FloatArray:
        """Losses of shape (n_candidates, n_rows of the heat)."""

    @abstractmethod
    def rows(self, heat: int) -> IntArray:
        """The rows of a heat."""


class RowHeats(Heats):
    """Blocks of rows in random order, in cross-validation."""

    def __init__(self, source: LossSource, rng: np.random.Generator, first: int):
        super().__init__(source)
        self._blocks = list(row_blocks(rng.permutation(source.held_out), first, source.growth))
        self.n_rows = len(source.held_out)

    def __len__(self) -> int:
        return len(self._blocks)

    def losses(self, candidates: Sequence[Any], heat: int) -> FloatArray:
        """Ask for a block."""
        return self.source.losses(candidates, self._blocks[heat])

    def rows(self, heat: int) -> IntArray:
        """Return a block."""
        return self._blocks[heat]


class PartHeats(Heats):
    """Folds in random order, each of which costs a fit."""

    look_within = False

    def __init__(self, source: LossSource, parts: Sequence[IntArray], rng: np.random.Generator):
        super().__init__(source)
        self._parts = parts
        self._order = rng.permutation(len(parts))
        self.n_rows = sum(map(len, parts))

    def __len__(self) -> int:
        return len(self._order)

    def losses(self, candidates: Sequence[Any], heat: int) -> FloatArray:
        """Ask for a fold."""
        return self.source.part_losses(candidates, int(self._order[heat]))

    def rows(self, heat: int) -> IntArray:
        """Return the rows of a fold."""
        return self._parts[int(self._order[heat])]


class SampleHeats(Heats):
    """Rows predicted from samples of the others that grow, each drawn when its turn comes."""

    def __init__(self, source: LossSource, plan: Subsamples, rng: np.random.Generator):
        super().__init__(source)
        self._samples = plan.over(source.held_out, int(rng.integers(2**62)))

    def __len__(self) -> int:
        return len(self._samples)

    def losses(self, candidates: Sequence[Any], heat: int) -> FloatArray:
        """Learn from a sample, and test."""
        tested, train = self._samples.draw(heat)
        return self.source.sample_losses(candidates, tested, train)

    def rows(self, heat: int) -> IntArray:
        """Return the rows that are tested."""
        return self._samples.tested(heat)


def heats_of(
    source: LossSource, rng: np.random.Generator, first: int, subsamples: Subsamples | None
) -> Heats:
    """Choose heats: samples if wanted, else folds where they cost a fit, else rows."""
    if subsamples is not None:
        return SampleHeats(source, subsamples, rng)
    if source.parts is not None:
        return PartHeats(source, source.parts, rng)
    return RowHeats(source, rng, first)
