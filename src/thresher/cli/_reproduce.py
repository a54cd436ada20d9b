"""``thresher reproduce``: the papers' experiments, ours beside the printed figures."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from thresher.selection import printable, without_nan

from ._errors import polite
from ._output import wide_console

if TYPE_CHECKING:
    from thresher.experiments import Result

__all__ = ["reproduce"]

#: Where stderr is not a terminal, a line at most so often.
_SECONDS = 10.0


def reproduce(
    name: str = typer.Argument(None, help="The experiment; --list shows them all."),
    runs: int = typer.Option(None, help="Data sets of each kind, or repetitions."),
    data: Path = typer.Option(None, envvar="THRESHER_DATA", help="Folder with the real data."),
    quick: bool = typer.Option(False, "--quick", help="A small version, in less than a minute."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
    n_jobs: int = typer.Option(-1, help="Threads; -1 means all cores."),
    show_list: bool = typer.Option(False, "--list", help="List the experiments and their needs."),
) -> None:
    """Run an experiment of a paper and print what it gives beside what the paper says."""
    from thresher.experiments import EXPERIMENTS

    if show_list:
        _print_list(as_json=as_json)
        return
    with polite():
        if name not in EXPERIMENTS:
            wrong = "say which experiment" if name is None else f"no experiment is called {name!r}"
            raise ValueError(f"{wrong}; there are {', '.join(EXPERIMENTS)}")
        started = time.perf_counter()
        with _Progress() as progress:
            result = EXPERIMENTS[name].run(
                runs=runs, data=data, quick=quick, n_jobs=n_jobs, progress=progress
            )
        seconds = time.perf_counter() - started
        if as_json:
            told = {"name": name, "quick": quick, "seconds": seconds, **result.to_dict()}
            typer.echo(json.dumps(without_nan(told)))
        else:
            _print_result(result)
        typer.echo(f"{name} took {seconds:.1f} s", err=True)


class _Progress:
    """A line on a terminal that changes; elsewhere a new line now and then."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._status = self._console.status("starting")
        self._told = time.perf_counter()

    def __enter__(self) -> "_Progress":
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


def _print_list(*, as_json: bool) -> None:
    from thresher.experiments import EXPERIMENTS

    found = {
        name: {"summary": each.summary, "runs": each.runs, "needs": list(each.needs)}
        for name, each in EXPERIMENTS.items()
    }
    if as_json:
        typer.echo(json.dumps(found))
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("name", "what it is", "runs", "data it needs"):
        table.add_column(heading)
    for name, each in EXPERIMENTS.items():
        table.add_row(name, each.summary, str(each.runs), ", ".join(each.needs) or "none")
    wide_console().print(table)


def _print_result(result: "Result") -> None:
    console = wide_console()
    console.print(Text(result.title, style="bold"))
    table = Table(box=None, header_style="bold", pad_edge=False)
    for at, heading in enumerate(result.columns):
        numbers = all(not isinstance(row[at], str) for row in result.rows)
        table.add_column(heading, justify="right" if numbers else "left")
    for row in result.rows:
        table.add_row(*(Text(_shown(cell)) for cell in row))
    console.print(table)
    for note in result.notes:
        console.print(Text(printable(note)))


def _shown(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:.4g}" if isinstance(cell, float) else printable(str(cell))
