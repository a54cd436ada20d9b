"""Selectors by name, and what each of them wants to be told."""

import inspect
from typing import Any

from sklearn.feature_selection import SelectorMixin

from thresher import filters, selectors
from thresher.columns import Columns
from thresher.evaluators import Task, can_take
from thresher.selectors import named

from ._estimators import estimator_named

__all__ = [
    "accepts",
    "named_selector",
    "needs_encoding",
    "own_learner",
    "selector_classes",
]


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


def _learner_for(kind: type, estimator: Any, task: Task) -> Any:
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


def named_selector(method: str, estimator: Any, task: Task, columns: Columns, **params: Any) -> Any:
    """Build the selector of a name.

    Parameters
    ----------
    method : str
        As in `selector_classes`.
    estimator : classifier or regressor, optional
        For methods that need one; by default what the method takes.
    task : {"classification", "regression"}
        What the target is.
    columns : Columns
        The table, with the columns to keep: whether it must be encoded for the estimator.
    **params
        Other parameters of the method.
    """
    known = selector_classes()
    if method not in known:
        raise ValueError(
            f"method must be 'auto', one of {', '.join(map(repr, known))}, or a selector; "
            f"got {method!r}"
        )
    kind = known[method]
    learner = _learner_for(kind, estimator, task)
    if accepts(kind, "task"):
        params.setdefault("task", task)
    if accepts(kind, "encode"):
        params.setdefault("encode", needs_encoding(learner, columns))
    takes_learner = accepts(kind, "estimator", "learner")
    return kind(learner, **params) if takes_learner else kind(**params)


def own_learner(selector: Any) -> Any:
    """Return the estimator inside a selector, or None."""
    found = getattr(selector, "estimator", None)
    return found if found is not None else getattr(selector, "learner", None)


def needs_encoding(learner: Any, columns: Columns) -> bool:
    """Whether categories and missing values must be rewritten as numbers for a learner."""
    return learner is not None and not can_take(learner, columns.informative())
