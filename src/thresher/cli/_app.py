"""The application: one command per file."""

import typer

from thresher import __version__

from ._demo import demo
from ._methods import methods
from ._report import report
from ._reproduce import reproduce
from ._resume import resume
from ._select import select

__all__ = ["app"]

app = typer.Typer(
    help="Which columns matter, found fast, with evidence.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"thresher {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    """Which columns matter, found fast, with evidence."""


for command in (select, resume, report, methods, demo, reproduce):
    app.command()(command)
