"""The loss of (subset, row): exact and fast where the learner allows, by refitting elsewhere."""

from ._base import Evaluator, FastEvaluator
from ._evaluator_for import evaluator_for, with_folds
from ._folds import Fold, Folds, make_folds
from ._loss import SCORER_LOSSES, Loss
from ._models import ModelsEvaluator
from ._problem import Problem, Target
from ._refitting import seeded
from ._requirements import can_take, check_estimator, weight_parameter
from ._subsets import Flips, Removals, Subset, changes, some_of
from ._target import Task, make_target, task_of

__all__ = [
    "SCORER_LOSSES",
    "Evaluator",
    "FastEvaluator",
    "Flips",
    "Fold",
    "Folds",
    "Loss",
    "ModelsEvaluator",
    "Problem",
    "Removals",
    "Subset",
    "Target",
    "Task",
    "can_take",
    "changes",
    "check_estimator",
    "evaluator_for",
    "make_folds",
    "make_target",
    "seeded",
    "some_of",
    "task_of",
    "weight_parameter",
    "with_folds",
]
