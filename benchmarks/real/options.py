"""The command line."""

import argparse
import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.environments import HOME
from benchmarks.peers.options import positive, seconds

from .methods import ALL, METHODS, Method

QUICK = (ALL.name, "select", "lasso", "gain")
N_SPLITS, LIMIT = 5, 120.0


@dataclass(frozen=True)
class Options:
    """What to run."""

    data: Path | None
    tables: tuple[str, ...]
    methods: tuple[Method, ...]
    again: tuple[Method, ...]
    n_splits: int
    limit: float
    workers: int
    journal: Path
    twice: bool
    quick: bool
    folder: Path | None
    told: str


def read_options(arguments: list[str] | None = None) -> Options:
    """Return the options, with names turned into what they name."""
    told = _parser().parse_args(arguments)
    names = told.methods or (QUICK if told.quick else METHODS)
    return Options(
        data=told.data,
        tables=tuple(told.tables or ()),
        methods=tuple(method for method in METHODS.values() if method.name in {ALL.name, *names}),
        again=tuple(METHODS[name] for name in told.again),
        n_splits=told.splits or (1 if told.quick else N_SPLITS),
        limit=told.limit,
        workers=told.workers,
        journal=told.journal,
        twice=told.twice,
        quick=told.quick,
        folder=told.save,
        told=_without_paths(told),
    )


def _without_paths(told: argparse.Namespace) -> str:
    """Return the options that say what is measured, as they would be typed."""
    words = ["--quick"] * told.quick + ["--twice"] * told.twice
    for name in ("tables", "methods"):
        if getattr(told, name):
            words += [f"--{name}", *getattr(told, name)]
    words += ["--splits", str(told.splits)] if told.splits else []
    words += ["--limit", f"{told.limit:g}"] if told.limit != LIMIT else []
    words += ["--data", "FOLDER"] if told.data else []
    return shlex.join(words)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.real",
        description="What a selection is worth on real tables, beside all columns and the peers",
    )
    add = parser.add_argument
    here = os.environ.get("THRESHER_DATA")
    asked = [name for name, method in METHODS.items() if method.peer is not None]
    add("--quick", action="store_true", help="four small tables, one split: does it all work?")
    add("--data", type=Path, default=Path(here) if here else None, help="folder of Parquet files")
    add("--tables", nargs="+", metavar="NAME", help="of files in the folder (all)")
    add("--methods", nargs="+", choices=METHODS, metavar="NAME", help=f"of {', '.join(METHODS)}")
    add("--splits", type=positive, help=f"splits of each table ({N_SPLITS})")
    add("--limit", type=seconds, default=LIMIT, help=f"seconds for each fit of a peer ({LIMIT:g})")
    add("--workers", type=positive, default=2, help="processes, one thread each (2)")
    add("--twice", action="store_true", help="ask select with other seeds, too")
    add("--journal", type=Path, default=HOME / "real.jsonl", help="file of all that is known")
    add(
        "--again",
        nargs="+",
        choices=asked,
        default=[],
        metavar="NAME",
        help="methods whose answers in the journal are forgotten first",
    )
    add("--save", type=Path, metavar="FOLDER", help="folder for the pages, such as docs/results")
    return parser
