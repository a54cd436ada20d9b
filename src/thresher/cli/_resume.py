"""``thresher resume``: a run that was killed goes on from its journal."""

import shlex
from pathlib import Path
from typing import Any

import typer

from ._engine import ENGINE, SCHEDULER, working_on
from ._errors import INTERRUPTED, polite
from ._perform import ALL_COLUMNS, AS_JSON, OUTPUT, QUIET, REPORT, Shown, perform

__all__ = ["resume"]


def resume(
    context: typer.Context,
    journal: Path = typer.Argument(..., help="What 'thresher select --journal' has written to."),
    budget: str | None = typer.Option(None, help="Another budget than before."),
    n_jobs: int | None = typer.Option(None, help="Other workers than before; -1 means all cores."),
    engine: str | None = ENGINE,
    scheduler: str | None = SCHEDULER,
    output: Path | None = OUTPUT,
    report: Path | None = REPORT,
    as_json: bool = AS_JSON,
    all_columns: bool = ALL_COLUMNS,
    quiet: bool = QUIET,
) -> None:
    """Go on with a selection where it was when it ended, and come to the same result."""
    with polite(context=context):
        command = _command(journal)
        others: dict[str, Any] = {"budget": budget, "n_jobs": n_jobs}
        command |= {name: value for name, value in others.items() if value is not None}
        shown = Shown(output, report, as_json=as_json, all_columns=all_columns, quiet=quiet)
        with working_on(engine, scheduler, command["n_jobs"]):
            selection = perform(command, shown, journal)
    if selection.settings["ending"] == "interrupted":
        raise typer.Exit(INTERRUPTED)


def _command(journal: Path) -> dict[str, Any]:
    """Read the command from a journal that may come from a stranger."""
    from thresher.journal import peek

    command = peek(journal).header.get("command")
    if command is None:
        raise ValueError(
            f"the journal {str(journal)!r} was not written by 'thresher select'; run the program "
            "that wrote it again, with the same journal, and it goes on from there"
        )
    _check(command, journal)
    return dict(command)


#: Options and what they may hold; a journal with anything else was not written by us.
_TEXT = (
    "file", "target", "goal", "method", "estimator", "task", "format", "budget", "validate",
    "direction",
    "n_features", "rule", "search", "judge", "cv", "loss", "scoring", "on_error",
    "memory",
)  # fmt: skip
_NUMBERS = (
    "tolerance", "max_time", "max_evaluations", "alpha", "max_features", "stability", "n_jobs",
    "random_state", "timeout",
)  # fmt: skip
_SWITCHES = ("floating", "encode")
_LISTS = ("drop", "feature_groups", "keep", "param")
_NEEDED = ("file", "method", "task")
#: What names code that would have to be imported.
_NAMES_OF_CODE = ("estimator", "search", "judge")


def _check(command: Any, journal: Path) -> None:
    """Refuse what select cannot have written, and to import code because a file says so."""
    known: dict[str, Any] = {
        **dict.fromkeys(_TEXT, str),
        **dict.fromkeys(_NUMBERS, (int, float)),
        **dict.fromkeys(_SWITCHES, bool),
    }
    fits = isinstance(command, dict) and set(command) == {*known, *_LISTS}
    fits = fits and all(command[n] is None or isinstance(command[n], t) for n, t in known.items())
    fits = fits and all(isinstance(command[name], str) for name in _NEEDED)
    fits = fits and all(
        isinstance(command[name], list) and all(isinstance(text, str) for text in command[name])
        for name in _LISTS
    )
    if not fits:
        raise ValueError(f"the journal {str(journal)!r} does not hold a command of thresher")
    if command["file"] == "-":
        raise ValueError(
            "the table came from standard input; give it again: thresher select - "
            f"--journal {shlex.quote(str(journal))} with the options of before"
        )
    code = [name for name in _NAMES_OF_CODE if "." in (command[name] or "")]
    code += [text.split("=")[0] for text in command["param"] if "." in text.partition("=")[2]]
    if code:
        raise ValueError(
            f"the journal {str(journal)!r} names code in --{code[0]}, which resume does not import "
            "on the word of a file; give the command of before again, with --journal "
            f"{shlex.quote(str(journal))}, and it goes on"
        )
