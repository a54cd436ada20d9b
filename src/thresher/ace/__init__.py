"""Artificial contrasts with ensembles: five stages, each a pure function with a frozen record."""

from ._elimination import Elimination, remove_masked
from ._importance import Importances, measure_importance
from ._loop import Iteration, Settings, run_ace
from ._masking import Masking, measure_masking
from ._monitor import CutShort, Monitor
from ._problem import Problem, make_problem
from ._residual import explain

__all__ = [
    "CutShort",
    "Elimination",
    "Importances",
    "Iteration",
    "Masking",
    "Monitor",
    "Problem",
    "Settings",
    "explain",
    "make_problem",
    "measure_importance",
    "measure_masking",
    "remove_masked",
    "run_ace",
]
