"""The systems working together: from a table and a question to one answer."""

from ._allowance import Allowance, read_budget
from ._estimators import ESTIMATORS, estimator_named
from ._input import read_file
from ._methods import named_selector, selector_classes
from ._progress import Watcher, watcher_for
from ._select import select

__all__ = [
    "ESTIMATORS",
    "Allowance",
    "Watcher",
    "estimator_named",
    "named_selector",
    "read_budget",
    "read_file",
    "select",
    "selector_classes",
    "watcher_for",
]
