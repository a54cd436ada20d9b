"""The method that the options of the command line describe."""

import inspect
import warnings
from typing import Any

from thresher.columns import Columns
from thresher.evaluators import Task
from thresher.selectors import task_from
from thresher.workflow import estimator_named, learner_for, needs_encoding, selector_classes

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
        accepted: Any = ("alpha",)
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
    kind = selector_classes()[method]
    known = _task(task, y)
    named = None if estimator is None else estimator_named(estimator, known)
    learner = learner_for(kind, named, known)
    accepted = inspect.signature(kind).parameters
    params = {name: value for name, value in given.items() if name not in OF_SELECT}
    if "task" in accepted:
        params.setdefault("task", known)
    if "encode" in accepted and "encode" not in params and learner is not None:
        params["encode"] = needs_encoding(learner, columns)
        if params["encode"]:
            name = type(learner).__name__
            warnings.warn(
                f"rewriting categories and missing values as numbers for {name}", stacklevel=2
            )
    takes_learner = "estimator" in accepted or "learner" in accepted
    return kind(learner, **params) if takes_learner else kind(**params)


def _task(task: str, y: Any) -> Task:
    if task == "auto":
        return task_from(y)
    if task in ("classification", "regression"):
        return task  # type: ignore[return-value]
    raise ValueError(f"--task must be auto, classification or regression; got {task!r}")
