"""What is asked, checked and made plain before any work is done."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state

from thresher.columns import Columns, with_groups
from thresher.evaluators import Target, Task, check_estimator
from thresher.selection import GOALS
from thresher.selectors import check_parameters, target_of, task_from
from thresher.stats import TOLERANCE

from ._enough import Wish
from ._estimators import estimator_named
from ._input import as_columns
from ._methods import accepts, own_learner

__all__ = ["Question", "read_question"]


@dataclass(frozen=True, eq=False)
class Question:
    """A table, a target, and what the user wishes.

    Parameters
    ----------
    columns : Columns
        The table, each column by itself.
    variables : Columns
        The same, with groups of columns that stand or fall together and those to keep.
    target : Target
        What is to be predicted.
    task : {"classification", "regression"}
        What it is.
    guessed : bool
        Whether only the look of the target says so.
    method : str or selector
        As in `select`.
    learner : classifier or regressor, optional
        The one that the user named.
    alpha : float
        Level of tests.
    max_features : int, optional
        Columns at most.
    wish : Wish
        What the selection is for, and how much loss counts as nothing.
    seed : int
        Given as ``random_state``, it repeats everything.
    """

    columns: Columns
    variables: Columns
    target: Target
    task: Task
    guessed: bool
    method: Any
    learner: Any
    alpha: float
    max_features: int | None
    wish: Wish
    seed: int

    @cached_property
    def groups(self) -> dict[str, list[str]]:
        """Names of columns that stand or fall together."""
        named = zip(self.variables.variable_names, self.variables.variables, strict=True)
        names = self.columns.names
        return {name: [names[p] for p in part] for name, part in named if len(part) > 1}

    @cached_property
    def keep(self) -> tuple[str, ...]:
        """Names of columns that stay in any case."""
        positions = self.variables.columns_of(self.variables.required)
        return tuple(self.columns.names[p] for p in positions)


def read_question(
    X: Any,
    y: Any,
    *,
    estimator: Any,
    method: Any,
    task: str,
    alpha: float,
    max_features: Any,
    goal: Any,
    tolerance: Any,
    feature_groups: Any,
    keep: Any,
    random_state: Any,
    memory: Any = None,
) -> Question:
    """Check the arguments of `select`; what they leave open, a selector given as method tells."""
    check_parameters({"alpha": alpha, "task": task})
    if not isinstance(method, str):
        _check_selector(method, estimator)
        feature_groups = method.feature_groups if feature_groups is None else feature_groups
        keep = method.keep if isinstance(keep, Sequence) and not len(keep) else keep
        if random_state is None:
            random_state = getattr(method, "random_state", None)
    columns, raw = as_columns(X, y, memory=memory, task=task)
    said = _task(task, method, estimator)
    known = said or task_from(raw)
    variables = with_groups(columns, feature_groups, keep)
    return Question(
        columns=columns,
        variables=variables,
        target=target_of(raw, columns.n_rows, known),
        task=known,
        guessed=said is None,
        method=method,
        learner=_learner(estimator, known),
        alpha=alpha,
        max_features=_most(max_features, variables),
        wish=_wish(goal, tolerance, method),
        seed=_seed(random_state),
    )


def _wish(goal: Any, tolerance: Any, method: Any) -> Wish:
    """Check the goal; a method that the user names has its own, and neither path nor tolerance."""
    if goal is not None and goal not in GOALS:
        raise ValueError(f"goal must be one of {', '.join(map(repr, GOALS))}; got {goal!r}")
    if tolerance is not None:
        number = isinstance(tolerance, Real) and not isinstance(tolerance, (bool, np.bool_))
        if not (number and 0 <= tolerance <= 1):
            raise ValueError(f"tolerance must be a number from 0 to 1; got {tolerance!r}")
    for name, value in (("goal", goal), ("tolerance", tolerance)):
        if value is not None and not (isinstance(method, str) and method == "auto"):
            raise ValueError(f"{name} applies to method='auto' only; {method!r} has none")
    return Wish(goal or "predict", TOLERANCE if tolerance is None else float(tolerance))


def _check_selector(selector: Any, estimator: Any) -> None:
    usable = isinstance(selector, SelectorMixin) and accepts(type(selector), "feature_groups")
    if isinstance(selector, type) or not usable:
        raise TypeError(
            f"method must be 'auto', a name or one of thresher's selectors; got {selector!r}"
        )
    if estimator is not None:
        raise ValueError("estimator: the selector given as method has its own")


def _task(task: str, method: Any, estimator: Any) -> Task | None:
    """What the target is: as said, or as the learner is; None if neither tells."""
    said = {task, getattr(method, "task", "auto")} - {"auto"}
    learner = own_learner(method) if estimator is None else estimator
    if learner is not None and not isinstance(learner, str):
        check_estimator(learner)
        kind = "classifier" if is_classifier(learner) else "regressor"
        fit: Task = "classification" if is_classifier(learner) else "regression"
        if said - {fit}:
            raise ValueError(
                f"{type(learner).__name__} is a {kind}, but the task is {said.pop()}; name another "
                "estimator, or another task"
            )
        return fit
    if len(said) > 1:
        raise ValueError(f"task is {task!r}, but the selector given as method says otherwise")
    return said.pop() if said else None  # type: ignore[return-value]


def _learner(estimator: Any, task: Task) -> Any:
    return estimator_named(estimator, task) if isinstance(estimator, str) else estimator


def _seed(random_state: Any) -> int:
    if isinstance(random_state, Integral):
        seed = int(random_state)
        if not 0 <= seed < 2**32:
            raise ValueError(f"random_state must be 0 to 2**32 - 1; got {random_state}")
        return seed
    return int(check_random_state(random_state).randint(2**31 - 1))


def _most(max_features: Any, variables: Columns) -> int | None:
    if max_features is None:
        return None
    whole = isinstance(max_features, Integral) and not isinstance(max_features, (bool, np.bool_))
    if not whole or max_features < 1:
        raise ValueError(f"max_features must be a whole number of at least 1; got {max_features!r}")
    n_kept = len(variables.columns_of(variables.required))
    if n_kept > max_features:
        raise ValueError(f"keep asks for {n_kept} columns, but max_features is {max_features}")
    return int(max_features)
