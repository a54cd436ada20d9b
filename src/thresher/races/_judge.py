"""The interface of all judges."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import Subset

from ._contest import Contest, Outcome

__all__ = ["Judge", "LossSource"]


class LossSource(Protocol):
    """What a judge may ask: an evaluator, or one that someone is watching."""

    @property
    def n_blocks(self) -> int:
        """Rows (or folds) that losses are paired over."""

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """How much each of them counts."""

    def losses(
        self, subsets: Sequence[Subset], rows: NDArray[np.intp] | None = None
    ) -> NDArray[np.float64]:
        """Held-out losses, of shape (n_subsets, n_blocks or len(rows))."""


class Judge(ABC):
    """Decides contests. Whatever it draws at random comes from ``rng``."""

    @abstractmethod
    def decide(self, contest: Contest, evaluator: LossSource, rng: np.random.Generator) -> Outcome:
        """Find the candidate with the lowest loss."""

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({settings})"
