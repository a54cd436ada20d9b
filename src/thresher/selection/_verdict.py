"""What was decided about each column, and what that cost."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["Cost", "Kind", "Verdict"]

Kind = Literal["relevant", "supporting", "redundant", "irrelevant"]


@dataclass(frozen=True)
class Verdict:
    """What was decided about one input column, and why.

    Parameters
    ----------
    name : str
        The column.
    kind : {"relevant", "supporting", "redundant", "irrelevant"}
        The decision. Relevant columns are selected and proved to matter, by a test or by the
        losses of a search. Supporting columns are selected, too: they are not proved to matter by
        themselves, but held-out loss rises without them. All others are not selected.
    score : float or None
        How much it matters, on the scale of the method; higher is better.
    p_value : float or None
        Of the hypothesis that the column does not matter, where the method tests one.
    masked_by : str or None
        For redundant columns: the selected column that says the same, if there is one.
    step : int or None
        Step of the trace at which this was decided; in a trace of several stages, of the first one,
        which gave the score.
    reason : str
        The decision in words.
    """

    name: str
    kind: Kind
    score: float | None = None
    p_value: float | None = None
    masked_by: str | None = None
    step: int | None = None
    reason: str = ""

    @property
    def is_selected(self) -> bool:
        """Whether a column with this verdict is selected."""
        return self.kind in ("relevant", "supporting")


@dataclass(frozen=True)
class Cost:
    """What a selection has cost: subsets judged, row losses computed, seconds."""

    evaluations: int = 0
    losses: int = 0
    seconds: float = 0.0
