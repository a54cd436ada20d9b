"""Run the experiment: ``python -m benchmarks.real --help``."""

import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.peers.results import Results
from thresher.experiments import EXPERIMENTS, Result, markdown_table, save, write_index

from .generated import generated_tables
from .methods import SELECT, Method
from .options import Options, read_options
from .pages import pages
from .run import run_table, tell
from .tables import Table, names_in, read, read_index, tuned_half

N_QUICK, QUICK_ROWS = 4, 400
MINUTES = (
    "The minutes below are those that methods and judges took of the processor, spread over the "
    "workers; imports are not in them."
)


def main(arguments: list[str] | None = None) -> None:
    options = read_options(arguments)
    results = Results(options.journal)
    methods = tuple(filter(_is_here, options.methods))
    _forget(results, options.again)
    _tell_of_outdated(results, methods)
    outcomes = [
        run_table(
            table,
            methods,
            results,
            n_splits=options.n_splits,
            limit=options.limit,
            workers=options.workers,
            twice=options.twice and SELECT in methods,
        )
        for table in _tables(options)
    ]
    if not outcomes:
        raise SystemExit("no table: name their folder with --data or THRESHER_DATA, or try --quick")
    found = pages(
        outcomes, methods, _tuned(options), n_splits=options.n_splits, limit=options.limit
    )
    for result in found.values():
        print(f"## {result.title}\n\n{markdown_table(result)}\n")
        print("\n".join(f"- {note}" for note in result.notes) + "\n")
    if options.folder is not None:
        _save(found, options, results.spent / options.workers)


def _tables(options: Options) -> Iterator[Table]:
    """Generate the tables, read one after the other; tell of those that are not there."""
    if options.data is None:
        made = generated_tables() if options.quick else {}
        names = options.tables or tuple(made)
    else:
        names = options.tables or tuple(names_in(options.data))
        if options.quick and not options.tables:
            files = [options.data / f"{name}.parquet" for name in names]
            files = sorted((file for file in files if file.is_file()), key=_size)
            names = tuple(file.stem for file in files[:N_QUICK])
    for number, name in enumerate(names, 1):
        rows = {"most_rows": QUICK_ROWS} if options.quick else {}
        table = made.get(name) if options.data is None else read(options.data, name, **rows)
        if table is None:
            tell(f"{name} is left out: there is no such table")
            continue
        n_rows, n_columns = table.frame.shape
        tell(f"{name} ({number} of {len(names)}): {n_rows} rows, {n_columns} variables")
        yield table


def _size(file: Path) -> int:
    return file.stat().st_size


def _tuned(options: Options) -> frozenset[str]:
    if options.data is None:
        return tuned_half(generated_tables())
    return tuned_half(read_index(options.data) or names_in(options.data))


def _save(found: dict[str, Result], options: Options, seconds: float) -> None:
    """Write a page for each result, and the list of all results."""
    command = f'make bench-real ARGS="{options.told}"' if options.told else "make bench-real"
    for name, result in found.items():
        noted = replace(result, notes=(*result.notes, MINUTES))
        save(noted, name, options.folder, command=command, seconds=seconds, runs=options.n_splits)
    write_index(options.folder, EXPERIMENTS)


def _forget(results: Results, methods: tuple[Method, ...]) -> None:
    """Drop the answers of some methods, of whatever version."""
    adapters = {method.peer.adapter for method in methods}
    if adapters:
        tell(f"{results.drop(lambda one: one.get('peer') in adapters)} answers are forgotten")


def _tell_of_outdated(results: Results, methods: tuple[Method, ...]) -> None:
    """Say which answers in the journal are of other versions or sources, and so are not used."""
    for method in (method for method in methods if method.peer is not None):
        versions = method.peer.environment().versions
        n_outdated = results.count(
            lambda one, peer=method.peer.adapter, now=versions: (
                one.get("peer") == peer and one["versions"] != now
            )
        )
        if n_outdated:
            tell(f"{n_outdated} answers of {method.name} are of another version and are not used")


def _is_here(method: Method) -> bool:
    """Whether a method can be asked; its environment is made if need be."""
    problem = method.peer and method.peer.environment().problem
    if problem:
        tell(f"{method.name} is left out: {problem}")
    return not problem


if __name__ == "__main__":
    # what this run has started must end with it, also when it is not ended by Ctrl-C
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    main()
