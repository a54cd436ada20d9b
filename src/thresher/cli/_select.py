"""``thresher select``: from a file to verdicts."""

from pathlib import Path
from typing import Any

import typer

from ._completion import complete_estimator, complete_goal, complete_method, complete_target
from ._engine import ENGINE, SCHEDULER, working_on
from ._errors import INTERRUPTED, polite
from ._perform import ALL_COLUMNS, AS_JSON, OUTPUT, QUIET, REPORT, Shown, perform

__all__ = ["select"]


def select(
    context: typer.Context,
    file: str = typer.Argument(
        ...,
        help="CSV, TSV, Parquet, Arrow, ARFF, NDJSON or libsvm file, or a folder of Parquet or "
        "Arrow files; '-' reads stdin.",
    ),
    target: str | None = typer.Option(
        None, help="The column to predict.", autocompletion=complete_target
    ),
    goal: str | None = typer.Option(
        None,
        help="predict: the fewest columns that are enough; explain: what is proved to matter, "
        "without what is redundant; all-relevant: redundant columns included. Default: predict.",
        autocompletion=complete_goal,
    ),
    method: str = typer.Option(
        "auto",
        help="auto, or a selector; see 'thresher methods'.",
        autocompletion=complete_method,
    ),
    estimator: str | None = typer.Option(
        None,
        help="Columns must be enough for it: a name from 'thresher methods' or a dotted path.",
        autocompletion=complete_estimator,
    ),
    task: str = typer.Option("auto", help="auto, classification or regression."),
    format: str | None = typer.Option(None, help="File format, if the name does not tell."),
    drop: list[str] = typer.Option([], help="Columns to leave out; repeat for more."),
    alpha: float | None = typer.Option(
        None, help="Probability of proving any column relevant when none is."
    ),
    max_features: int | None = typer.Option(None, help="Columns at most."),
    budget: str | None = typer.Option(
        None, help="Seconds, 90s, 10m, 1h30m or '500 evaluations'; then the best so far."
    ),
    validate: str | None = typer.Option(
        None, help="Folds in which the whole selection is repeated, for an honest figure."
    ),
    stability: int | None = typer.Option(
        None, help="Parts of the rows on which to repeat the selection."
    ),
    direction: str | None = typer.Option(None, help="forward or backward."),
    floating: bool | None = typer.Option(None, help="Take back earlier steps when that pays."),
    n_features: str | None = typer.Option(None, help="A number, a range such as 3:10, or auto."),
    tolerance: float | None = typer.Option(
        None,
        help="Largest rise of the loss: a share of the best one; for some methods, a loss.",
    ),
    rule: str | None = typer.Option(None, help="best or one-standard-error."),
    search: str | None = typer.Option(None, help="A strategy by name or dotted path."),
    judge: str | None = typer.Option(None, help="A judge by name or dotted path."),
    cv: str | None = typer.Option(None, help="Number of folds, or loo."),
    loss: str | None = typer.Option(None, help="zero_one, log, brier, absolute or squared."),
    scoring: str | None = typer.Option(None, help="A scikit-learn scorer instead of a loss."),
    feature_groups: list[str] = typer.Option(
        [], help="Columns kept or dropped as a group: name=col1,col2; repeat for more."
    ),
    keep: list[str] = typer.Option([], help="A column to keep in any case; repeat for more."),
    encode: bool | None = typer.Option(
        None, help="Rewrite categories and missing values as numbers; by default where needed."
    ),
    max_time: float | None = typer.Option(None, help="Seconds for the method; see --budget."),
    max_evaluations: int | None = typer.Option(None, help="Subsets; then the best so far."),
    memory: str | None = typer.Option(
        None, help="What a Parquet or Arrow table may take, such as 2GB; a larger one is coded."
    ),
    n_jobs: int = typer.Option(-1, help="Workers; -1 means all cores."),
    engine: str | None = ENGINE,
    scheduler: str | None = SCHEDULER,
    random_state: int | None = typer.Option(
        None, "--seed", "--random-state", help="Seed of everything that is random."
    ),
    param: list[str] = typer.Option([], help="Any other parameter of the method: name=value."),
    journal: Path | None = typer.Option(
        None, help="Write all that takes long to this file; 'thresher resume' goes on from it."
    ),
    on_error: str | None = typer.Option(
        None, help="raise, or skip columns on which the estimator fails."
    ),
    timeout: float | None = typer.Option(None, help="Seconds that one fit may take."),
    output: Path | None = OUTPUT,
    report: Path | None = REPORT,
    as_json: bool = AS_JSON,
    all_columns: bool = ALL_COLUMNS,
    quiet: bool = QUIET,
) -> None:
    """Select columns of a table and print a verdict with its reason for each."""
    command: dict[str, Any] = {
        "file": file, "target": target, "goal": goal, "method": method, "estimator": estimator,
        "task": task,
        "format": format, "drop": drop, "budget": budget, "validate": validate,
        "direction": direction, "floating": floating, "n_features": n_features,
        "tolerance": tolerance, "rule": rule, "search": search, "judge": judge, "cv": cv,
        "loss": loss, "scoring": scoring, "feature_groups": feature_groups, "keep": keep,
        "encode": encode, "max_time": max_time, "max_evaluations": max_evaluations,
        "alpha": alpha, "max_features": max_features, "stability": stability, "n_jobs": n_jobs,
        "random_state": random_state, "param": param, "on_error": on_error, "timeout": timeout,
        "memory": memory,
    }  # fmt: skip
    with polite(context=context), working_on(engine, scheduler, n_jobs):
        shown = Shown(output, report, as_json=as_json, all_columns=all_columns, quiet=quiet)
        selection = perform(command, shown, journal)
    if selection.settings["ending"] == "interrupted":
        raise typer.Exit(INTERRUPTED)
