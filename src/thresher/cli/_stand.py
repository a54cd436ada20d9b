"""How far an experiment is, on stderr."""

import time

import typer
from rich.console import Console
from rich.text import Text

__all__ = ["Stand"]

#: Where stderr is not a terminal, a line at most so often.
_SECONDS = 10.0


class Stand:
    """A line on a terminal that changes; elsewhere a new line now and then."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._status = self._console.status("starting")
        self._told = time.perf_counter()

    def __enter__(self) -> "Stand":
        if self._console.is_terminal:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._status.stop()

    def __call__(self, stand: str) -> None:
        """Show how far the work is."""
        if self._console.is_terminal:
            self._status.update(Text(stand))
        elif time.perf_counter() - self._told >= _SECONDS:
            self._told = time.perf_counter()
            typer.echo(stand, err=True)
