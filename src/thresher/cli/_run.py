"""Run a selection for a person at a terminal: progress and warnings on stderr."""

import shlex
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

import thresher
from thresher.selection import Selection, printable

__all__ = ["run_select"]

Prepare = Callable[[], tuple[Any, Any, dict[str, Any]]]


def run_select(
    prepare: Prepare, *, quiet: bool, reading: str, budget: Any = None, journal: Path | None = None
) -> Selection:
    """Call `thresher.select` under a progress bar, and say what it warns of.

    Parameters
    ----------
    prepare : callable
        Reads the table: returns X, y and the other parameters.
    quiet : bool
        Whether to show nothing while it works.
    reading : str
        What is being read.
    budget : str, optional
        The clock starts when the table has been read.
    journal : path, optional
        Where all that takes long is written down.
    """
    from thresher.workflow import watcher_for

    with (
        warnings.catch_warnings(record=True) as caught,
        watcher_for(False if quiet else "auto") as watcher,
    ):
        warnings.simplefilter("always")
        watcher.stage(f"reading {reading}", 0, None)
        X, y, wishes = prepare()
        wishes |= {"budget": budget, "journal": journal}
        selection = thresher.select(X, y, progress=watcher, **wishes)
    for message in dict.fromkeys(
        str(warning.message) for warning in caught if issubclass(warning.category, UserWarning)
    ):
        typer.echo(f"thresher: {printable(message)}", err=True)
    if selection.settings["ending"] == "interrupted":
        again = "next time, --journal FILE lets you go on from here"
        if journal is not None:
            again = f"to go on: thresher resume {shlex.quote(str(journal))}"
        typer.echo(f"thresher: interrupted; this is the best so far; {again}", err=True)
    return selection
