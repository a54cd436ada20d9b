"""How well a selection does on rows it has not seen, and how far it would change with the rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Interval", "Stability", "Validation"]


@dataclass(frozen=True)
class Interval:
    """A mean, and the bounds within which the true value lies with the stated confidence."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Validation:
    """Losses on rows held out from the whole selection, which is repeated in every fold.

    Parameters
    ----------
    losses : mapping of str to Interval
        Mean loss with the columns "selected" in each fold, with "all", with equally many drawn at
        "random", and with "none", which is chance.
    differences : mapping of str to Interval
        Loss with the selected columns minus the loss with "all", "random" and "none", row by row.
    n_columns : mapping of str to float
        How many columns each of them has, on average over the folds.
    loss : str
        "zero_one" (share of wrong classes), "squared" and so on.
    learner : str
        Whose losses these are.
    n_folds, n_rows : int
        Folds, and rows held out in all of them together.
    confidence : float
        Of the intervals.
    seconds : float
        What this has cost.
    """

    losses: Mapping[str, Interval]
    differences: Mapping[str, Interval]
    n_columns: Mapping[str, float]
    loss: str
    learner: str
    n_folds: int
    n_rows: int
    confidence: float = 0.95
    seconds: float = 0.0

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "Validation":
        """Rebuild it from plain dicts."""
        intervals = {
            part: {name: Interval(**interval) for name, interval in content[part].items()}
            for part in ("losses", "differences")
        }
        return cls(**{**content, **intervals})


@dataclass(frozen=True)
class Stability:
    """How often each column is chosen when the selection is repeated on a part of the rows.

    Parameters
    ----------
    frequency : mapping of str to float
        Share of the repetitions that chose the column, for each column.
    index : Interval
        The index of Nogueira, Sechidis and Brown: 1 if all repetitions agree, about 0 if they agree
        no better than random choices of as many columns.
    sizes : tuple of int
        How many columns each repetition chose.
    share : float
        Of the rows in each repetition.
    """

    frequency: Mapping[str, float]
    index: Interval
    sizes: tuple[int, ...]
    share: float

    @property
    def n_resamples(self) -> int:
        """How often the selection was repeated."""
        return len(self.sizes)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "Stability":
        """Rebuild it from plain dicts."""
        index, sizes = Interval(**content["index"]), tuple(content["sizes"])
        return cls(**{**content, "index": index, "sizes": sizes})
