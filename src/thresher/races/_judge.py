"""The interface of all judges."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ._contest import Contest, Outcome

__all__ = ["Judge", "LossSource", "scale_of"]


class LossSource(Protocol):
    """What a judge may ask: an evaluator, or one that someone is watching."""

    @property
    def unit(self) -> str:
        """What losses are paired over: "row" or "fold"."""

    @property
    def n_blocks(self) -> int:
        """How many rows or folds there are."""

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """How much each of them counts."""

    @property
    def held_out(self) -> NDArray[np.intp]:
        """Those that are held out at least once."""

    @property
    def parts(self) -> Sequence[NDArray[np.intp]] | None:
        """Rows whose losses come together, fold by fold; None if each can be asked for alone."""

    @property
    def growth(self) -> float:
        """Rows to ask for at once, as a share of those seen."""

    @property
    def loss_span(self) -> float | None:
        """Largest possible difference between two losses; None if there is no limit."""

    def losses(
        self, candidates: Sequence[Any], rows: NDArray[np.intp] | None = None, /
    ) -> NDArray[np.float64]:
        """Held-out losses, of shape (n_candidates, n_blocks or len(rows)).

        Candidates are subsets of variables, or whatever else the source knows the losses of.
        """

    def part_losses(self, candidates: Sequence[Any], part: int, /) -> NDArray[np.float64]:
        """Losses of the rows of one part, of shape (n_candidates, len(parts[part]))."""

    def sample_losses(
        self, candidates: Sequence[Any], rows: NDArray[np.intp], train: NDArray[np.intp], /
    ) -> NDArray[np.float64]:
        """Losses of rows predicted from the rows ``train``, of shape (n_candidates, len(rows))."""

    def draw_losses(self, masks: NDArray[np.bool_], units: NDArray[np.intp]) -> NDArray[np.float64]:
        """Loss of each subset on its own row (mean loss on its own part, where there are parts)."""


class Judge(ABC):
    """Decides contests. Whatever it draws at random comes from ``rng``."""

    @abstractmethod
    def decide(self, contest: Contest, evaluator: LossSource, rng: np.random.Generator) -> Outcome:
        """Find the candidate with the lowest loss."""

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({settings})"


def scale_of(source: LossSource) -> NDArray[np.float64] | None:
    """Factors that turn plain means over random rows into weighted ones."""
    if source.weights is None:
        return None
    return np.asarray(source.weights / source.weights[source.held_out].mean())
