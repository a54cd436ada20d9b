"""Misuse ends with exit code 2 and a message on stderr, never with a traceback."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from thresher.selection import printable

__all__ = ["INTERRUPTED", "MISUSE", "polite"]

MISUSE = 2
INTERRUPTED = 130

_FIRST_NAME = re.compile(r"[a-z_]+(?=[ :])")


@contextmanager
def polite(
    lost: str = "before anything was found", context: typer.Context | None = None
) -> Iterator[None]:
    """Turn complaints about the user's input into a message and exit code 2.

    An estimator that refuses the data complains in the same words as thresher would (`ValueError`,
    `TypeError`), so it counts as that; whatever else it raises ends with exit code 1.
    ``lost`` says what an interruption costs, ``context`` which options there are.
    """
    try:
        yield
    except (ValueError, TypeError, ImportError, OSError) as error:
        typer.echo(f"thresher: {_as_typed(_told(error), context)}", err=True)
        raise typer.Exit(MISUSE) from error
    except (typer.Exit, typer.Abort):
        raise
    except Exception as error:
        # an estimator may raise anything; its name and the columns it saw say more than a traceback
        typer.echo(f"thresher: {type(error).__name__}: {_told(error)}", err=True)
        raise typer.Exit(1) from error
    except KeyboardInterrupt:
        typer.echo(f"thresher: interrupted {lost}", err=True)
        raise typer.Exit(INTERRUPTED) from None


def _told(error: BaseException) -> str:
    told = "".join([str(error), *(f"\n  {note}" for note in getattr(error, "__notes__", ()))])
    # a message may quote a stranger's file, which must not control the terminal
    return "\n".join(printable(line) for line in told.split("\n"))


def _as_typed(message: str, context: typer.Context | None) -> str:
    """Write the option for the parameter that a message begins with, if the user has set it."""
    name = _FIRST_NAME.match(message)
    if context is None or name is None:
        return message
    source = context.get_parameter_source(name[0])
    if source is None or source.name != "COMMANDLINE":
        return message
    options = {own.name: own.opts[0] for own in context.command.params}
    return options[name[0]] + message[name.end() :]
