"""The method that the options of the command line describe."""

import inspect
from typing import Any

import typer

from thresher.columns import Columns
from thresher.evaluators import Task
from thresher.workflow import estimator_named, learner_for, needs_encoding, selector_classes

__all__ = ["OF_SELECT", "check_options", "make_chosen"]

#: Options that are parameters of `thresher.select`; all others belong to the method.
OF_SELECT = (
    "max_features",
    "budget",
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
    method: str,
    estimator: str | None,
    task: Task,
    columns: Columns,
    given: dict[str, Any],
    *,
    quiet: bool,
) -> Any:
    """Build the selector that a method's name and options ask for."""
    kind = selector_classes()[method]
    named = None if estimator is None else estimator_named(estimator, task)
    learner = learner_for(kind, named, task)
    accepted = inspect.signature(kind).parameters
    params = {name: value for name, value in given.items() if name not in OF_SELECT}
    if "task" in accepted:
        params.setdefault("task", task)
    if "encode" in accepted and "encode" not in params and learner is not None:
        params["encode"] = needs_encoding(learner, columns)
        if params["encode"] and not quiet:
            name = type(learner).__name__
            typer.echo(
                f"thresher: rewriting categories and missing values as numbers for {name}", err=True
            )
    takes_learner = "estimator" in accepted or "learner" in accepted
    return kind(learner, **params) if takes_learner else kind(**params)
