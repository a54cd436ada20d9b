"""``thresher reproduce``: the papers' experiments, ours beside the printed figures."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.table import Table
from rich.text import Text

from thresher.selection import printable, without_nan

from ._errors import polite
from ._output import check_output, wide_console
from ._stand import Stand

if TYPE_CHECKING:
    from thresher.experiments import Experiment, Result
    from thresher.journal import Scope

__all__ = ["reproduce"]

_PICTURES = (".png", ".svg", ".pdf")


def reproduce(
    context: typer.Context,
    name: str = typer.Argument(
        None, help='An experiment, or a table or figure such as "rve-figure2", or "all".'
    ),
    runs: int = typer.Option(None, help="Data sets of each kind, or repetitions."),
    data: Path = typer.Option(None, envvar="THRESHER_DATA", help="Folder with the real data."),
    openml: bool = typer.Option(
        False, "--openml", help="Fetch data that the folder does not hold from OpenML."
    ),
    quick: bool = typer.Option(False, "--quick", help="A small version, in less than a minute."),
    figure: Path = typer.Option(None, help="Draw the figure to this file: PNG, SVG or PDF."),
    save: Path = typer.Option(None, help="Write JSON, page and figure to this folder."),
    journal: Path = typer.Option(
        None, help="Keep what each run gives in this file; if it is there, go on from it."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
    n_jobs: int = typer.Option(-1, help="Threads; -1 means all cores."),
    show_list: bool = typer.Option(False, "--list", help="List the experiments and their needs."),
) -> None:
    """Run an experiment of a paper and print what it gives beside what the paper says."""
    if show_list:
        _print_list(as_json=as_json)
        return
    with polite(_lost(journal), context):
        experiments = _experiments_called(name)
        _check_figure(figure, len(experiments))
        _check_save(save)
        with _opened(journal) as scope:
            for each in experiments:
                kept = each.kept_in(scope, quick=quick)
                started = time.perf_counter()
                with Stand() as stand:
                    result = each.run(
                        runs=runs,
                        data=data,
                        quick=quick,
                        n_jobs=n_jobs,
                        progress=stand,
                        openml=openml,
                        kept=kept,
                    )
                seconds = time.perf_counter() - started + kept.seconds
                _tell(each, result, seconds, quick=quick, as_json=as_json)
                told = _options_told(each, runs=runs, data=data, quick=quick, openml=openml)
                about = {
                    "command": f"thresher reproduce {each.name}{told}",
                    "seconds": seconds,
                    "runs": each.runs_of(runs, quick=quick),
                    "n_recalled": kept.n_recalled,
                }
                _keep(each, result, about, figure=figure, save=save)
                typer.echo(f"{each.name} took {seconds:.1f} s", err=True)


def _lost(journal: Path | None) -> str:
    if journal is None:
        return "before the end; with --journal FILE, what was found so far would not be lost"
    return f"before the end; the same command goes on from {journal}"


@contextmanager
def _opened(journal: Path | None) -> Iterator["Scope"]:
    from thresher.experiments import admit
    from thresher.journal import opened

    with opened(journal) as scope:
        admit(scope)
        yield scope


def _experiments_called(name: str | None) -> list["Experiment"]:
    from thresher.experiments import EXPERIMENTS, showing

    if name == "all":
        return list(EXPERIMENTS.values())
    known = {**showing(EXPERIMENTS), **{each: each for each in EXPERIMENTS}}
    if name not in known:
        wrong = "say which experiment" if name is None else f"no experiment is called {name!r}"
        raise ValueError(f"{wrong}; there are {', '.join(EXPERIMENTS)}")
    return [EXPERIMENTS[known[name]]]


def _check_figure(path: Path | None, n_experiments: int) -> None:
    """Refuse a file that cannot be drawn, before any work is done."""
    if path is None:
        return
    if n_experiments > 1:
        raise ValueError("--figure: takes one experiment; --save draws the figures of all")
    if path.suffix.lower() not in _PICTURES:
        raise ValueError(f"--figure: {path} must end with one of {', '.join(_PICTURES)}")
    check_output(path, "--figure")
    _check_drawing("--figure")


def _check_save(folder: Path | None) -> None:
    if folder is None:
        return
    if folder.is_file():
        raise ValueError(f"--save: {folder} is a file")
    _check_drawing("--save")


def _check_drawing(option: str) -> None:
    if find_spec("matplotlib") is None:
        raise ValueError(f"{option}: draws by matplotlib: pip install 'thresher[plot]'")


def _options_told(
    experiment: "Experiment", *, runs: int | None, data: Path | None, quick: bool, openml: bool
) -> str:
    """Return the options that say what is measured, without the place of the data."""
    needs = bool(experiment.needs)
    words = [
        "--quick" * quick,
        f"--runs {runs}" * (runs is not None),
        "--data FOLDER" * (needs and data is not None),
        "--openml" * (needs and openml),
    ]
    return "".join(f" {word}" for word in words if word)


def _tell(
    experiment: "Experiment", result: "Result", seconds: float, *, quick: bool, as_json: bool
) -> None:
    if as_json:
        told = {"name": experiment.name, "quick": quick, "seconds": seconds, **result.to_dict()}
        typer.echo(json.dumps(without_nan(told)))
    else:
        _print_result(result)


def _keep(
    experiment: "Experiment",
    result: "Result",
    about: dict[str, Any],
    *,
    figure: Path | None,
    save: Path | None,
) -> None:
    """Write to the folder, and then draw: what was measured must not be lost for a figure."""
    from thresher import experiments as home

    if save is not None:
        home.save(result, experiment.name, save, **about)
        home.write_index(save, home.EXPERIMENTS)
    if figure is None:
        return
    if result.picture is None:
        hint = "; are its data there (--data)?" if experiment.needs else ""
        raise ValueError(f"--figure: {experiment.name} has no figure to draw{hint}")
    home.draw(result.picture, figure)


def _print_list(*, as_json: bool) -> None:
    from thresher.experiments import EXPERIMENTS

    if as_json:
        found = {
            name: {
                "summary": each.summary,
                "shows": list(each.shows),
                "runs": each.runs,
                "minutes": each.minutes,
                "needs": list(each.needs),
            }
            for name, each in EXPERIMENTS.items()
        }
        typer.echo(json.dumps(found))
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("name", "what it is", "shows", "runs", "time", "data it needs"):
        table.add_column(heading)
    for name, each in EXPERIMENTS.items():
        table.add_row(
            name,
            each.summary,
            ", ".join(each.shows) or "ours",
            str(each.runs),
            duration(each.minutes),
            ", ".join(each.needs) or "none",
        )
    wide_console().print(table)


def duration(minutes: float) -> str:
    """Return about how long something takes.

    Examples
    --------
    >>> duration(0.3), duration(12.4), duration(150)
    ('18 s', '12 min', '2.5 h')
    """
    if minutes < 1:
        return f"{max(60 * minutes, 1):.0f} s"
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def _print_result(result: "Result") -> None:
    from thresher.experiments import shown

    console = wide_console()
    console.print(Text(result.title, style="bold"))
    table = Table(box=None, header_style="bold", pad_edge=False)
    for at, heading in enumerate(result.columns):
        numbers = all(not isinstance(row[at], str) for row in result.rows)
        table.add_column(heading, justify="right" if numbers else "left")
    for row in result.rows:
        table.add_row(*(Text(shown(cell)) for cell in row))
    console.print(table)
    for heading, sentences in (
        ("Ours by choice:", result.deviations),
        ("How it was measured:", result.notes),
    ):
        if sentences:
            console.print(Text(heading, style="bold"))
        for sentence in sentences:
            console.print(Text(printable(sentence)))
