"""The method that the options of the command line describe."""

import inspect
import warnings
from typing import Any

from thresher.columns import Columns, with_groups
from thresher.evaluators import Task
from thresher.selectors import task_from
from thresher.workflow import estimator_named, named_selector, selector_classes

__all__ = ["OF_SELECT", "check_options", "make_chosen"]

#: Options that are parameters of `thresher.select`; all others belong to the method.
OF_SELECT = (
    "max_features",
    "validate",
    "stability",
    "keep",
    "feature_groups",
    "n_jobs",
    "random_state",
)


def check_options(method: str, estimator: str | None, given: dict[str, Any]) -> None:
    """Complain of options that the method does not have, before the file is read."""
    if method == "auto":
        remedy = "; name a method, such as --method stepwise"
        accepted: Any = ("alpha", "goal", "tolerance")
    else:
        known = selector_classes()
        if method not in known:
            raise ValueError(f"--method must be one of auto, {', '.join(known)}; got {method!r}")
        remedy = ""
        accepted = inspect.signature(known[method]).parameters
        if estimator is not None and not {"estimator", "learner"} & set(accepted):
            raise ValueError(f"--estimator does not apply to --method {method}, which needs none")
    for name in given:
        if name not in accepted and name not in OF_SELECT:
            option = "--" + name.replace("_", "-")
            raise ValueError(f"{option} does not apply to --method {method}{remedy}")


def make_chosen(
    method: str, estimator: str | None, task: str, columns: Columns, y: Any, given: dict[str, Any]
) -> Any:
    """Build the selector that a method's name and options ask for."""
    known = _task(task, y)
    learner = None if estimator is None else estimator_named(estimator, known)
    kept = with_groups(columns, None, given.get("keep", ()))
    params = {name: value for name, value in given.items() if name not in OF_SELECT}
    selector = named_selector(method, learner, known, kept, **params)
    if getattr(selector, "encode", False) and "encode" not in given:
        name = type(selector.estimator).__name__
        told = f"rewriting categories and missing values as numbers for {name}"
        warnings.warn(told, stacklevel=2)
    return selector


def _task(task: str, y: Any) -> Task:
    if task == "auto":
        return task_from(y)
    if task in ("classification", "regression"):
        return task  # type: ignore[return-value]
    raise ValueError(f"--task must be auto, classification or regression; got {task!r}")
