"""``thresher report``: a page about a saved result, or about a run that is still going."""

import time
from pathlib import Path
from typing import Any

import typer

from thresher.selection import Selection, printable

from ._errors import polite
from ._output import check_output

__all__ = ["report"]


def report(
    result: Path = typer.Argument(
        ..., help="A result that 'thresher select --output' wrote, or the journal of a run."
    ),
    output: Path | None = typer.Option(
        None, help="The HTML file to write; by default, beside the result."
    ),
) -> None:
    """Write an HTML page about a saved result, or the best so far of a run with a journal."""
    from thresher.journal import is_journal

    with polite():
        page = result.with_suffix(".html") if output is None else output
        check_output(page, "--output")
        if page.resolve() == result.resolve():
            raise ValueError(f"the page would be written over {str(result)!r}; name it by --output")
        selection = _so_far(result) if is_journal(result) else Selection.load(result)
        selection.report(page)
    typer.echo(str(page))


def _so_far(journal: Path) -> Selection:
    """Read the selection as it stands in a journal, which may come from a stranger."""
    from thresher.journal import peek

    shown = peek(journal)
    progress, content = (shown.snapshots.get(name) for name in ("progress", "selection"))
    selection = None
    if isinstance(content, dict):
        try:
            selection = Selection.from_dict(content.get("selection", {}))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(f"{str(journal)!r}: {error}") from error
    going = selection is None or selection.settings.get("ending") == "running"
    if going and isinstance(progress, dict):
        typer.echo(f"thresher: {_doing(progress)}, {_ago(progress.get('time'))}", err=True)
    if selection is None or not isinstance(content, dict):
        raise ValueError(
            f"the journal {str(journal)!r} holds {shown.n_results} result(s), but no selection "
            "yet; try again when the first step is done"
        )
    typer.echo(
        f"thresher: {shown.n_results} result(s) written down; the selection is as it stood "
        f"{_ago(content.get('time'))}",
        err=True,
    )
    return selection


def _doing(progress: dict[str, Any]) -> str:
    words = [str(progress[name]) for name in ("doing", "stage") if name in progress]
    if progress.get("total") is not None:
        words.append(f"{progress.get('done')} of {progress['total']}")
    return printable(" ".join(words), 200)


def _ago(moment: object) -> str:
    if not isinstance(moment, (int, float)):
        return "at some time"
    return f"{max(0, round(time.time() - moment))} s ago"
