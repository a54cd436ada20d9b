"""Filters: columns judged by statistics of the table, before any learner sees them."""

from ._base import BaseFilter, Findings, Judgement
from ._cfs import CFS
from ._fcbf import FCBF
from ._gain_ratio import GainRatio
from ._gram_schmidt import GramSchmidt
from ._mdl_discretizer import MDLDiscretizer
from ._relieff import ReliefF, RReliefF

__all__ = [
    "CFS",
    "FCBF",
    "GainRatio",
    "GramSchmidt",
    "MDLDiscretizer",
    "RReliefF",
    "ReliefF",
    "BaseFilter",
    "Findings",
    "Judgement",
]
