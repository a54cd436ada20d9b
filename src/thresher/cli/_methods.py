"""``thresher methods``: what there is to choose from."""

import inspect
import json

import typer
from rich.table import Table

from ._output import wide_console

__all__ = ["methods"]


def methods(
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """List the methods, search strategies, judges and estimators by name."""
    from thresher import races, searches
    from thresher.selectors import named
    from thresher.workflow import ESTIMATORS, selector_classes

    found = {
        "method": {name: _summary(kind) for name, kind in selector_classes().items()},
        "search": {n: _summary(k) for n, k in named(searches, searches.SearchStrategy).items()},
        "judge": {n: _summary(k) for n, k in named(races, races.Judge).items()},
        "estimator": {name: _summary(make) for name, make in ESTIMATORS.items()},
    }
    if as_json:
        typer.echo(json.dumps(found))
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("option", "name", "what it does"):
        table.add_column(heading)
    for option, entries in found.items():
        for name, summary in entries.items():
            table.add_row(f"--{option}", name, summary)
    wide_console().print(table)


def _summary(thing: object) -> str:
    return (inspect.getdoc(thing) or "").split("\n", 1)[0]
