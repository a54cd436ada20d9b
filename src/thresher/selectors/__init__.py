"""Selectors in scikit-learn's manner: thin classes over strategies, judges and evaluators."""

from ._account import library_versions
from ._ace import ACE
from ._ace_rows import outcome_of
from ._journalling import data_header
from ._names import load, named, resolve
from ._oblivion import Oblivion
from ._parameters import check_parameters
from ._race_search import RaceSearchCV
from ._race_selector import RaceSelector
from ._racsam import RACSAM
from ._rve import RVE
from ._rvers import RVErS
from ._stepwise import Stepwise
from ._target import target_of, task_from
from ._wrapper_selector import WrapperSelector

__all__ = [
    "ACE",
    "Oblivion",
    "RaceSearchCV",
    "RACSAM",
    "RVE",
    "RVErS",
    "RaceSelector",
    "Stepwise",
    "WrapperSelector",
    "check_parameters",
    "data_header",
    "library_versions",
    "load",
    "named",
    "outcome_of",
    "resolve",
    "target_of",
    "task_from",
]
