"""How many columns are enough: sets compared with the best set known, on held-out rows."""

from ._choice import Choice, SizeLoss, choose_size
from ._elimination import Elimination, eliminate_everywhere, eliminate_in_folds, path_sizes
from ._search import Sufficient, find_sufficient

__all__ = [
    "Choice",
    "Elimination",
    "SizeLoss",
    "Sufficient",
    "choose_size",
    "eliminate_everywhere",
    "eliminate_in_folds",
    "find_sufficient",
    "path_sizes",
]
