"""Selectors by name, and what each of them wants to be told."""

import inspect
from typing import Any

from sklearn.feature_selection import SelectorMixin

from thresher import filters, selectors
from thresher.columns import Columns
from thresher.evaluators import Task, can_take
from thresher.selectors import named

from ._estimators import estimator_named

__all__ = ["accepts", "learner_for", "make_selector", "needs_encoding", "selector_classes"]


def selector_classes() -> dict[str, type]:
    """Every selector and filter by its name.

    Examples
    --------
    >>> selector_classes()["race"]
    <class 'thresher.selectors._race_selector.RaceSelector'>
    """
    found = {**named(selectors, SelectorMixin), **named(filters, SelectorMixin)}
    return {name.removesuffix("-selector"): kind for name, kind in found.items()}


def accepts(kind: type, *parameters: str) -> bool:
    """Whether the constructor has one of these parameters."""
    return any(name in inspect.signature(kind).parameters for name in parameters)


def learner_for(kind: type, estimator: Any, task: Task) -> Any:
    """Return the estimator for a method: the one asked for, or what the method takes itself.

    None where it can do without, or looks at the table before it chooses.
    """
    if estimator is not None:
        if not accepts(kind, "estimator", "learner"):
            raise ValueError(f"estimator does not apply to {kind.__name__}, which needs none")
        return estimator
    default = getattr(kind, "default_estimator", None)
    if default is not None:
        return default(task)
    parameters = inspect.signature(kind).parameters
    known = [parameters[name] for name in ("estimator", "learner") if name in parameters]
    if not known or any(parameter.default is None for parameter in known):
        return None
    return estimator_named("auto", task)


def make_selector(kind: type, learner: Any, **wishes: Any) -> Any:
    """Build a selector from those of the wishes that it knows."""
    params = {name: value for name, value in wishes.items() if accepts(kind, name)}
    takes_learner = accepts(kind, "estimator", "learner")
    return kind(learner, **params) if takes_learner else kind(**params)


def needs_encoding(learner: Any, columns: Columns) -> bool:
    """Whether categories and missing values must be rewritten as numbers for a learner."""
    return learner is not None and not can_take(learner, columns.informative())
