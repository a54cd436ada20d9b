"""Run a selection for a person at a terminal: progress and warnings on stderr."""

import warnings
from typing import Any

import typer

import thresher
from thresher.selection import Selection

__all__ = ["run_select"]


def run_select(X: Any, y: Any, *, quiet: bool, **wishes: Any) -> Selection:
    """Call `thresher.select` under a progress bar, and say what it warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        selection = thresher.select(X, y, progress=False if quiet else "auto", **wishes)
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
