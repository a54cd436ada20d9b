"""Run benchmarks: ``python -m benchmarks [NAME ...] [--save FOLDER]``.

A name is that of a file without ``bench_``; without names, all of them are run. With a folder, what
each prints is kept there as a page with machine, versions and date.
"""

import argparse
import contextlib
import importlib
import io
import pkgutil
import sys
import time
from pathlib import Path

import benchmarks
from thresher.experiments import EXPERIMENTS, Result, save, write_index

NAMES = [
    module.name.removeprefix("bench_")
    for module in pkgutil.iter_modules(benchmarks.__path__)
    if module.name.startswith("bench_")
]


class _Both(io.StringIO):
    """Keeps what is printed, and prints it."""

    def write(self, text: str) -> int:
        sys.__stdout__.write(text)
        sys.__stdout__.flush()
        return super().write(text)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}")
    parser.add_argument("--save", type=Path, metavar="FOLDER")
    told = parser.parse_args()
    if unknown := [name for name in told.names if name not in NAMES]:
        parser.error(f"no benchmark is called {unknown[0]!r}; there are {', '.join(NAMES)}")
    sys.argv = sys.argv[:1]  # the benchmarks have arguments of their own
    for name in told.names or NAMES:
        print(f"== {name}", flush=True)
        run(name, told.save)


def run(name: str, folder: Path | None) -> None:
    """Run one benchmark, and keep what it prints."""
    module = importlib.import_module(f"benchmarks.bench_{name}")
    printed, began = _Both(), time.perf_counter()
    with contextlib.redirect_stdout(printed):
        module.main()
    if folder is None:
        return
    lines = [line for line in printed.getvalue().splitlines() if line.strip()]
    summary = module.__doc__.splitlines()[0].rstrip(".")
    save(
        Result(summary, ("printed",), tuple((line.strip(),) for line in lines)),
        f"bench-{name.replace('_', '-')}",
        folder,
        command=f"python -m benchmarks {name}",
        seconds=time.perf_counter() - began,
    )
    write_index(folder, EXPERIMENTS)


if __name__ == "__main__":
    main()
