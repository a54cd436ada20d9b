"""Running a search: the driver owns budget, trace and evidence, so that strategies need not."""

from ._budget import Budget, BudgetSpent
from ._driver import Observer, Run, Step, search
from ._evidence import Evidence

__all__ = ["Budget", "BudgetSpent", "Evidence", "Observer", "Run", "Step", "search"]
