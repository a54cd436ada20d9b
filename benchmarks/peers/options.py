"""The command line."""

import argparse
import math
import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from .real import DATA_SETS
from .registry import PEERS, Peer
from .tasks import TASKS, Task


@dataclass(frozen=True)
class Options:
    """What to run."""

    peers: tuple[Peer, ...]
    tasks: tuple[Task, ...]
    data_sets: tuple[str, ...]
    runs: int
    quick: bool
    data: Path | None
    limit: float
    workers: int
    fresh: bool
    output: Path | None
    told: str


def read_options(arguments: list[str] | None = None) -> Options:
    """Return the options, with names turned into what they name."""
    parser = _parser()
    told = parser.parse_args(arguments)
    if told.fresh and (told.only or told.tasks or told.quick):
        parser.error("--fresh forgets all results, so it goes without --only, --tasks and --quick")
    tasks = tuple(task for task in TASKS if told.tasks is None or task.name in told.tasks)
    sets = tuple(name for name in DATA_SETS if told.tasks is None or name in told.tasks)
    if told.quick and told.tasks is None:
        sets = ("anneal", "triazines")
    return Options(
        peers=tuple(peer for peer in PEERS if told.only is None or peer.adapter in told.only),
        tasks=tasks,
        data_sets=sets,
        runs=told.runs or (1 if told.quick else 4),
        quick=told.quick,
        data=told.data,
        limit=told.limit,
        workers=told.workers,
        fresh=told.fresh,
        output=told.output,
        told=_without_paths(told),
    )


def _without_paths(told: argparse.Namespace) -> str:
    """Return the options that say what is measured, as they would be typed."""
    words = ["--quick"] * told.quick
    for name in ("only", "tasks"):
        if getattr(told, name):
            words += [f"--{name}", *getattr(told, name)]
    words += ["--runs", str(told.runs)] if told.runs else []
    return shlex.join([*words, "--limit", f"{told.limit:g}", "--data", "FOLDER"])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers", description="thresher beside its peers, in one run"
    )
    add = parser.add_argument
    names = [peer.adapter for peer in PEERS]
    tasks = [*(task.name for task in TASKS), *DATA_SETS]
    here = os.environ.get("THRESHER_DATA")
    add("--quick", action="store_true", help="small tables, one of each: does it all work?")
    add("--only", nargs="+", choices=names, metavar="PEER", help=f"of {', '.join(names)}")
    add("--tasks", nargs="+", choices=tasks, metavar="NAME", help=f"of {', '.join(tasks)}")
    add(
        "--runs",
        type=positive,
        help="data sets of each generated task, and shuffles of small tables (4)",
    )
    add("--data", type=Path, default=Path(here) if here else None, help="folder of real data")
    add("--limit", type=seconds, default=60.0, help="seconds for each fit (60)")
    add("--workers", type=positive, default=2, help="fits at a time, one thread each (2)")
    add("--fresh", action="store_true", help="forget the results of earlier runs")
    add("--output", type=Path, help="folder for a page on each table")
    return parser


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1; got {text}")
    return number


def seconds(text: str) -> float:
    number = float(text)
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"must be a positive number; got {text}")
    return number
