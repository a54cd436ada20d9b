"""Artificial contrasts with ensembles: five stages, each a pure function with a frozen record."""

from ._elimination import Elimination, Enough, remove_masked
from ._importance import Importances, measure_importance
from ._loop import Iteration, Settings, run_ace
from ._masking import Masking, measure_masking
from ._monitor import CutShort, Monitor
from ._problem import Problem, make_problem
from ._residual import explain, make_folds
from ._sampling import Population, make_sample, response_of

__all__ = [
    "CutShort",
    "Elimination",
    "Enough",
    "Importances",
    "Iteration",
    "Masking",
    "Monitor",
    "Population",
    "Problem",
    "Settings",
    "explain",
    "make_folds",
    "make_problem",
    "make_sample",
    "measure_importance",
    "measure_masking",
    "remove_masked",
    "response_of",
    "run_ace",
]
