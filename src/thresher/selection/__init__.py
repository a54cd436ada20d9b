"""The result of every selector: a verdict with evidence for each column, and how it came about."""

from ._selection import Selection
from ._text import printable, without_nan
from ._validation import Interval, Stability, Validation
from ._verdict import Cost, Kind, Verdict

__all__ = [
    "Cost",
    "Interval",
    "Kind",
    "Selection",
    "Stability",
    "Validation",
    "Verdict",
    "printable",
    "without_nan",
]
