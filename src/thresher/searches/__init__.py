"""Search strategies: what to compare next."""

from ._backward import Backward
from ._base import Search, SearchStrategy
from ._best_first import BestFirst
from ._costs import fitted_cost
from ._elimination import RandomizedElimination
from ._floating import Floating
from ._forward import Forward
from ._gauss_seidel import GaussSeidel
from ._genetic import Genetic
from ._hill_climbing import HillClimbing
from ._population import Population
from ._ranked import Ranked
from ._schedule import Schedule, elimination_schedule
from ._schemata import Schemata, SchemataPlus
from ._space import Space

__all__ = [
    "Backward",
    "BestFirst",
    "Floating",
    "Forward",
    "GaussSeidel",
    "Genetic",
    "HillClimbing",
    "Population",
    "RandomizedElimination",
    "Ranked",
    "Schedule",
    "Schemata",
    "SchemataPlus",
    "Search",
    "SearchStrategy",
    "Space",
    "elimination_schedule",
    "fitted_cost",
]
