"""Pages and pictures from the plain dicts of `Selection.to_dict`: summarise, then render."""

from ._claim import Claim, claim, says_more
from ._columns import Column
from ._curve import LossCurve, Point
from ._importances import Bar, Importances
from ._masking import Cluster, MaskingMatrix, StandIn
from ._path import PathSummary, SizePoint
from ._plots import plot
from ._render import render_page
from ._stability import StabilitySummary
from ._summarise import Page, summarise
from ._validation import ValidationSummary

__all__ = [
    "Bar",
    "Claim",
    "Cluster",
    "Column",
    "Importances",
    "LossCurve",
    "MaskingMatrix",
    "Page",
    "PathSummary",
    "Point",
    "SizePoint",
    "StabilitySummary",
    "StandIn",
    "ValidationSummary",
    "claim",
    "plot",
    "render_page",
    "says_more",
    "summarise",
]
