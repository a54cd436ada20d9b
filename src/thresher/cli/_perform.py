"""What ``thresher select`` was asked to do, done; and done again by ``thresher resume``."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from thresher.selection import Selection

from ._options import folds, groups, parameter, size, whole
from ._output import check_output, print_selection
from ._run import run_select

__all__ = [
    "ALL_COLUMNS",
    "AS_JSON",
    "OUTPUT",
    "QUIET",
    "REPORT",
    "Command",
    "Shown",
    "perform",
]

Command = Mapping[str, Any]
"""Options of ``thresher select`` by name, as a user writes them: text, numbers, lists of text."""

#: Options that go to the method or to `thresher.select` as they are.
_PLAIN = (
    "goal", "direction", "floating", "tolerance", "rule", "search", "judge", "loss", "scoring",
    "encode",
    "max_time", "max_evaluations", "alpha", "max_features", "stability", "n_jobs", "random_state",
    "on_error", "timeout",
)  # fmt: skip


#: Options of all commands that show a result.
OUTPUT = typer.Option(None, help="Write the whole result to this JSON file.")
REPORT = typer.Option(None, help="Write a page about it to this HTML file.")
AS_JSON = typer.Option(False, "--json", help="Print the result as JSON.")
ALL_COLUMNS = typer.Option(False, "--all", help="Show every column in the table.")
QUIET = typer.Option(False, help="No progress on stderr.")


@dataclass(frozen=True)
class Shown:
    """Where the result goes."""

    output: Path | None = None
    report: Path | None = None
    as_json: bool = False
    all_columns: bool = False
    quiet: bool = False


def perform(command: Command, shown: Shown, journal: Path | None = None) -> Selection:
    """Read the table, select, and show the result."""
    # help and completion must not wait for these
    from thresher.workflow import read_file

    from ._chosen import OF_SELECT, check_options, make_chosen

    check_output(shown.output, "--output")
    check_output(shown.report, "--report")
    _check_apart(
        {
            "--output": shown.output,
            "--report": shown.report,
            "--journal": journal,
            "the table": None if command["file"] == "-" else Path(command["file"]),
        }
    )
    file, method, estimator = command["file"], command["method"], command["estimator"]
    asked = _asked(command)
    check_options(method, estimator, asked)
    if journal is not None:
        _write_down(command, journal)

    def prepare() -> tuple[Any, Any, dict[str, Any]]:
        columns, y = read_file(
            file, command["target"], memory=command.get("memory"), format=command["format"],
            drop=command["drop"], task=command["task"],
        )  # fmt: skip
        wishes: dict[str, Any] = {name: asked[name] for name in OF_SELECT if name in asked}
        if method == "auto":
            wishes |= {"estimator": estimator}
            wishes |= {
                name: asked[name] for name in ("alpha", "goal", "tolerance") if name in asked
            }
        else:
            chosen = make_chosen(method, estimator, command["task"], columns, y, asked)
            wishes["method"] = chosen
        return columns, y, {"task": command["task"], **wishes}

    selection = run_select(
        prepare,
        quiet=shown.quiet,
        reading="standard input" if file == "-" else Path(file).name,
        budget=command["budget"],
        journal=journal,
    )
    # printed first: if a file cannot be written after all, the result is not lost
    print_selection(selection, as_json=shown.as_json, all_columns=shown.all_columns)
    if shown.output is not None:
        selection.save(shown.output)
    if shown.report is not None:
        selection.report(shown.report)
        typer.echo(f"thresher: the report is in {shown.report}", err=True)
    return selection


def _check_apart(files: Mapping[str, Path | None]) -> None:
    """Nothing is to be written over something else that is needed."""
    seen: dict[Path, str] = {}
    for name, path in files.items():
        place = None if path is None else path.resolve()
        if place is None or (place.exists() and not place.is_file()):  # such as /dev/null
            continue
        if place in seen:
            raise ValueError(f"{seen[place]} and {name} name the same file, {str(path)!r}")
        seen[place] = name


def _asked(command: Command) -> dict[str, Any]:
    """Options that the user gave, as values of parameters."""
    given = {name: command[name] for name in _PLAIN}
    given["keep"] = tuple(command["keep"]) or None
    given["n_features"] = size(command["n_features"])
    given["cv"] = folds(command["cv"])
    given["validate"] = whole(command["validate"], "--validate")
    given["feature_groups"] = groups(command["feature_groups"])
    given.update(parameter(text) for text in command["param"])
    return {name: value for name, value in given.items() if value is not None}


def _write_down(command: Command, journal: Path) -> None:
    """Keep the command for ``thresher resume``; the first one that got to work stays."""
    from thresher.journal import Journal

    plain = dict(command)
    if command["file"] != "-":
        plain["file"] = str(Path(command["file"]).absolute())
    with Journal(journal) as own:
        own.settle("command", plain, anew=True)
