"""``thresher select``: from a file to verdicts."""

from pathlib import Path
from typing import Any

import typer

from ._completion import complete_estimator, complete_method, complete_target
from ._errors import INTERRUPTED, polite
from ._options import folds, groups, parameter, size, whole
from ._output import check_output, print_selection
from ._run import run_select

__all__ = ["select"]


def select(
    file: str = typer.Argument(
        ..., help="CSV, TSV, Parquet, Arrow, ARFF, NDJSON or libsvm file; '-' reads stdin."
    ),
    target: str | None = typer.Option(
        None, help="The column to predict.", autocompletion=complete_target
    ),
    method: str = typer.Option(
        "auto",
        help="auto, or a selector; see 'thresher methods'.",
        autocompletion=complete_method,
    ),
    estimator: str | None = typer.Option(
        None,
        help="For whom to select: a name from 'thresher methods' or a dotted path.",
        autocompletion=complete_estimator,
    ),
    task: str = typer.Option("auto", help="auto, classification or regression."),
    format: str | None = typer.Option(None, help="File format, if the name does not tell."),
    drop: list[str] = typer.Option([], help="Columns to leave out; repeat for more."),
    alpha: float | None = typer.Option(None, help="Chance to find something where nothing is."),
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
    max_time: float | None = typer.Option(None, help="Seconds for the method; see --budget."),
    max_evaluations: int | None = typer.Option(None, help="Subsets; then the best so far."),
    n_jobs: int = typer.Option(-1, help="Workers; -1 means all cores."),
    random_state: int | None = typer.Option(
        None, "--seed", "--random-state", help="Seed of everything that is random."
    ),
    param: list[str] = typer.Option([], help="Any other parameter of the method: name=value."),
    output: Path | None = typer.Option(None, help="Write the whole result to this JSON file."),
    report: Path | None = typer.Option(None, help="Write a page about it to this HTML file."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
    all_columns: bool = typer.Option(False, "--all", help="Show every column in the table."),
    quiet: bool = typer.Option(False, help="No progress on stderr."),
) -> None:
    """Select columns of a table and print a verdict with its reason for each."""
    # help and completion must not wait for these
    from thresher.columns import read_columns
    from thresher.files import read_table

    from ._chosen import OF_SELECT, check_options, make_chosen

    given: dict[str, Any] = {
        "direction": direction, "floating": floating, "tolerance": tolerance, "rule": rule,
        "search": search, "judge": judge, "loss": loss, "scoring": scoring, "encode": encode,
        "max_time": max_time, "max_evaluations": max_evaluations, "alpha": alpha,
        "max_features": max_features, "stability": stability,
        "n_jobs": n_jobs, "random_state": random_state, "keep": tuple(keep) or None,
    }  # fmt: skip
    with polite():
        check_output(output, "--output")
        check_output(report, "--report")
        given["n_features"] = size(n_features)
        given["cv"] = folds(cv)
        given["validate"] = whole(validate, "--validate")
        given["feature_groups"] = groups(feature_groups)
        given.update(parameter(text) for text in param)
        asked = {name: value for name, value in given.items() if value is not None}
        check_options(method, estimator, asked)

        def prepare() -> tuple[Any, Any, dict[str, Any]]:
            table = read_table(file, target, format=format, drop=drop)
            columns = read_columns(table.X, names=table.feature_names)
            wishes: dict[str, Any] = {name: asked[name] for name in OF_SELECT if name in asked}
            if method == "auto":
                wishes |= {"estimator": estimator}
                wishes |= {name: asked[name] for name in ("alpha",) if name in asked}
            else:
                chosen = make_chosen(method, estimator, task, columns, table.y, asked)
                wishes["method"] = chosen
            return columns, table.y, {"task": task, **wishes}

        reading = "standard input" if file == "-" else Path(file).name
        selection = run_select(prepare, quiet=quiet, reading=reading, budget=budget)
        # printed first: if a file cannot be written after all, the result is not lost
        print_selection(selection, as_json=as_json, all_columns=all_columns)
        if output is not None:
            selection.save(output)
        if report is not None:
            selection.report(report)
            typer.echo(f"thresher: the report is in {report}", err=True)
    if selection.settings["ending"] == "interrupted":
        raise typer.Exit(INTERRUPTED)
