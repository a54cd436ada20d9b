"""The result of every selector: a verdict with evidence for each column, and how it came about."""

from ._path import Path, PathPoint
from ._selection import Selection
from ._text import printable, without_nan
from ._validation import Interval, Stability, Validation
from ._verdict import Cost, Kind, Verdict
from ._view import GOALS, View

__all__ = [
    "GOALS",
    "Cost",
    "Interval",
    "Kind",
    "Path",
    "PathPoint",
    "Selection",
    "Stability",
    "Validation",
    "Verdict",
    "View",
    "printable",
    "without_nan",
]
