"""Misuse ends with exit code 2 and one line on stderr, never with a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

__all__ = ["INTERRUPTED", "MISUSE", "polite"]

MISUSE = 2
INTERRUPTED = 130


@contextmanager
def polite() -> Iterator[None]:
    """Turn complaints about the user's input into a message and exit code 2."""
    try:
        yield
    except (ValueError, TypeError, ImportError, OSError) as error:
        notes = "".join(f"\n  {note}" for note in getattr(error, "__notes__", ()))
        typer.echo(f"thresher: {error}{notes}", err=True)
        raise typer.Exit(MISUSE) from error
    except KeyboardInterrupt:
        typer.echo("thresher: interrupted before anything was found", err=True)
        raise typer.Exit(INTERRUPTED) from None
