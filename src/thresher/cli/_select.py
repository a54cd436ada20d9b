"""``thresher select``: from a file to verdicts."""

import ast
import inspect
import os
import warnings
from pathlib import Path
from typing import Any

import typer

from thresher.columns import Columns, read_columns
from thresher.evaluators import Task, can_take, task_of
from thresher.files import read_table

from ._errors import INTERRUPTED, polite
from ._estimators import estimator_named
from ._methods import selector_classes
from ._output import print_selection
from ._progress import StepProgress

__all__ = ["check_output", "run_selector", "select"]

_METHOD = typer.Option("stepwise", help="The selector; see 'thresher methods'.")


def select(
    file: str = typer.Argument(
        ..., help="CSV, TSV, Parquet, Arrow, ARFF, NDJSON or libsvm file; '-' reads stdin."
    ),
    target: str | None = typer.Option(None, help="The column to predict."),
    method: str = _METHOD,
    estimator: str = typer.Option(
        "auto", help="Whose loss counts: a name from 'thresher methods' or a dotted path."
    ),
    task: str = typer.Option("auto", help="auto, classification or regression."),
    format: str | None = typer.Option(None, help="File format, if the name does not tell."),
    drop: list[str] = typer.Option([], help="Columns to leave out; repeat for more."),
    direction: str | None = typer.Option(None, help="forward or backward."),
    floating: bool | None = typer.Option(None, help="Take back earlier steps when that pays."),
    n_features: str | None = typer.Option(None, help="A number, a range such as 3:10, or auto."),
    tolerance: float | None = typer.Option(None, help="How much worse does not matter."),
    rule: str | None = typer.Option(None, help="best or one-standard-error."),
    search: str | None = typer.Option(None, help="A strategy by name or dotted path."),
    judge: str | None = typer.Option(None, help="A judge by name or dotted path."),
    cv: str | None = typer.Option(None, help="Number of folds, or loo."),
    loss: str | None = typer.Option(None, help="zero_one, log, brier, absolute or squared."),
    scoring: str | None = typer.Option(None, help="A scikit-learn scorer instead of a loss."),
    feature_groups: list[str] = typer.Option(
        [], help="Columns that stand or fall together: name=col1,col2; repeat for more."
    ),
    keep: list[str] = typer.Option([], help="A column to keep in any case; repeat for more."),
    encode: bool | None = typer.Option(
        None, help="Rewrite categories and missing values as numbers; by default where needed."
    ),
    max_time: float | None = typer.Option(None, help="Seconds; then the best so far."),
    max_evaluations: int | None = typer.Option(None, help="Subsets; then the best so far."),
    n_jobs: int | None = typer.Option(None, help="Workers; -1 for all cores."),
    random_state: int | None = typer.Option(None, help="Seed."),
    param: list[str] = typer.Option([], help="Any other parameter of the method: name=value."),
    output: Path | None = typer.Option(None, help="Write the whole result to this JSON file."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
    all_columns: bool = typer.Option(False, "--all", help="Show every column in the table."),
    quiet: bool = typer.Option(False, help="No progress on stderr."),
) -> None:
    """Select columns of a table and print a verdict with its reason for each."""
    given: dict[str, Any] = {
        "direction": direction, "floating": floating, "tolerance": tolerance, "rule": rule,
        "search": search, "judge": judge, "loss": loss, "scoring": scoring, "encode": encode,
        "max_time": max_time, "max_evaluations": max_evaluations, "n_jobs": n_jobs,
        "random_state": random_state, "keep": tuple(keep) or None,
    }  # fmt: skip
    with polite():
        check_output(output)
        given["n_features"] = _size(n_features)
        given["cv"] = _folds(cv)
        given["feature_groups"] = _groups(feature_groups)
        given.update(_parameter(text) for text in param)
        kind = _selector_class(method)
        if task != "auto" and "task" in inspect.signature(kind).parameters:
            given.setdefault("task", task)
        table = read_table(file, target, format=format, drop=drop)
        learner = _learner(kind, estimator, _task(task, table.y))
        columns = read_columns(table.X, names=table.feature_names)
        named = estimator != "auto"
        selector = _selector(kind, method, learner, columns, given, named=named, quiet=quiet)
        interrupted = run_selector(selector, columns, table.y, quiet=quiet)
        # printed first: if the file cannot be written after all, the result is not lost
        print_selection(selector.selection_, as_json=as_json, all_columns=all_columns)
        if output is not None:
            selector.selection_.save(output)
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def check_output(output: Path | None) -> None:
    """Refuse a result file that cannot be written, before any work is done."""
    if output is None:
        return
    if output.is_dir():
        raise ValueError(f"--output: {output} is a folder")
    if not output.parent.is_dir():
        raise ValueError(f"--output: the folder {output.parent} does not exist")
    if not os.access(output.parent, os.W_OK):
        raise ValueError(f"--output: the folder {output.parent} cannot be written to")


def run_selector(selector: Any, X: Any, y: Any, *, quiet: bool) -> bool:
    """Fit a selector under a progress bar; return whether the user cut it short."""
    with (
        warnings.catch_warnings(record=True) as caught,
        StepProgress(enabled=not quiet) as progress,
    ):
        warnings.simplefilter("always", UserWarning)
        if hasattr(selector, "observe"):
            selector.observe(progress)
        selector.fit(X, y)
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        typer.echo(f"thresher: {message}", err=True)
    return bool(selector.selection_.settings.get("ending") == "interrupted")


def _selector_class(method: str) -> type:
    known = selector_classes()
    if method not in known:
        raise ValueError(f"--method must be one of {', '.join(known)}; got {method!r}")
    return known[method]


def _learner(kind: type, estimator: str, task: Task) -> Any:
    """Return the estimator of that name; some methods have their own for "auto"."""
    default = getattr(kind, "default_estimator", None)
    if estimator == "auto" and default is not None:
        return default(task)
    parameters = inspect.signature(kind).parameters
    optional = [p for p in ("learner", "estimator") if p in parameters]
    if estimator == "auto" and any(parameters[p].default is None for p in optional):
        return None  # it can do without, or looks at the table, too
    return estimator_named(estimator, task)


def _selector(
    kind: type,
    method: str,
    learner: Any,
    columns: Columns,
    given: dict[str, Any],
    *,
    named: bool,
    quiet: bool,
) -> Any:
    """Build the selector, complaining of options it does not have.

    ``named`` says that the user asked for the learner.
    """
    accepted = inspect.signature(kind).parameters
    params = {name: value for name, value in given.items() if value is not None}
    for name in params:
        if name not in accepted:
            option = "--" + name.replace("_", "-")
            raise ValueError(f"{option} does not apply to --method {method}")
    if "encode" in accepted and "encode" not in params and learner is not None:
        params["encode"] = not can_take(learner, columns.informative())
        if params["encode"] and not quiet:
            name = type(learner).__name__
            typer.echo(
                f"thresher: rewriting categories and missing values as numbers for {name}", err=True
            )
    takes_learner = "estimator" in accepted or "learner" in accepted
    if named and not takes_learner:
        raise ValueError(f"--estimator does not apply to --method {method}, which needs none")
    return kind(learner, **params) if takes_learner else kind(**params)


def _task(task: str, y: Any) -> Task:
    if task == "auto":
        return task_of(y)
    if task in ("classification", "regression"):
        return task  # type: ignore[return-value]
    raise ValueError(f"--task must be auto, classification or regression; got {task!r}")


def _size(text: str | None) -> Any:
    if text is None or text == "auto":
        return text
    parts = text.split(":")
    if len(parts) > 2 or not all(part.isdecimal() for part in parts):
        raise ValueError(
            f"--n-features must be a number, a range such as 3:10, or auto; got {text!r}"
        )
    return int(parts[0]) if len(parts) == 1 else (int(parts[0]), int(parts[1]))


def _folds(text: str | None) -> Any:
    if text is None or text == "loo":
        return text
    if not text.isdecimal():
        raise ValueError(f"--cv must be a number of folds or loo; got {text!r}")
    return int(text)


def _groups(texts: list[str]) -> dict[str, list[str]] | None:
    groups = {}
    for text in texts:
        name, equals, members = text.partition("=")
        if not equals:
            raise ValueError(f"--feature-groups must read name=col1,col2; got {text!r}")
        groups[name] = [member for member in members.split(",") if member]
    return groups or None


def _parameter(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--param must read name=value; got {text!r}")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value
