"""Search strategies: what to compare next."""

from ._backward import Backward
from ._base import Search, SearchStrategy
from ._floating import Floating
from ._forward import Forward
from ._space import Space

__all__ = ["Backward", "Floating", "Forward", "Search", "SearchStrategy", "Space"]
