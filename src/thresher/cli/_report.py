"""``thresher report``: a page about a saved result."""

from pathlib import Path

import typer

from thresher.selection import Selection

from ._errors import polite
from ._output import check_output

__all__ = ["report"]


def report(
    result: Path = typer.Argument(..., help="A result that 'thresher select --output' wrote."),
    output: Path | None = typer.Option(
        None, help="The HTML file to write; by default, beside the result."
    ),
) -> None:
    """Write an HTML page about a saved result."""
    with polite():
        page = result.with_suffix(".html") if output is None else output
        check_output(page, "--output")
        Selection.load(result).report(page)
    typer.echo(str(page))
