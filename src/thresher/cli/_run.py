"""Run a selection for a person at a terminal: progress and warnings on stderr."""

import warnings
from collections.abc import Callable
from typing import Any

import typer

import thresher
from thresher.selection import Selection

__all__ = ["run_select"]

Prepare = Callable[[], tuple[Any, Any, dict[str, Any]]]


def run_select(prepare: Prepare, *, quiet: bool, reading: str, budget: Any = None) -> Selection:
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
    """
    from thresher.workflow import watcher_for

    with (
        warnings.catch_warnings(record=True) as caught,
        watcher_for(False if quiet else "auto") as watcher,
    ):
        warnings.simplefilter("always")
        watcher.stage(f"reading {reading}", 0, None)
        X, y, wishes = prepare()
        selection = thresher.select(X, y, progress=watcher, budget=budget, **wishes)
    for message in dict.fromkeys(
        str(warning.message) for warning in caught if issubclass(warning.category, UserWarning)
    ):
        typer.echo(f"thresher: {message}", err=True)
    if selection.settings["ending"] == "interrupted":
        seed = selection.settings["random_state"]
        typer.echo(
            "thresher: interrupted; this is the best so far. To take it up again: the same command "
            f"with --seed {seed}, which comes by here again and goes on",
            err=True,
        )
    return selection
