"""Conformance checks: what every strategy, judge, evaluator, learner and selector must do.

They are plain functions that raise AssertionError, so that a third party can call them from any
test runner on its own classes.
"""

from ._evaluators import check_evaluator
from ._judges import check_judge
from ._learners import check_learner
from ._selectors import check_selector
from ._strategies import check_strategy

__all__ = ["check_evaluator", "check_judge", "check_learner", "check_selector", "check_strategy"]
