"""Run the comparison: ``python -m benchmarks.peers --help``."""

import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from thresher.experiments import EXPERIMENTS, Result, markdown_table, save, write_index

from . import tasks
from .environments import HOME
from .jobs import Job, run_all, seconds_of
from .nested import known_errors
from .options import Options, read_options
from .quality import judge
from .real import Fold, folds, read
from .real_tables import ALL, NONE, Outcome, real_tables
from .registry import DEFAULT, Peer
from .results import Results
from .tables import failures, generated_tables

MINUTES = (
    "The minutes below are those that all fits took of the processor, spread over the workers; "
    "imports and the models that judge are not in them."
)


def main(arguments: list[str] | None = None) -> None:
    options = read_options(arguments)
    results = Results(HOME / "results.jsonl", fresh=options.fresh)
    everyone = about(options)
    options = replace(options, peers=tuple(filter(_is_here, options.peers)))
    tables = {**generated(options, results), **real(options, results)}
    tables["peers-methods"] = everyone
    for result in tables.values():
        print(f"## {result.title}\n\n{markdown_table(result)}\n")
        print("\n".join(f"- {note}" for note in result.notes) + "\n")
    if options.output is not None:
        keep(tables, options, results.spent / options.workers)


def keep(tables: dict[str, Result], options: Options, seconds: float) -> None:
    """Write a page for each table.

    Most fits may be known from earlier runs, so the clock tells nothing: ``seconds`` are those that
    all fits took, spread over the workers.
    """
    command = f'make bench-peers ARGS="{options.told}"'
    for name, result in tables.items():
        noted = replace(result, notes=(*result.notes, MINUTES))
        save(noted, name, options.output, command=command, seconds=seconds)
    write_index(options.output, EXPERIMENTS)


def generated(options: Options, results: Results) -> dict[str, Result]:
    """Compare on generated data."""
    pairs = [
        tasks.given(task, seed, small=options.quick)
        for task in options.tasks
        for seed in range(options.runs)
    ]
    if not pairs:
        return {}
    truths = {(table.task, table.part): truth for table, truth in pairs}
    jobs = [
        Job(peer, table)
        for table, _ in pairs
        for peer in options.peers
        if table.n_features or not peer.told
    ]
    records = _records(jobs, options, results)
    qualities = {}
    for (adapter, where), record in records.items():
        if not record.get("error"):
            truth = truths[where]
            qualities[adapter, where] = judge(
                record["columns"],
                truth.relevant,
                truth.redundant,
                truth.irrelevant,
                truth.equivalence_classes,
            )
    tables = generated_tables(options.peers, records, qualities, limit=options.limit)
    missing = failures(options.peers, records)
    return {**tables, "peers-unanswered": missing} if missing.rows else tables


def real(options: Options, results: Results) -> dict[str, Result]:
    """Compare on real data, as far as it is there."""
    if not options.data_sets:
        return {}
    absent, parts = {}, {}
    for name in options.data_sets:
        found = read(options.data, name, small=options.quick)
        if found is None:
            absent[name] = "data not found (name the folder with --data or THRESHER_DATA)"
        else:
            parts[name] = folds(name, *found, runs=options.runs)
    jobs = [
        Job(peer, fold.given) for each in parts.values() for fold in each for peer in options.peers
    ]
    records = _records(jobs, options, results)
    outcomes = {}
    pool, stop = ThreadPoolExecutor(options.workers), threading.Event()
    try:
        futures = {}
        for name, each in parts.items():
            for method, answers in _answers(options.peers, records, name, each).items():
                futures[name, method] = pool.submit(
                    _outcome, each, answers, results, options.limit, stop
                )
        for number, (where, future) in enumerate(futures.items(), 1):
            outcomes[where] = future.result()
            _tell(f"judged {number} of {len(futures)}")
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
    methods = [ALL, NONE, *(peer.name for peer in options.peers)]
    peers = [peer.name for peer in options.peers if not peer.ours]
    return real_tables(options.data_sets, methods, outcomes, DEFAULT.name, absent, peers)


def _records(jobs: list[Job], options: Options, results: Results) -> dict[Any, dict[str, Any]]:
    found = run_all(jobs, results, limit=options.limit, workers=options.workers, tell=_tell)
    results.spent += sum(seconds_of(record, options.limit) or 0.0 for record in found)
    places = [(job.peer.adapter, (job.table.task, job.table.part)) for job in jobs]
    return dict(zip(places, found, strict=True))


def _answers(
    peers: tuple[Peer, ...], records: dict[Any, dict[str, Any]], name: str, each: list[Fold]
) -> dict[str, list[dict[str, Any]]]:
    """Return the answers of each method on the folds of a data set, with those of the baselines."""
    answers = {
        ALL: [{"columns": list(range(fold.n_all))} for fold in each],
        NONE: [{"columns": []} for _ in each],
    }
    for peer in peers:
        answers[peer.name] = [records[peer.adapter, (name, fold.given.part)] for fold in each]
    return answers


def _outcome(
    each: list[Fold],
    answers: list[dict[str, Any]],
    results: Results,
    limit: float,
    stop: threading.Event,
) -> Outcome:
    n_columns = each[0].n_all
    spent = [own for answer in answers if (own := seconds_of(answer, limit)) is not None]
    problems = [answer["error"] for answer in answers if answer.get("error")]
    if problems:
        return Outcome({}, (), n_columns, tuple(spent), problems[0])
    found = []
    for fold, answer in zip(each, answers, strict=True):
        if stop.is_set():
            raise InterruptedError("the run was stopped")
        found.append(known_errors(fold, answer["columns"], results))
    return Outcome(
        errors={judge: tuple(one[judge] for one in found) for judge in found[0]},
        sizes=tuple(len(answer["columns"]) for answer in answers),
        n_columns=n_columns,
        seconds=tuple(spent),
    )


def about(options: Options) -> Result:
    """Return who took part, in which version and how."""
    rows = []
    for peer in options.peers:
        place = peer.environment()
        rows.append((peer.name, place.problem or place.versions, peer.choice))
    return Result("Who took part", ("method", "versions", "how"), tuple(rows))


def _is_here(peer: Peer) -> bool:
    """Whether a peer can be asked: one that cannot is no worse for that."""
    problem = peer.environment().problem
    if problem:
        _tell(f"{peer.name} is left out: {problem}")
    return problem is None


def _tell(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    # who ends the run otherwise than by Ctrl-C wants what it started to end, too
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    main()
