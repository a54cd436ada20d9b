"""Search strategies: what to compare next."""

from ._backward import Backward
from ._base import Search, SearchStrategy
from ._floating import Floating
from ._forward import Forward
from ._gauss_seidel import GaussSeidel
from ._hill_climbing import HillClimbing
from ._schemata import Schemata, SchemataPlus
from ._space import Space

__all__ = [
    "Backward",
    "Floating",
    "Forward",
    "GaussSeidel",
    "HillClimbing",
    "Schemata",
    "SchemataPlus",
    "Search",
    "SearchStrategy",
    "Space",
]
