"""One table after the other: ask the methods, then judge what they chose."""

import math
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from joblib import Parallel, delayed, parallel_config

from benchmarks.peers import registry
from benchmarks.peers.jobs import Job, run_all, seconds_of
from benchmarks.peers.results import Results

from .judges import constant_for, error_of, judged_key
from .methods import ALL, SELECT, Method
from .splits import Split, split
from .tables import Table
from .twice import OTHER_SEEDS, enough_rows

#: Peers get seconds to answer, and ours so many times more: a goal must not lack its wide tables.
OUR_PATIENCE = 10


@dataclass(frozen=True)
class Answer:
    """What a method chose on one split, and the errors with it.

    Parameters
    ----------
    columns : tuple of int
        Chosen variables.
    seconds : float or None
        Of the processor, spent by the method.
    errors : mapping of str to float
        For each judge.
    clusters : tuple of tuple of int
        Variables that are interchangeable.
    problem : str
        Why there is no answer.
    """

    columns: tuple[int, ...] = ()
    seconds: float | None = None
    errors: Mapping[str, float] = field(default_factory=dict)
    clusters: tuple[tuple[int, ...], ...] = ()
    problem: str = ""


@dataclass(frozen=True)
class Outcome:
    """All answers on a table.

    Parameters
    ----------
    name : str
        Of the table.
    n_columns : int
        Variables that there are.
    constants : tuple of float
        For each split, what is added to errors before they are divided.
    answers : mapping of str to tuple of Answer
        By method, one for each split.
    again : tuple of Answer
        Of ``select`` on the rows of the first split, with other seeds.
    """

    name: str
    n_columns: int
    constants: tuple[float, ...]
    answers: Mapping[str, tuple[Answer, ...]]
    again: tuple[Answer, ...] = ()


def run_table(
    table: Table,
    methods: Sequence[Method],
    results: Results,
    *,
    n_splits: int,
    limit: float,
    workers: int,
    twice: bool = False,
) -> Outcome:
    """Return the outcome on a table; what the journal knows is not run again."""
    splits = [split(table, number) for number in range(n_splits)]
    records: dict[tuple[str, int], dict[str, Any]] = {}
    # the last methods are the slow ones: begin with them, so that no worker is idle for long
    askable = [method for method in reversed(methods) if method.peer is not None]
    asked = [(method, each) for method in askable for each in splits]
    for ours, seconds in ((False, limit), (True, OUR_PATIENCE * limit)):
        pairs = [(method, each) for method, each in asked if method.ours == ours]
        jobs = [Job(method.peer, each.given(method.view)) for method, each in pairs]
        found = _ask(jobs, results, limit=seconds, workers=workers)
        for (method, each), record in zip(pairs, found, strict=True):
            records[method.name, each.number] = _in_variables(record, method, each)
    for each in splits:
        records[ALL.name, each.number] = {"columns": list(range(each.n_columns))}
    again = _ask_again(splits[0], results, limit, workers) if twice else ()
    wanted = {
        (each.number, judge, tuple(record["columns"]))
        for method in (ALL, *methods)
        for each in splits
        for judge in _judges(method, methods)
        if not (record := records[method.name, each.number]).get("error")
    }
    errors = judge_all(splits, sorted(wanted), results, workers=workers)
    answers = {
        method.name: tuple(
            _answer(records[method.name, each.number], _judges(method, methods), each, errors)
            for each in splits
        )
        for method in dict.fromkeys((ALL, *methods))
    }
    constants = tuple(constant_for(each) for each in splits)
    return Outcome(table.name, splits[0].n_columns, constants, answers, again)


def _judges(method: Method, methods: Iterable[Method]) -> tuple[str, ...]:
    """Return who judges a method; all columns are judged by everybody who judges any method."""
    if method is not ALL:
        return method.judges
    return tuple(dict.fromkeys(judge for each in (ALL, *methods) for judge in each.judges))


def _ask(
    jobs: Sequence[Job], results: Results, *, limit: float, workers: int
) -> list[dict[str, Any]]:
    """Ask the methods; the sources of thresher must stay as they are in the meantime."""
    batch = math.ceil(
        len(jobs) / (2 * workers)
    )  # with one method asked, too, all workers have work
    found = run_all(jobs, results, limit=limit, workers=workers, batch=batch, tell=tell)
    results.spent += sum(seconds_of(record, limit) or 0.0 for record in found)
    ours = [job for job in jobs if job.peer.ours]
    if ours and (version := registry.our_version()) != registry.our_version.__wrapped__():
        tasks = {job.table.task for job in ours}
        results.drop(lambda one: one.get("versions") == version and one["task"] in tasks)
        raise SystemExit("src/thresher was changed during the run; start again to use it as it is")
    return found


def _ask_again(first: Split, results: Results, limit: float, workers: int) -> tuple[Answer, ...]:
    """Ask ``select`` with other seeds for the same rows, where there are enough of them."""
    if not enough_rows(first):
        return ()
    jobs = [Job(SELECT.peer, first.given(SELECT.view, seed)) for seed in OTHER_SEEDS]
    found = _ask(jobs, results, limit=OUR_PATIENCE * limit, workers=workers)
    return tuple(_answer(record, (), first, {}) for record in found)


def _in_variables(record: dict[str, Any], method: Method, each: Split) -> dict[str, Any]:
    """Return a record with the variables from which the chosen numbers were made."""
    if method.view != "standardised" or record.get("error"):
        return record
    made = each.standardised[2]
    return {**record, "columns": sorted({int(made[number]) for number in record["columns"]})}


def _answer(
    record: dict[str, Any], judges: Sequence[str], each: Split, errors: Mapping[Any, float]
) -> Answer:
    if record.get("error"):
        return Answer(problem=record["error"])
    columns = tuple(record["columns"])
    return Answer(
        columns,
        record.get("cpu_seconds"),
        {judge: errors[each.number, judge, columns] for judge in judges},
        tuple(tuple(cluster) for cluster in record.get("clusters", ())),
    )


Wanted = tuple[int, str, tuple[int, ...]]


def judge_all(
    splits: Sequence[Split], wanted: Sequence[Wanted], results: Results, *, workers: int
) -> dict[Wanted, float]:
    """Return the error for each split, judge and set of columns; each is learned only once."""
    keys = {one: judged_key(splits[one[0]], one[1], one[2]) for one in wanted}
    known = {one: record for one in wanted if (record := results.get(keys[one])) is not None}
    missing: dict[tuple[int, str], list[tuple[int, ...]]] = {}
    for number, judge, columns in (one for one in wanted if one not in known):
        missing.setdefault((number, judge), []).append(columns)
    with parallel_config(backend="loky", inner_max_num_threads=1):
        for (number, judge), found in Parallel(workers, return_as="generator_unordered")(
            delayed(_judge)(splits[number], judge, sets)
            for (number, judge), sets in missing.items()
        ):
            each = splits[number]
            for columns, record in found:
                about = {"judged": each.table, "split": number, "judge": judge}
                one = number, judge, columns
                known[one] = results.add(keys[one], {**about, "columns": list(columns), **record})
            tell(f"judged by {judge}: {each.table}, split {number}, {len(found)} sets")
    results.spent += sum(record["cpu_seconds"] for record in known.values())
    return {one: record["loss"] for one, record in known.items()}


def _judge(
    each: Split, judge: str, sets: Sequence[tuple[int, ...]]
) -> tuple[tuple[int, str], list[tuple[tuple[int, ...], dict[str, float]]]]:
    """Judge several sets in one process, which prepares the numbers once."""
    found = []
    for columns in sets:
        began = time.process_time()
        loss = error_of(each, judge, columns)
        found.append((columns, {"loss": loss, "cpu_seconds": time.process_time() - began}))
    return (each.number, judge), found


def tell(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
