"""Selections as tables for people and JSON for programs."""

import json
import os
from pathlib import Path

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from thresher.selection import Selection, Verdict, printable

__all__ = ["check_output", "print_selection", "wide_console"]

#: Rows of the table before the rest is only counted; a terminal may have room for fewer.
_ROWS = 40
#: Lines of a terminal that the table leaves to what is printed after it.
_BELOW = 8
_STYLE = {"relevant": "green", "supporting": "cyan", "redundant": "yellow", "irrelevant": "dim"}


def print_selection(selection: Selection, *, as_json: bool, all_columns: bool = False) -> None:
    """Write a selection to stdout."""
    if as_json:
        typer.echo(json.dumps(selection.to_dict()))
        return
    ranked = selection.ranked()
    console = wide_console()
    room = min(_ROWS, max(console.height - _BELOW, 5)) if console.is_terminal else _ROWS
    shown = ranked if all_columns else ranked[: max(room, len(selection.selected))]
    console.print(_verdict_table(shown, console))
    if len(shown) < len(ranked):
        console.print(f"... and {len(ranked) - len(shown)} more columns (--all shows them)")
    cost = selection.cost
    task = str(selection.settings.get("task", "")).strip("'")
    console.print(
        f"{len(selection.selected)} of {len(ranked)} columns selected by {selection.method}"
        f"{f' ({task})' if task else ''}: "
        f"{cost.evaluations} evaluations in {cost.seconds:.2f} s{_final_loss(selection)}"
    )
    if claim := selection.claim:
        console.print(claim[0].upper() + claim[1:], highlight=False)
    for line in _honest_lines(selection):
        console.print(line)


def _honest_lines(selection: Selection) -> list[str]:
    """What repetitions on other rows have shown."""
    lines = []
    if selection.validation is not None:
        checked = selection.validation
        losses = ", ".join(
            f"{own.mean:.4g} ({own.low:.4g} to {own.high:.4g}) with {_WITH[name]}"
            for name, own in checked.losses.items()
        )
        lines.append(f"On rows not used for the selection, {checked.loss} loss: {losses}")
        gap = checked.differences.get("all")
        if gap is not None and gap.low > 0:
            by = f"{gap.mean:.4g} ({gap.low:.4g} to {gap.high:.4g})"
            lines.append(
                f"That is worse than with all, by {by}: columns that matter may be missing, for "
                "want of rows or because they matter only together"
            )
    if selection.stability is not None:
        own = selection.stability.index
        lines.append(
            f"Stability over {selection.stability.n_resamples} repetitions: {own.mean:.2f} "
            f"({own.low:.2f} to {own.high:.2f})"
        )
    return lines


_WITH = {
    "selected": "the selected columns",
    "all": "all",
    "random": "as many at random",
    "none": "none",
}


def check_output(path: Path | None, option: str) -> None:
    """Refuse a file that cannot be written, before any work is done."""
    if path is None:
        return
    if path.is_dir():
        raise ValueError(f"{option}: {path} is a folder")
    if not path.parent.is_dir():
        raise ValueError(f"{option}: the folder {path.parent} does not exist")
    if not os.access(path.parent, os.W_OK):
        raise ValueError(f"{option}: the folder {path.parent} cannot be written to")


def wide_console() -> Console:
    """Return a console for stdout that wraps lines for people, but never in a pipe or a file."""
    console = Console()
    return console if console.is_terminal else Console(width=100_000)


def _verdict_table(verdicts: list[Verdict], console: Console) -> Table:
    """One line for each verdict; in a terminal, names and reasons are cut to fit."""
    fits = console.is_terminal
    longest = max((cell_len(printable(verdict.name)) for verdict in verdicts), default=6)
    table = Table(box=None, header_style="bold", pad_edge=False, expand=fits)
    name_width = min(max(longest, 6), console.width // 3) if fits else None
    table.add_column("column", no_wrap=True, width=name_width)
    table.add_column("verdict", no_wrap=True, width=10)
    table.add_column("score", no_wrap=True, width=10, justify="right")
    table.add_column("why", no_wrap=True, ratio=1 if fits else None)
    for verdict in verdicts:
        score = "" if verdict.score is None else f"{verdict.score:.4g}"
        why = verdict.reason
        if verdict.masked_by is not None and verdict.masked_by not in why:
            why = f"{why} (masked by {verdict.masked_by})".strip()
        # Text, not markup: column names are whatever a stranger put into the file
        cells = (printable(verdict.name), verdict.kind, score, printable(why))
        table.add_row(*(Text(cell) for cell in cells), style=_STYLE[verdict.kind])
    return table


def _final_loss(selection: Selection) -> str:
    chosen = [record for record in selection.trace if record.get("chosen")]
    if not chosen:
        return ""
    if "merit" in chosen[-1]:
        return f", merit {chosen[-1]['merit']:.4g}"
    loss, error = chosen[-1]["loss"], chosen[-1].get("standard_error", float("nan"))
    # a step that was cut short has a loss, but no error
    return f", loss {loss:.4g}" + (f" +- {error:.2g}" if error == error else "")
